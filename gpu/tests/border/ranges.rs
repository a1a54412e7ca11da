//! Ranges of joints at the border of tissue that stays on the device: they push, spring back and are brought back as on the CPU.

use std::sync::Arc;

use sinew::Vec3;
use sinew::backend::{Backend, CpuBackend};
use sinew::constraint::{Compliance, Range};
use sinew::model::{Joint, Model, RigidBody};
use sinew::property::Pose;
use sinew::solve::SolverSettings;
use sinew::system::{State, StepError};

use super::joints::{beam_with_pendulum, differences, on_twins};
use super::{H, largest_distance};

/// End of the range on both sides [rad].
const END: f64 = 0.05;

/// A pendulum on the tip whose hinge has a range that it swings into: a rigid one, or one that yields.
fn beam_with_range(compliance: Compliance, restitution: f64) -> Model {
    let mut model = beam_with_pendulum(1);
    let hinge = model.nth::<Joint>(0);
    let coordinate = &mut model[hinge].settings.coordinates[0];
    coordinate.range = Range { lower: Some(-END), upper: Some(END) };
    (coordinate.compliance, coordinate.restitution) = (compliance, restitution);
    model
}

/// Steps of the twins from each state of the CPU, whose states with that of the start are returned; asserts that they agree.
fn agreed_steps(model: &Model, count: usize) -> Vec<State> {
    let system = Arc::new(model.compile().expect("compiles"));
    let settings = SolverSettings { cg_tolerance: 1e-9, ..SolverSettings::default() };
    let mut twins = on_twins(&system, settings);
    let mut cpu = CpuBackend::new(system.clone(), settings).expect("a solver");
    let mut states = vec![cpu.state().clone()];
    for step in 0..count {
        let [places, velocities, forces] = differences(&mut twins, &mut cpu);
        assert!(places < 1e-6 && velocities < 1e-6, "step {step}: {places:e}, {velocities:e}");
        assert!(forces < 1e-4, "step {step}: forces of rows {forces:e}");
        let mut state = system.initial_state();
        twins.read_state(&mut state).expect("a state");
        let (own, expected) = (&state.range_forces, &cpu.state().range_forces);
        let most = expected.iter().fold(0.0, |most: f64, it| most.max(*it));
        for (own, expected) in own.iter().zip(expected) {
            assert!((own - expected).abs() <= 1e-4 * most, "step {step}: {own}, {expected}");
        }
        states.push(cpu.state().clone());
    }
    states
}

/// Number of states to which a range has pushed.
fn pushed(states: &[State]) -> usize {
    states.iter().filter(|state| state.range_forces.iter().any(|force| *force > 0.0)).count()
}

#[test]
fn ranges_of_joints_push_as_on_the_processor() {
    for compliance in [0.0, 1e-2] {
        let compliance = Compliance { compliance, damping: 0.1 };
        let pushed = pushed(&agreed_steps(&beam_with_range(compliance, 0.0), 12));
        assert!((1..12).contains(&pushed), "pushed in {pushed} steps");
    }
}

#[test]
fn ranges_of_joints_spring_back_as_on_the_processor() {
    let states = agreed_steps(&beam_with_range(Compliance::default(), 0.7), 12);
    let angles: Vec<f64> = states.iter().map(|state| state.coordinates[0]).collect();
    let ways: Vec<f64> = angles.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let springs = |ways: &[f64]| ways[0] * ways[1] < 0.0 && ways[1].abs() > 0.3 * ways[0].abs();
    assert!(ways.windows(2).any(springs), "{angles:?}");
    assert!(pushed(&states) > 0);
}

#[test]
fn a_step_that_fails_after_an_impact_leaves_the_velocities_before_it() {
    let system = Arc::new(beam_with_range(Compliance::default(), 0.7).compile().expect("compiles"));
    let settings = SolverSettings { cg_max_iterations: 1, ..SolverSettings::default() };
    let mut failing = on_twins(&system, settings);
    let mut cpu = CpuBackend::new(system.clone(), SolverSettings::default()).expect("a solver");
    for step in 0..6 {
        cpu.step(H).expect("a step");
        let (start, mut state) = (cpu.state(), system.initial_state());
        failing.write_state(start).expect("a state");
        let error = failing.step(H).expect_err("one iteration does not solve");
        assert!(matches!(error, StepError::NotConverged { .. }), "{error}");
        failing.read_state(&mut state).expect("a state");
        let far = largest_distance(&state.u, &start.u);
        assert!(far < 1e-12 && state.time == start.time, "step {step}: {far:e} m/s");
        assert_eq!(state.range_forces, start.range_forces);
    }
}

/// The pendulum begins at an angle of its hinge, and swings on at 2 rad/s.
fn swinging_beam(angle: f64) -> Model {
    let mut model = beam_with_range(Compliance::default(), 0.0);
    let [upper, lower] = [0, 1].map(|k| model.nth::<RigidBody>(k));
    let hinge = model.nth::<Joint>(0);
    let axis = model[upper].pose * model[hinge].d.pose;
    let turned = axis * Pose::new(Vec3::zeros(), Vec3::z() * angle) * axis.inverse();
    model[lower].pose = turned * model[lower].pose;
    let turning = axis.rotation * Vec3::z() * 2.0;
    let arm = model[lower].pose.translation.vector - axis.translation.vector;
    (model[lower].velocity, model[lower].angular_velocity) = (turning.cross(&arm), turning);
    model
}

#[test]
fn a_range_that_is_passed_is_brought_back_as_on_the_processor() {
    // By more than the tolerance of 1e-4 rad, to which the end is brought back, and less than a run begins with.
    let states = agreed_steps(&swinging_beam(END + 1.5e-4), 1);
    let beyond = states[1].coordinates[0] - END;
    assert!((beyond - 1e-4).abs() < 1e-6, "{beyond:e} rad");
}
