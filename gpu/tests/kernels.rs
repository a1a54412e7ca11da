//! Every kernel computes on the device of the tests what its twin does, in every precision that the
//! device has, on its sample.

mod common;

use common::samples::Trial;
use common::texts::all_texts;
use rayon::prelude::*;
use sinew_gpu::testing::{folded_test_device, open_test_device, test_device};
use sinew_gpu::{DeviceExecutor, GpuOptions};
use sinew_shaders::samples::{Sample, samples};
use sinew_shaders::source::Precision;
use sinew_shaders::table::kernels;

#[test]
fn every_kernel_computes_on_the_device_what_its_twin_does() {
    let gpu = test_device();
    let folded = folded_test_device();
    let precisions = common::precisions(gpu);
    let samples: Vec<Sample> = samples().collect();
    let check = |sample: &Sample| -> Vec<String> {
        let mut wrong = Vec::new();
        for &precision in &precisions {
            let trial = Trial::new(sample, precision);
            // Numbers of workgroups do not depend on the precision.
            let single = precision == Precision::Single;
            for (gpu, grid) in [(gpu, "plain"), (folded, "folded")] {
                if grid == "plain" || single {
                    let result = trial.on_device(gpu, &|kernel, variant| kernel.source(variant));
                    let what = format!("{} {precision:?}, {grid} grid", sample.kernel);
                    wrong.extend(result.err().map(|error| format!("{what}: {error}")));
                }
            }
        }
        wrong
    };
    let wrong: Vec<_> = samples.par_iter().flat_map_iter(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_device_with_the_limits_of_every_device_takes_every_text_of_every_kernel() {
    let gpu = &open_test_device(&GpuOptions { default_limits: true, ..GpuOptions::default() });
    assert_eq!(gpu.max_binding(), 128 << 20);
    let mut refused = Vec::new();
    for kernel in kernels() {
        for precision in common::precisions(gpu) {
            if let Err(error) = DeviceExecutor::new(gpu, all_texts(kernel, precision)) {
                refused.push(format!("{precision:?}: {error}"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_sample_changes_what_its_kernel_writes() {
    for sample in samples() {
        let trial = Trial::new(&sample, Precision::Single);
        assert!(trial.changes(), "{} writes what was there before", sample.kernel);
    }
}

#[test]
fn every_kernel_has_a_sample() {
    for kernel in kernels() {
        let count = samples().filter(|sample| sample.kernel == kernel.name).count();
        assert!(count > 0, "{} has no sample", kernel.name);
    }
    for sample in samples() {
        let known = kernels().any(|kernel| kernel.name == sample.kernel);
        assert!(known, "a sample of {}, which is no kernel", sample.kernel);
    }
}
