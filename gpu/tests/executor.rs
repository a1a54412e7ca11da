//! Claims about executors, on the device of the tests: what they compute, read, write, refuse and
//! survive.

mod common;

use common::{RUNS, Small, VISIT, call, device, difference, no_elements, precisions, small, twin};
use sinew_gpu::testing::{open_test_device, test_device};
use sinew_gpu::{BisectExecutor, Executor, GpuError, GpuOptions, real_bytes};
use sinew_shaders::kernel::Scalar;
use sinew_shaders::program::{BufferId, ListId, Program};
use sinew_shaders::source::Precision;

/// Five roundings of numbers that differ by the contraction of a product and a sum.
const TOLERANCE: f64 = 5.0 * f32::EPSILON as f64;

/// Says that all buffers of the small program are equal, up to roundings.
fn assert_same(a: &mut dyn Executor, b: &mut dyn Executor, what: &str) {
    let precision = a.program().precision;
    for id in 0..3 {
        let (x, y) = (a.read(BufferId(id)), b.read(BufferId(id)));
        let (x, y) = (x.expect("a read"), y.expect("a read"));
        let worst = difference(&x, &y, Scalar::Real, precision);
        assert!(worst <= TOLERANCE, "{what}, {precision:?}, buffer {id}: {worst:e}");
    }
}

#[test]
fn a_device_runs_lists_as_the_twins_do() {
    let gpu = test_device();
    for precision in precisions(gpu) {
        let (mut on_device, mut on_twin) =
            (device(gpu, small(precision).program), twin(small(precision).program));
        on_device.submit(&RUNS).expect("a submission");
        on_twin.submit(&RUNS).expect("a submission");
        assert_same(&mut on_device, &mut *on_twin, "lists");
        let x = on_device.read_numbers(BufferId(0)).expect("a read");
        assert!(x.iter().any(|&x| x.abs() > 100.0), "nothing was computed");
    }
}

#[test]
fn a_write_changes_what_is_submitted_after_it_and_nothing_before() {
    let gpu = test_device();
    for precision in precisions(gpu) {
        let Small { program, x, y, .. } = small(precision);
        let (mut on_device, mut on_twin) = (device(gpu, program.clone()), twin(program));
        for executor in [&mut on_device as &mut dyn Executor, &mut *on_twin] {
            executor.submit(&[(ListId(0), 1)]).expect("a submission");
            let bytes = real_bytes(&[7.0, -8.0], precision);
            executor.write(x, 3 * precision.real_bytes(), &bytes);
            executor.submit(&[(ListId(0), 1)]).expect("a submission");
            assert_eq!(executor.traffic(), (bytes.len() as u64, 0));
            assert_eq!(executor.read(y).expect("a read").len() as u64, executor.traffic().1);
        }
        assert_same(&mut on_device, &mut *on_twin, "writes");
    }
}

#[test]
fn a_read_that_was_started_shows_what_was_submitted_before_it() {
    let gpu = test_device();
    let Small { program, y, z, .. } = small(Precision::Single);
    let mut executor = device(gpu, program);
    let mut expected = Vec::new();
    let mut tickets = Vec::new();
    for _ in 0..3 {
        executor.submit(&RUNS).expect("a submission");
        tickets.push(executor.start_read(&[z, y]).expect("a read"));
        expected.push([executor.read(z), executor.read(y)].map(|part| part.expect("a read")));
    }
    executor.submit(&RUNS).expect("a submission");
    let first = executor.finish_read(tickets[0]).expect("a read");
    assert_eq!(first, expected[0]);
    let second = loop {
        if let Some(parts) = executor.try_finish_read(tickets[1]).expect("a read") {
            break parts;
        }
    };
    assert_eq!(second, expected[1]);
    assert_eq!(executor.finish_read(tickets[2]).expect("a read"), expected[2]);
}

#[test]
fn a_bisected_program_computes_the_same_from_any_kernel_on() {
    let gpu = test_device();
    for from in ["blend", "visit"] {
        let Small { mut program, x, y, z } = small(Precision::Single);
        let visits = program.add_zeros("visits", Scalar::Word, 1);
        let visit = call(&program, &VISIT, 1, &[visits]);
        program.lists[1].insert(0, visit);
        let mut bisected = BisectExecutor::<f32>::new(gpu, program.clone(), no_elements(), from)
            .expect("a kernel");
        let mut whole = twin(program.clone());
        bisected.submit(&RUNS).expect("a submission");
        whole.submit(&RUNS).expect("a submission");
        for id in [x, y, z, visits] {
            let (a, b) = (bisected.read(id).expect("a read"), whole.read(id).expect("a read"));
            let worst = difference(&a, &b, program.buffer(id).scalar, Precision::Single);
            assert!(worst <= TOLERANCE, "from {from}, buffer {id:?}: {worst:e}");
        }
    }
    let program = small(Precision::Single).program;
    let refused = BisectExecutor::<f32>::new(gpu, program, no_elements(), "nothing").err();
    assert!(matches!(refused, Some(GpuError::Setting { .. })), "{refused:?}");
}

