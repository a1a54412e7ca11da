//! Twin experiment on arm26, where the model lies beside the repository: excitations of its six muscles that a motion of
//! shoulder and elbow asks for are found again from the motion that they make.

use std::sync::{Arc, Mutex};

use sinew::component::ComponentId;
use sinew::inverse::{
    MotionTarget, TargetKind, TrackedExcitation, TrackingController, TrackingRule, TrackingSettings,
};
use sinew::model::Model;
use sinew::property::Value;
use sinew::schedule::{Signal, Simulation};
use sinew::solve::SolverSettings;

use super::loaded;
use super::osim_dynamics::{coordinate, shared};

/// Length of a step [s], and steps of a run.
const H: f64 = 0.005;
const STEPS: usize = 60;

/// Shoulder and elbow.
fn targets(model: &Model) -> Vec<MotionTarget> {
    [("r_shoulder_elev", "r_shoulder"), ("r_elbow_flex", "r_elbow")]
        .map(|(name, joint)| coordinate(model, name, joint))
        .map(|of| MotionTarget::new(TargetKind::Coordinate(of)))
        .to_vec()
}

/// Both angles after each step, and the excitations that the controller found, if there is one.
struct Run {
    angles: Vec<Vec<f64>>,
    excitations: Vec<Vec<f64>>,
}

/// Angles of a simulation from the start on.
fn angles(simulation: &mut Simulation, targets: &[MotionTarget]) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    for step in 0..=STEPS {
        rows.push(targets.iter().flat_map(|it| it.now(simulation).unwrap()).collect());
        if step < STEPS {
            simulation.step(H).unwrap();
        }
    }
    rows
}

/// A run with excitations by step.
fn driven(model: &Model, excited: &[ComponentId], rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    let rows = Arc::new(rows);
    for (k, &id) in excited.iter().enumerate() {
        let property = model.property_of(id, "excitation").unwrap();
        let rows = rows.clone();
        simulation.add_controller(format!("{k}"), move |control| {
            let step = (control.time() / H).round() as usize;
            Ok(control.set(&property, Value::Real(rows[step.min(STEPS - 1)][k]))?)
        });
    }
    angles(&mut simulation, &targets(model))
}

/// A run that follows angles.
fn follow(model: &Model, excited: &[ComponentId], rows: Vec<Vec<f64>>) -> Run {
    let desired = move |time: f64, values: &mut [f64]| {
        let at = (time / H).clamp(0.0, STEPS as f64);
        let k = (at as usize).min(STEPS - 1);
        for (value, (a, b)) in values.iter_mut().zip(rows[k].iter().zip(&rows[k + 1])) {
            *value = a + (at - k as f64) * (b - a);
        }
    };
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-6,
        damping: 0.0,
        ..Default::default()
    };
    let tracked = excited.iter().copied().map(TrackedExcitation::new).collect();
    let (solver, targets) = (SolverSettings::default(), targets(model));
    let following = (targets.clone(), Box::new(desired) as Box<dyn Signal>);
    let controller =
        TrackingController::new(model, following, tracked, (settings, solver)).unwrap();
    let (log, found) = (controller.log(), Arc::new(Mutex::new(Vec::new())));
    let mut simulation = Simulation::new(model.clone(), solver).unwrap();
    simulation.add_controller_object("inverse", Box::new(controller));
    let into = found.clone();
    simulation.add_monitor("log", move |_| {
        into.lock().unwrap().push(log.lock().unwrap().excitations.clone());
        Ok(())
    });
    let angles = angles(&mut simulation, &targets);
    let excitations = found.lock().unwrap().clone();
    Run { angles, excitations }
}

fn worst(a: &[Vec<f64>], b: &[Vec<f64>], skip: usize) -> f64 {
    let pairs = a.iter().zip(b).skip(skip).flat_map(|(a, b)| a.iter().zip(b));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Six muscles and two angles: of all excitations that make a motion the smallest are found, and these again from the motion
/// that they make.
#[test]
fn excitations_of_arm26_are_found_again_from_the_motion_that_they_make() {
    let Some(shared) = shared() else { return };
    let model = loaded(&shared.join("datasets/msk_osim/arm26.osim")).model;
    let excited: Vec<ComponentId> =
        TrackedExcitation::muscles(&model).into_iter().map(|it| it.component).collect();
    assert_eq!(excited.len(), 6);
    let pulse = |step: usize| {
        let time = step as f64 * H;
        (0..6).map(|k| 0.1 + 0.05 * (1.0 - (12.0 * time + 0.2 * k as f64).cos())).collect()
    };
    let rows = driven(&model, &excited, (0..STEPS).map(pulse).collect());
    let first = follow(&model, &excited, rows.clone());
    let moved = worst(&rows, &vec![rows[0].clone(); STEPS + 1], 0);
    let missed = worst(&first.angles, &rows, 0);
    assert!(missed < 0.01 * moved, "{missed} rad of {moved} rad");
    let made = driven(&model, &excited, first.excitations.clone());
    let again = follow(&model, &excited, made);
    let error = worst(&again.excitations, &first.excitations, 1);
    assert!(error < 0.01, "excitations differ by {error:.1e}");
}
