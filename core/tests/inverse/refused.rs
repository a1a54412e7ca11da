//! Inputs that inverse control refuses, with the words that tell what to do.

use sinew::inverse::{
    InverseError, MotionTarget, TargetKind, TrackedExcitation, TrackingController, TrackingRule,
    TrackingSettings,
};
use sinew::solve::{ImplicitMode, Integrator, SolverSettings};

use crate::models::{Excitable, lever, pendulum};

fn still(_: f64, values: &mut [f64]) {
    values.fill(0.0);
}

/// Error of a controller with these settings.
fn refused(settings: TrackingSettings, solver: SolverSettings) -> InverseError {
    let (Excitable { model, excited, .. }, of) = pendulum([60.0, 45.0]);
    let targets = vec![MotionTarget::new(TargetKind::Coordinate(of))];
    let excitations = excited.into_iter().map(TrackedExcitation::new).collect();
    let made = TrackingController::new(
        &model,
        (targets, Box::new(still)),
        excitations,
        (settings, solver),
    );
    made.err().expect("it is refused")
}

#[test]
fn settings_out_of_range_are_refused_with_the_number() {
    let solver = SolverSettings::default();
    let settings = TrackingSettings::default();
    let rule = TrackingRule::Chase { time: 0.0 };
    let error = refused(TrackingSettings { rule, ..settings }, solver);
    assert_eq!(error.to_string(), "`chase time` must be finite and > 0, got 0");
    let error = refused(TrackingSettings { regularization: -1.0, ..settings }, solver);
    assert_eq!(error.to_string(), "`regularization` must be finite and >= 0, got -1");
    let integrator = Integrator::Trapezoidal(ImplicitMode::Linearized);
    let error = refused(settings, SolverSettings { integrator, ..solver });
    assert!(error.to_string().contains("backward Euler"), "{error}");
}

#[test]
fn what_is_no_motion_and_what_has_no_excitation_is_named() {
    let Excitable { model, .. } = lever();
    let bar = "/models/mechanism/rigid_bodies/forearm";
    let error = MotionTarget::at(&model, &format!("{bar}:velocity")).unwrap_err();
    assert!(error.to_string().contains("forearm:velocity"), "{error}");
    let error = TrackedExcitation::at(&model, bar).unwrap_err();
    assert!(error.to_string().contains("has no excitation"), "{error}");
    let position = MotionTarget::at(&model, &format!("{bar}:position")).unwrap();
    assert_eq!(position.path(&model), format!("{bar}:position"));
}

#[test]
fn nothing_to_follow_and_nothing_to_excite_is_refused() {
    let (Excitable { model, excited, .. }, of) = pendulum([60.0, 45.0]);
    let settings = (TrackingSettings::default(), SolverSettings::default());
    let excitations: Vec<_> = excited.into_iter().map(TrackedExcitation::new).collect();
    let none =
        TrackingController::new(&model, (Vec::new(), Box::new(still)), excitations, settings);
    assert_eq!(none.err(), Some(InverseError::Nothing("targets")));
    let targets = vec![MotionTarget::new(TargetKind::Coordinate(of))];
    let none = TrackingController::new(&model, (targets, Box::new(still)), Vec::new(), settings);
    assert_eq!(none.err(), Some(InverseError::Nothing("excitations")));
}