#[test]
fn more_workgroups_than_a_dimension_takes_are_all_run_once() {
    const GROUPS: u32 = 150_001;
    let gpu = test_device();
    let mut program = Program::new(Precision::Single);
    let visits = program.add_zeros("visits", Scalar::Word, GROUPS.div_ceil(4096) as usize);
    // One group for each of the rows that the kernel counts.
    let sinew_shaders::program::Command::Dispatch(mut dispatch) =
        call(&program, &VISIT, GROUPS, &[visits])
    else {
        panic!("a call");
    };
    dispatch.groups = u64::from(GROUPS);
    let list = program.add_list(vec![sinew_shaders::program::Command::Dispatch(dispatch)]);
    let mut executor = device(gpu, program);
    executor.submit(&[(list, 1)]).expect("a submission");
    let counts = executor.read_numbers(visits).expect("a read");
    let (last, whole) = counts.split_last().expect("counts");
    assert!(whole.iter().all(|&count| count == 4096.0), "{counts:?}");
    assert_eq!(*last, f64::from(GROUPS % 4096));
}

#[test]
fn a_buffer_over_a_lowered_limit_is_refused_with_numbers() {
    let options = GpuOptions { max_binding: Some(4096), ..Default::default() };
    let gpu = open_test_device(&options);
    assert_eq!(gpu.max_binding(), 4096);
    let mut program = small(Precision::Single).program;
    device(&gpu, program.clone());
    let long = program.add_zeros("the long one", Scalar::Word, 1025);
    // Only what a kernel sees has to fit into a binding.
    device(&gpu, program.clone());
    let visit = call(&program, &VISIT, 1, &[long]);
    program.add_list(vec![visit]);
    let error = sinew_gpu::DeviceExecutor::new(&gpu, program).err();
    let expected = GpuError::TooLarge { what: "the long one".into(), bytes: 4100, limit: 4096 };
    assert_eq!(error, Some(expected));
}

#[test]
fn a_lost_device_answers_every_call_with_an_error() {
    let gpu = open_test_device(&GpuOptions::default());
    let Small { program, x, .. } = small(Precision::Single);
    let mut executor = device(&gpu, program.clone());
    executor.submit(&RUNS).expect("a submission");
    let ticket = executor.start_read(&[x]).expect("a read");
    gpu.destroy();
    executor.write(x, 0, &[0; 8]);
    let errors = [
        executor.submit(&RUNS).err(),
        executor.read(x).err(),
        executor.start_read(&[x]).err(),
        executor.finish_read(ticket).err(),
        sinew_gpu::DeviceExecutor::new(&gpu, program).err(),
        gpu.copy_bandwidth().err(),
    ];
    for (k, error) in errors.iter().enumerate() {
        assert!(matches!(error, Some(GpuError::Lost { .. })), "call {k}: {error:?}");
    }
}

#[test]
fn a_thousand_submissions_take_no_more_memory_than_ten() {
    let gpu = open_test_device(&GpuOptions::default());
    let Small { program, x, y, .. } = small(Precision::Single);
    let mut executor = device(&gpu, program);
    executor.set_profiling(false);
    let bytes = vec![0; 4 * common::ROWS];
    let mut run = |count: u32| {
        for _ in 0..count {
            executor.write(x, 0, &bytes);
            executor.submit(&RUNS).expect("a submission");
            let ticket = executor.start_read(&[y]).expect("a read");
            executor.finish_read(ticket).expect("a read");
        }
        gpu.allocated()
    };
    let (Some(few), Some(many)) = (run(10), run(1000)) else { return };
    assert!(few > 0);
    // A write more or less may be waiting for its memory to be taken back.
    assert!(many <= few + 2 * bytes.len() as u64, "{few} bytes after 10, {many} after 1,010");
}

