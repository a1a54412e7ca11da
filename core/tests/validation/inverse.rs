//! Inverse control: INV-* of the reference data. Excitations that hold a lever against a moment, and that swing a pendulum.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::inverse::{
    MotionTarget, TargetKind, TrackedExcitation, TrackingController, TrackingRule, TrackingSettings,
};
use sinew::model::{FrameLoad, JointCoordinate, Model, RigidBody};
use sinew::schedule::{Signal, Simulation};
use sinew::solve::SolverSettings;

use super::excited::{Excitable, constant, muscle, pendulum};
use super::hinge::{HINGE, HingeCase};
use super::scenes::{hinge, in_plane, solid_box};
use super::table::{Group, Row};

/// INV-inverse-dynamics: excitations of flexor and extensor at 0.1, 0.2, .. 1 s.
const SWING: [[f64; 2]; 10] = [
    [0.0, 0.06576546209887398],
    [0.0, 0.10878785632219448],
    [0.0, 0.10878785632219448],
    [0.0, 0.06576546209887399],
    [0.0, 0.0],
    [0.049324096574155506, 0.0],
    [0.08159089224164587, 0.0],
    [0.08159089224164587, 0.0],
    [0.049324096574155506, 0.0],
    [0.0, 0.0],
];

/// Excitations of each step of `h` [s] until `end` [s] that have a coordinate follow a course.
fn excitations(
    model: Model,
    (of, course): (JointCoordinate, fn(f64) -> f64),
    tracked: Vec<TrackedExcitation>,
    (h, end): (f64, f64),
) -> Vec<Vec<f64>> {
    let (rule, solver) = (TrackingRule::Chase { time: h }, SolverSettings::default());
    let settings =
        TrackingSettings { rule, regularization: 1e-9, damping: 0.0, ..Default::default() };
    let desired = move |time: f64, values: &mut [f64]| values[0] = course(time);
    let targets = vec![MotionTarget::new(TargetKind::Coordinate(of))];
    let desired: Box<dyn Signal> = Box::new(desired);
    let following = (targets, desired);
    let controller =
        TrackingController::new(&model, following, tracked, (settings, solver)).unwrap();
    let log = controller.log();
    let mut simulation = Simulation::new(model, solver).unwrap();
    simulation.add_controller_object("inverse", Box::new(controller));
    let mut found = Vec::new();
    while simulation.time() < end - 0.5 * h {
        simulation.step(h).unwrap();
        found.push(log.lock().unwrap().excitations.clone());
    }
    found
}

/// Lines along x at constant arms from a hinge, held at rest against a moment.
fn hinge_row((arms, forces, moment, expected): HingeCase, number: usize) -> Row {
    let mut model = in_plane(0.0);
    let body = model.add(solid_box("lever", 1.0, [0.2, 0.1, 0.1]));
    let joint = hinge(&mut model, [Some(body), None], Vec3::zeros(), Vec3::z());
    let mut tracked = Vec::new();
    for (&arm, &force) in arms.iter().zip(forces) {
        let ends = (Vec3::new(-0.5, arm, 0.0), body, Vec3::y() * arm);
        tracked.push(TrackedExcitation::new(muscle(&mut model, ends, constant(force))));
    }
    model.add(FrameLoad::new(body, Vec3::zeros(), Vec3::z() * -moment));
    let of = JointCoordinate::new(joint, "theta");
    let found = excitations(model, (of, |_| 0.0), tracked, (0.01, 1.0));
    let last = found.last().unwrap();
    let error = last.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let case = format!("INV-static-opt-hinge, case {number}");
    let k = expected.iter().position(|a| *a > 0.0).unwrap();
    let metric = "excitation of the first muscle that pulls; error: absolute, of all";
    Row::new(case, metric, (expected[k], last[k]), 1e-6).with_error(error)
}

fn swing_row() -> Row {
    let (Excitable { mut model, excited, .. }, of) = pendulum([0.04 * 1500.0, 0.03 * 1500.0]);
    let rate = Vec3::z() * std::f64::consts::PI;
    let body: Handle<RigidBody> = model.find_handle("/models/mechanism/rigid_bodies/bob").unwrap();
    model[body].angular_velocity = rate;
    let mut tracked: Vec<_> = excited.into_iter().map(TrackedExcitation::new).collect();
    tracked.iter_mut().for_each(|it| it.lower = 0.0);
    let course = |time: f64| 0.5 * (std::f64::consts::TAU * time).sin();
    let found = excitations(model, (of, course), tracked, (1e-3, 1.001));
    let mut error = 0f64;
    for (k, expected) in SWING.iter().enumerate() {
        // That of the step which begins then.
        let found = &found[100 * (k + 1)];
        error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(error, f64::max);
    }
    let case = "INV-inverse-dynamics, 1 ms";
    let metric = "excitation of the flexor at 0.7 s; error: of both over 1 s, over the largest";
    Row::new(case, metric, (SWING[6][0], found[700][0]), 0.01).with_error(error / SWING[1][1])
}

pub(crate) fn groups() -> Vec<Group> {
    let hinges = HINGE.into_iter().enumerate().map(|(k, case)| hinge_row(case, k + 1));
    vec![Group {
        title: "Inverse control",
        text: "Excitations found by the tracking controller on models that are stepped by backward Euler. A lever at rest with \
               muscles of constant force at constant arms, after 1 s at 10 ms: its moments add up to that of the load, and of all \
               excitations that do so those of least squares are found. A point of 2 kg on an arm of 0.5 m swings by \
               0.5 sin(2 π t) under two actuators that pull one way each: the excitations of the step that begins at each time are \
               compared, as accelerations over a step are those of its start. Regularization 1e-9.",
        rows: hinges.chain([swing_row()]).collect(),
    }]
}

#[test]
fn excitations_are_those_of_the_references() {
    groups().iter().for_each(Group::check);
}
