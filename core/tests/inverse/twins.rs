//! Excitations that made a motion are found again from it, where it tells them apart; else the motion is.

use std::sync::{Arc, Mutex};

use sinew::component::ComponentId;
use sinew::inverse::{
    MotionTarget, TargetKind, TrackedExcitation, TrackingController, TrackingLog, TrackingRule,
    TrackingSettings,
};
use sinew::model::Model;
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::solve::{ResponseAccuracy, SolverSettings};

use crate::models::{Excitable, constant, hexapod, lever, peck, pendulum};

pub(crate) const H: f64 = 0.01;

/// Sets the excitations of a simulation to what they are in the step that ends at a time [s].
pub(crate) fn drive(simulation: &mut Simulation, excited: &[ComponentId], schedule: Schedule) {
    for (k, &id) in excited.iter().enumerate() {
        let property = simulation.model().property_of(id, "excitation").unwrap();
        simulation.add_controller(format!("{k}"), move |control| {
            let time = control.time() + control.step();
            Ok(control.set(&property, Value::Real(schedule(k, time)))?)
        });
    }
}

pub(crate) type Schedule = fn(usize, f64) -> f64;

/// Values of targets after each step, from the start on.
pub(crate) fn motion(simulation: &mut Simulation, paths: &[String], steps: usize) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    for step in 0..=steps {
        let mut row = Vec::new();
        for path in paths {
            let property = simulation.model().property(path).unwrap();
            match simulation.get(&property).unwrap() {
                Value::Real(x) => row.push(x),
                Value::Vector(v) => row.extend(v.iter()),
                other => panic!("{other:?}"),
            }
        }
        rows.push(row);
        if step < steps {
            simulation.step(H).unwrap();
        }
    }
    rows
}

/// The rows over time, as what is desired: linear between steps.
fn desired(rows: Vec<Vec<f64>>, h: f64) -> Box<dyn sinew::schedule::Signal> {
    Box::new(move |time: f64, values: &mut [f64]| {
        let at = (time / h).clamp(0.0, (rows.len() - 1) as f64);
        let (k, share) = (
            (at.floor() as usize).min(rows.len() - 2),
            at - at.floor().min((rows.len() - 2) as f64),
        );
        for (value, (a, b)) in values.iter_mut().zip(rows[k].iter().zip(&rows[k + 1])) {
            *value = a + share * (b - a);
        }
    })
}

/// A run that follows targets: excitations found in each step, and the motion.
pub(crate) struct Found {
    pub(crate) excitations: Vec<Vec<f64>>,
    pub(crate) motion: Vec<Vec<f64>>,
}

pub(crate) fn follow(
    model: Model,
    (targets, rows): (Vec<MotionTarget>, Vec<Vec<f64>>),
    excited: Vec<TrackedExcitation>,
    settings: TrackingSettings,
) -> Found {
    let steps = rows.len() - 1;
    let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
    let solver = SolverSettings::default();
    let known = (targets, desired(rows, H));
    let controller = TrackingController::new(&model, known, excited, (settings, solver)).unwrap();
    let log: TrackingLog = controller.log();
    let mut simulation = Simulation::new(model, solver).unwrap();
    simulation.add_controller_object("inverse", Box::new(controller));
    let found = Arc::new(Mutex::new(Vec::new()));
    let into = found.clone();
    simulation.add_monitor("log", move |_| {
        into.lock().unwrap().push(log.lock().unwrap().excitations.clone());
        Ok(())
    });
    let motion = motion(&mut simulation, &paths, steps);
    let excitations = found.lock().unwrap().clone();
    Found { excitations, motion }
}

/// Largest difference of rows, over the largest departure from the first row, column by column of equal kind.
pub(crate) fn difference(found: &[Vec<f64>], expected: &[Vec<f64>]) -> f64 {
    let (mut worst, mut size) = (0f64, 0f64);
    for (a, b) in found.iter().zip(expected) {
        for (k, (a, b)) in a.iter().zip(b).enumerate() {
            worst = worst.max((a - b).abs());
            size = size.max((b - expected[0][k]).abs());
        }
    }
    worst / size
}

/// Smooth pulses, one after another.
pub(crate) fn pulses(k: usize, time: f64) -> f64 {
    let phase = time * 2.5 - 0.13 * k as f64;
    0.35 + 0.25 * (6.0 * phase).sin() * (-((phase - 0.5) * 1.2).powi(2)).exp()
}