#[test]
fn a_profile_counts_calls_bytes_and_operations() {
    let gpu = test_device();
    let mut executor = device(gpu, small(Precision::Single).program);
    executor.submit(&RUNS).expect("a submission");
    assert!(executor.kernel_times().is_empty(), "nothing is timed unless asked for");
    if !executor.set_profiling(true) {
        return;
    }
    // More calls than a set of queries has room for.
    executor.submit(&[(ListId(0), 3000), (ListId(2), 2), (ListId(0), 1)]).expect("a submission");
    let times = executor.kernel_times();
    assert_eq!(times.len(), 1, "{times:?}");
    assert_eq!((times[0].name.as_str(), times[0].calls), ("blend", 3001));
    assert_eq!((times[0].bytes, times[0].flops), (12_000 * 3001, 3000 * 3001));
    assert!(times[0].seconds > 0.0 && times[0].seconds < 600.0, "{times:?}");
    executor.set_profiling(false);
    executor.submit(&RUNS).expect("a submission");
    assert_eq!(executor.kernel_times(), times);
}

#[test]
fn a_kernel_that_the_driver_refuses_is_named() {
    let gpu = test_device();
    let broken = |kernel: &sinew_shaders::kernel::Kernel, variant| {
        kernel.source(variant).replace("x[i];", "x[i] + nothing;")
    };
    let program = small(Precision::Single).program;
    let error = sinew_gpu::DeviceExecutor::with_source(gpu, program, &broken).err();
    let Some(GpuError::Shader { kernel, detail }) = error else { panic!("{error:?}") };
    assert_eq!(kernel, "blend");
    assert!(detail.contains("nothing"), "{detail}");
    device(gpu, small(Precision::Single).program);
}

#[test]
fn a_broken_cache_of_kernels_is_ignored_and_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = GpuOptions { cache: Some(folder.path().into()), ..Default::default() };
    let run = || {
        let gpu = open_test_device(&options);
        device(&gpu, small(Precision::Single).program).submit(&RUNS).expect("a submission");
        gpu.adapter().features.iter().any(|feature| feature == "PIPELINE_CACHE")
    };
    if !run() {
        return;
    }
    let files =
        || std::fs::read_dir(folder.path()).expect("a folder").map(|f| f.expect("a file").path());
    let paths: Vec<_> = files().collect();
    assert_eq!(paths.len(), 1, "{paths:?}");
    let whole = std::fs::read(&paths[0]).expect("a file");
    let broken = &whole[..whole.len() / 2];
    std::fs::write(&paths[0], broken).expect("a file");
    run();
    assert_eq!(files().collect::<Vec<_>>(), paths);
    // Drivers need not write the same bytes twice.
    let replaced = std::fs::read(&paths[0]).expect("a file");
    assert!(
        replaced.len() > broken.len() && replaced.len() < 2 * whole.len(),
        "{}",
        replaced.len()
    );
}

#[test]
fn a_survey_measures_calls_copies_and_arithmetic() {
    let gpu = test_device();
    let survey = gpu.survey().expect("a measurement");
    // From the fastest device there may be to a processor that others use too [s, 1/s].
    for seconds in [survey.dispatch, survey.encoding, survey.load, survey.sum] {
        assert!((1e-10..1.0).contains(&seconds), "{survey:?}");
    }
    assert!((1e6..1e16).contains(&survey.single), "{survey:?}");
    let double = gpu.has(sinew_shaders::source::Precision::Double);
    assert_eq!(survey.double.is_some(), double);
    assert!(survey.double.is_none_or(|rate| (1e6..1e16).contains(&rate)), "{survey:?}");
    assert_eq!(gpu.copy_bandwidth(), Ok(survey.copy));
}

#[test]
fn the_bandwidth_of_a_copy_is_measured_once() {
    let gpu = test_device();
    let bandwidth = gpu.copy_bandwidth().expect("a measurement");
    // From a processor of one slow core to ten times the fastest memory there is [bytes/s].
    assert!((1e8..1e14).contains(&bandwidth), "{bandwidth:e}");
    assert_eq!(gpu.copy_bandwidth(), Ok(bandwidth));
}

/// Of a processor, whose quotients and roots are right to the last bit.
#[test]
fn a_device_that_computes_in_64_bits_passes_the_probe_of_its_opening() {
    let gpu = test_device();
    let double = gpu.has(Precision::Double);
    let expected = if double { Precision::Double } else { Precision::Single };
    assert_eq!(gpu.precision(), expected, "{:?}", gpu.adapter());
}
