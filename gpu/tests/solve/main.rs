//! Whole solves on the twins, against factorization and the CPU's own preconditioners.

mod device;
mod system;

use device::{Device, Report, Settings};
use sinew_datasets::beam::{BeamParams, beam};
use sinew_gpu::solve::Cycle;
use sinew_shaders::cpu::Real;
use system::{System, error, hex_beam};

/// A beam of 2,673 nodes, on which multigrid has two levels and more.
fn kuhn() -> System {
    System::of(&beam(&BeamParams::kuhn(8)).expect("a beam"), 0.01)
}

fn solve<T: Real>(system: &System, settings: Settings) -> Report {
    let mut device = Device::<T>::new(system, settings);
    device.refresh();
    device.solve(&system.load())
}

/// Converged, to a residual and a solution that are what was asked for.
fn check(system: &System, settings: Settings) -> Report {
    let report = solve::<f64>(system, settings);
    let Report { outcome, iterations, residual, .. } = report;
    assert_eq!(outcome, 1, "{iterations} iterations to {residual:e}");
    assert!(report.residual <= settings.tolerance, "{:e}", report.residual);
    // The error is the residual times the condition number at most, which is below 1e4 here.
    let far = error(&report.x, &system.direct(&system.load()));
    assert!(far < 1e4 * settings.tolerance, "{far:e} for {:e}", settings.tolerance);
    report
}

#[test]
fn multigrid_takes_about_the_iterations_of_the_cpu() {
    let system = kuhn();
    let cpu = system.multigrid_iterations(&system.load(), 1e-8);
    let jacobi = system.jacobi_iterations(&system.load(), 1e-8);
    let device = check(&system, Settings::default()).iterations;
    // The CPU has fewer levels, in f64, and never starts again.
    assert!(device <= 2 * cpu, "{device} on the device, {cpu} on the CPU");
    assert!(5 * device < jacobi, "{device} with multigrid, {jacobi} with block-Jacobi");
}

#[test]
fn a_body_stands_on_every_level_and_costs_few_iterations() {
    let (alone, coupled) = (kuhn(), kuhn().with_a_body());
    let cpu = coupled.multigrid_iterations(&coupled.load(), 1e-8);
    let [alone, device] = [&alone, &coupled].map(|it| check(it, Settings::default()).iterations);
    assert!(device <= 2 * cpu, "{device} on the device, {cpu} on the CPU");
    assert!(2 * device <= 3 * alone, "{device} with the body, {alone} without");
}

#[test]
fn an_iteration_keeps_within_its_budget_of_calls() {
    let system = kuhn();
    let calls = |settings| {
        let device = Device::<f64>::new(&system, settings);
        (device.level_count, device.calls_of_an_iteration())
    };
    let multigrid = calls(Settings::default());
    // Direction, product, update; six on the finest level, six a correction of the next and one before it.
    assert_eq!((multigrid.0, multigrid.1), (3, 20));
    // A coarsest level that no workgroup solves alone has a call of its own.
    assert_eq!(calls(Settings { coarsest_dofs: 2_000, ..Settings::default() }), (2, 10));
    assert_eq!(calls(Settings { multigrid: false, ..Settings::default() }), (1, 3));
}

#[test]
fn a_v_cycle_converges_too() {
    check(&kuhn(), Settings { cycle: Cycle::V, ..Settings::default() });
}

#[test]
fn block_jacobi_takes_the_iterations_of_the_cpu() {
    let system = System::of(&hex_beam([12, 4, 4]), 0.01);
    let cpu = system.jacobi_iterations(&system.load(), 1e-5);
    let settings = Settings { multigrid: false, tolerance: 1e-5, ..Settings::default() };
    let device = check(&system, settings).iterations;
    assert!(device.abs_diff(cpu) <= 2 + cpu / 10, "{device} on the device, {cpu} on the CPU");
}

#[test]
fn residuals_in_double_precision_correct_a_matrix_in_single() {
    let system = System::of(&hex_beam([12, 4, 4]), 0.1);
    let report = check(&system, Settings { tolerance: 1e-10, ..Settings::default() });
    assert!(
        report.corrections >= 2,
        "one iteration cannot gain ten digits: {} iterations",
        report.corrections
    );
}

#[test]
fn the_bits_do_not_depend_on_how_often_the_host_looks() {
    let system = kuhn();
    let often = solve::<f64>(&system, Settings::default());
    let seldom = solve::<f64>(&system, Settings { batch: 64, ..Settings::default() });
    assert!(often == seldom, "{} iterations, {}", often.iterations, seldom.iterations);
}

#[test]
fn a_matrix_cut_into_segments_gives_the_same_solution() {
    let system = kuhn();
    let cut = Settings { segments: 3, ..Settings::default() };
    let [whole, parts] = [Settings::default(), cut].map(|settings| check(&system, settings));
    // Coarse matrices are summed segment by segment: another order, the same iteration.
    let far = error(&parts.x, &whole.x);
    assert!(far < 1e-6 && parts.iterations.abs_diff(whole.iterations) <= 1, "{far:e}");
}

#[test]
fn a_row_that_is_coupled_to_nothing_is_solved() {
    check(&System::of(&hex_beam([8, 4, 4]), 0.01).with_a_row_alone(), Settings::default());
}

#[test]
fn single_precision_gains_what_it_can() {
    let system = System::of(&hex_beam([12, 4, 4]), 0.01);
    let report = solve::<f32>(&system, Settings { tolerance: 1e-5, ..Settings::default() });
    let Report { outcome, iterations, residual, .. } = report;
    assert_eq!(outcome, 1, "{iterations} iterations to {residual:e}");
    // f32 vectors of a system with a condition of some 1e3.
    let far = error(&report.x, &system.direct(&system.load()));
    assert!(far < 1e-3, "{far:e}");
}