/// Weights next to none: where targets tell all excitations apart, these are found.
pub(crate) fn exact() -> TrackingSettings {
    let rule = TrackingRule::Chase { time: H };
    let accuracy = ResponseAccuracy::Refined;
    TrackingSettings { rule, regularization: 1e-12, damping: 0.0, accuracy, ..Default::default() }
}

/// A body in space follows position and turn; six muscles have one solution.
#[test]
fn six_excitations_of_a_body_in_space_are_found_again() {
    for law in [true, false] {
        let made = |length: f64| if law { constant(5.0) } else { peck(8.0, length) };
        let (Excitable { model, excited, .. }, body) = hexapod(made);
        let targets = vec![
            MotionTarget::new(TargetKind::Origin(body)),
            MotionTarget::new(TargetKind::Orientation(body)),
        ];
        let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
        let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
        drive(&mut simulation, &excited, pulses);
        let rows = motion(&mut simulation, &paths, 60);
        // The response is that about the excitations of now: from none at all the first steps would miss.
        let mut model = model;
        for &id in &excited {
            let property = model.property_of(id, "excitation").unwrap();
            model.set_property(&property, Value::Real(0.35)).unwrap();
        }
        let tracked = excited.into_iter().map(TrackedExcitation::new).collect();
        let found = follow(model, (targets, rows.clone()), tracked, exact());
        let moved = difference(&found.motion, &rows);
        assert!(moved < 1e-3, "the motion differs by {moved:.1e} of its size");
        for (step, excitations) in found.excitations.iter().enumerate().skip(5) {
            for (k, a) in excitations.iter().enumerate() {
                let expected = pulses(k, (step + 1) as f64 * H);
                // In step 27 the wrenches of the six muscles are nearly dependent: the motion tells them apart badly.
                let bound = if step == 27 { 0.02 } else { 1e-3 };
                assert!(
                    (a - expected).abs() < bound,
                    "step {step}, muscle {k}: {a} for {expected}"
                );
            }
        }
    }
}

/// A lever with muscles of several laws and slow activation: one angle, six excitations. The motion is met; of all
/// excitations that make it those of least squares are found, which are not those that made it.
#[test]
fn the_motion_of_a_lever_is_met_by_smaller_excitations() {
    let Excitable { model, excited, .. } = lever();
    let path = "/models/mechanism/connectors/0:coordinate.theta.value";
    let target = MotionTarget::at(&model, path).unwrap();
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &excited, pulses);
    let rows = motion(&mut simulation, &[path.to_owned()], 80);
    let tracked: Vec<TrackedExcitation> = excited.into_iter().map(TrackedExcitation::new).collect();
    let settings = TrackingSettings { regularization: 1e-7, damping: 1e-7, ..exact() };
    let found = follow(model, (vec![target], rows.clone()), tracked, settings);
    let moved = difference(&found.motion, &rows);
    assert!(moved < 0.01, "the motion differs by {moved:.1e} of its size");
    let squares = |a: &[f64]| a.iter().map(|a| a * a).sum::<f64>();
    let (mut smaller, mut all) = (0.0, 0.0);
    for (step, excitations) in found.excitations.iter().enumerate() {
        smaller += squares(excitations);
        let made: Vec<f64> = (0..6).map(|k| pulses(k, (step + 1) as f64 * H)).collect();
        all += squares(&made);
        assert!(excitations[..5].iter().all(|a| (0.0..=1.0).contains(a)), "{excitations:?}");
    }
    assert!(smaller < 0.8 * all, "{smaller} of {all}");
}

/// Muscles pull one way: a motion to the other side is not reached, the nearest motion is no excitation at all.
#[test]
fn a_motion_out_of_reach_gives_the_nearest_motion() {
    let (Excitable { model, excited, .. }, of) = pendulum([2.0, 0.0]);
    let target = MotionTarget::new(TargetKind::Coordinate(of));
    let rows = (0..=50).map(|k| vec![-0.02 * f64::from(k)]).collect::<Vec<_>>();
    let mut only = TrackedExcitation::new(excited[0]);
    only.lower = 0.0;
    let found = follow(model.clone(), (vec![target.clone()], rows), vec![only], exact());
    assert!(found.excitations.iter().all(|a| a[0] == 0.0), "{:?}", found.excitations);
    // And one beyond what it can lift: as much as there is.
    let rows = (0..=50).map(|k| vec![0.1 * f64::from(k)]).collect::<Vec<_>>();
    let found = follow(model, (vec![target], rows), vec![only], exact());
    assert!(found.excitations[5..].iter().all(|a| a[0] == 1.0), "{:?}", found.excitations);
}
