//! Excitations of arm26 found again from its motion: six muscles of Thelen with elastic tendons and activation dynamics, two
//! angles. Only where the reference data lie beside the repository.

use std::sync::{Arc, Mutex};

use sinew::inverse::{
    MotionTarget, TargetKind, TrackedExcitation, TrackingController, TrackingRule, TrackingSettings,
};
use sinew::model::Model;
use sinew::property::Value;
use sinew::schedule::{Signal, Simulation};
use sinew::solve::SolverSettings;

use super::loaded;
use super::osim_dynamics::{coordinate, shared};

/// Length of a step [s], half the time constant of activation.
const H: f64 = 0.005;
const STEPS: usize = 60;

/// Excitation of muscle `k` in the step that ends at a time [s].
fn pulses(k: usize, time: f64) -> f64 {
    0.1 + 0.2 * (0.5 - 0.5 * (12.0 * time + 1.1 * k as f64).cos())
}

/// The arm with its muscles as they are in the first step, and the angles of shoulder and elbow.
fn arm() -> Option<(Model, Vec<MotionTarget>, Vec<TrackedExcitation>)> {
    let mut model = loaded(&shared()?.join("datasets/msk_osim/arm26.osim")).model;
    let named = [("r_shoulder_elev", "r_shoulder"), ("r_elbow_flex", "r_elbow")];
    let angle = |(name, joint)| TargetKind::Coordinate(coordinate(&model, name, joint));
    let targets = named.map(angle).map(MotionTarget::new).to_vec();
    let muscles = TrackedExcitation::muscles(&model);
    assert_eq!(muscles.len(), 6);
    for (k, muscle) in muscles.iter().enumerate() {
        let property = muscle.property(&model).unwrap();
        model.set_property(&property, Value::Real(pulses(k, H))).unwrap();
        // OpenSim's curve has a bend at rest, which linearized steps do not see: here it lengthens as it shortens.
        let factor = model.property_of(muscle.component, "material.lengthening_factor").unwrap();
        model.set_property(&factor, Value::Real(1.0)).unwrap();
    }
    Some((model, targets, muscles))
}

/// Values of the targets at the start and after every step.
fn motion(simulation: &mut Simulation, targets: &[MotionTarget]) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    for step in 0..=STEPS {
        rows.push(targets.iter().flat_map(|it| it.now(simulation).unwrap()).collect());
        if step < STEPS {
            simulation.step(H).unwrap();
        }
    }
    rows
}

/// Has muscles pull by their pulses.
fn drive(simulation: &mut Simulation, muscles: &[(usize, TrackedExcitation)]) {
    for &(k, muscle) in muscles {
        let property = muscle.property(simulation.model()).unwrap();
        simulation.add_controller(format!("pulse {k}"), move |control| {
            let time = control.time() + control.step();
            Ok(control.set(&property, Value::Real(pulses(k, time)))?)
        });
    }
}

/// A run that follows the targets by some of the muscles, while the others pull by their pulses: the excitations of each step, and the
/// motion.
fn followed(
    (model, targets, muscles): &(Model, Vec<MotionTarget>, Vec<TrackedExcitation>),
    tracked: &[usize],
    rows: &[Vec<f64>],
) -> [Vec<Vec<f64>>; 2] {
    let rows = rows.to_vec();
    let desired = move |time: f64, values: &mut [f64]| {
        values.copy_from_slice(&rows[((time / H).round() as usize).min(STEPS)]);
    };
    // Activations rise four times as fast as they fall, and tendons yield: one linearization does not do. Without damping above the
    // regularization the smallest excitations of a step answer those of the one before, with pulses that grow to the bounds.
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-11,
        damping: 1e-6,
        iterations: 20,
        tolerance: 1e-6,
        ..Default::default()
    };
    let (solver, following) =
        (SolverSettings::default(), (targets.clone(), Box::new(desired) as Box<dyn Signal>));
    let found = tracked.iter().map(|&k| muscles[k]).collect();
    let controller = TrackingController::new(model, following, found, (settings, solver)).unwrap();
    let log = controller.log();
    let mut simulation = Simulation::new(model.clone(), solver).unwrap();
    let others = muscles.iter().copied().enumerate().filter(|(k, _)| !tracked.contains(k));
    drive(&mut simulation, &others.collect::<Vec<_>>());
    simulation.add_controller_object("inverse", Box::new(controller));
    let excitations = Arc::new(Mutex::new(Vec::new()));
    let into = excitations.clone();
    simulation.add_monitor("log", move |_| {
        into.lock().unwrap().push(log.lock().unwrap().excitations.clone());
        Ok(())
    });
    let reached = motion(&mut simulation, targets);
    [excitations.lock().unwrap().clone(), reached]
}

/// Largest difference of two tables.
fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let rows = a.iter().zip(b).flat_map(|(a, b)| a.iter().zip(b));
    rows.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The motion that pulses of all muscles make, and its largest departure from the start [rad].
fn driven(arm: &(Model, Vec<MotionTarget>, Vec<TrackedExcitation>)) -> (Vec<Vec<f64>>, f64) {
    let (model, targets, muscles) = arm;
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &muscles.iter().copied().enumerate().collect::<Vec<_>>());
    let rows = motion(&mut simulation, targets);
    let size = difference(&rows, &vec![rows[0].clone(); rows.len()]);
    (rows, size)
}

/// Two angles and six muscles: many excitations make the motion. It is met, and the excitations that were found for it, the smallest
/// and steadiest, are found again from the motion that they make.
#[test]
fn six_muscles_of_arm26_make_its_motion_and_their_excitations_are_found_again() {
    let Some(arm) = arm() else { return };
    let (rows, size) = driven(&arm);
    assert!(size > 0.3, "{size} rad");
    let all = [0, 1, 2, 3, 4, 5];
    let [first, reached] = followed(&arm, &all, &rows);
    let missed = difference(&reached, &rows) / size;
    let [second, _] = followed(&arm, &all, &reached);
    let worst = difference(&first, &second);
    assert!(missed < 1e-3, "the motion differs by {missed:.1e} of its size");
    assert!(worst < 0.01, "excitations differ by {worst:.1e}");
}

/// Two angles and two muscles, a triceps with another flexor while the others pull as they do: one solution, which is that of the
/// pulses.
#[test]
fn two_muscles_of_arm26_are_found_again_from_its_motion() {
    let Some(arm) = arm() else { return };
    let (rows, size) = driven(&arm);
    // The long head of the triceps and the brachialis, the lateral one and the long head of the biceps.
    for tracked in [[0, 5], [1, 3]] {
        let [found, reached] = followed(&arm, &tracked, &rows);
        let missed = difference(&reached, &rows) / size;
        assert!(missed < 1e-3, "{tracked:?}: the motion differs by {missed:.1e} of its size");
        let of = |step: usize| tracked.map(|k| pulses(k, (step + 1) as f64 * H)).to_vec();
        let worst = difference(&found, &(0..STEPS).map(of).collect::<Vec<_>>());
        assert!(worst < 0.01, "{tracked:?}: excitations differ by {worst:.1e}");
    }
}
