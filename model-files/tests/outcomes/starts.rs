//! Joints and ranges that a model does not begin in.

use sinew::solve::{Integrator, SolverSettings};
use sinew::system::StepError;

use super::Run;

fn ends(name: &str) -> StepError {
    Run::of(name, SolverSettings::default()).until(0.1, 0.01).unwrap_err()
}

/// A hinge at 0 rad whose range begins at 2 rad: it is turned there, and falls from there.
#[test]
fn a_joint_that_starts_outside_its_range_is_brought_into_it() {
    let mut run = Run::of("limit_start_outside.toml", SolverSettings::default());
    run.until(0.01, 0.01).unwrap();
    let angle = run.state.coordinates[0];
    assert!((angle - 2.0).abs() < 2e-3, "{angle}");
    // 1 kg on an arm of 1 m, by the angle from the upright.
    let highest = 9.8 * 2f64.cos();
    for _ in 0..20 {
        run.until(run.state.time + 0.01, 0.01).unwrap();
        let energy = run.energy();
        assert!(energy < highest + 0.05, "{energy} J at {} s", run.state.time);
    }
}

#[test]
fn joints_that_contradict_each_other_by_a_metre_end_the_run_by_name() {
    let StepError::Unmet { name, error, .. } = ends("conflict_joints.toml") else { panic!() };
    assert!(name.contains("j1") || name.contains("j2"), "{name}");
    assert!((0.1..=1.0).contains(&error), "{error}");
}

#[test]
fn a_linkage_that_does_not_close_ends_the_run_by_name() {
    let error = ends("4bar_inconsistent.toml");
    let StepError::Unmet { name, .. } = &error else { panic!("{error}") };
    assert!(name.contains("/connectors/j"), "{name}");
    assert!(!error.to_string().contains("NaN"), "{error}");
}

#[test]
fn a_range_that_a_contact_keeps_from_being_met_is_told_with_the_contact() {
    let StepError::Unmet { name, against, .. } = ends("range_against_floor.toml") else { panic!() };
    assert!(name.contains("j0_0 x lower"), "{name}");
    assert!(against.starts_with("the contact of ") && against.contains(" against "), "{against}");
}

#[test]
fn a_number_too_large_for_an_equation_is_told_by_its_body() {
    let settings =
        SolverSettings { integrator: Integrator::RungeKutta4, ..SolverSettings::default() };
    let error = Run::of("heavy.toml", settings).until(0.1, 0.01).unwrap_err().to_string();
    assert!(
        error.contains("the motion of /models/heavy/rigid_bodies/planet is or becomes infinite"),
        "{error}"
    );
}
