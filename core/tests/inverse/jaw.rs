//! The jaw with tongue and hyoid bone: muscles found from the motion of the mandible.

use sinew::component::ComponentId;
use sinew::inverse::{MotionTarget, TargetKind, TrackedExcitation, TrackingRule, TrackingSettings};
use sinew::model::{AxialSpring, Measurand, Measured, Model, Sensor};
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::jaw::excitation::Task;
use sinew_datasets::jaw_tongue_hyoid::{JawParams, jaw_tongue_hyoid};

use crate::twins::{Found, H, difference, drive, follow, motion};

/// Steps of a run.
const STEPS: usize = 25;

/// With a passive tongue: what is excited are the lines alone.
fn jaw(task: Task) -> Model {
    jaw_tongue_hyoid(&JawParams { task, tongue: None, ..JawParams::default() }).unwrap()
}

/// Point of the lower incisors and turn of the mandible: six numbers.
fn targets(model: &Model) -> Vec<MotionTarget> {
    ["frame_markers/lower_incisor:position", "rigid_bodies/mandible:orientation"]
        .map(|path| MotionTarget::at(model, &format!("/models/jaw-tongue-hyoid/{path}")).unwrap())
        .to_vec()
}

fn muscles(model: &Model, names: &[&str]) -> Vec<ComponentId> {
    let named = |name: &&str| {
        let path = format!("/models/jaw-tongue-hyoid/axial_springs/{name}");
        ComponentId::from(model.find_handle::<AxialSpring>(&path).unwrap())
    };
    names.iter().map(named).collect()
}

/// Smooth bursts of two pairs of muscles, one side stronger.
fn bursts(k: usize, time: f64) -> f64 {
    let peak = [0.5, 0.4, 0.35, 0.3][k];
    peak * (1.0 - (std::f64::consts::TAU * time / 0.5).cos()) * 0.5 + 0.02
}

/// Four muscles, six numbers of the mandible: one solution, which is found.
#[test]
fn four_muscles_of_the_jaw_are_found_again_from_the_motion_of_the_mandible() {
    let model = jaw(Task::Rest);
    let names = ["lip", "rip", "lad", "rad"];
    let excited = muscles(&model, &names);
    let targets = targets(&model);
    let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &excited, bursts);
    let rows = motion(&mut simulation, &paths, STEPS);
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-10,
        damping: 0.0,
        ..Default::default()
    };
    let tracked = excited.into_iter().map(TrackedExcitation::new).collect();
    let found = follow(model, (targets, rows.clone()), tracked, settings);
    let moved = difference(&found.motion, &rows);
    assert!(moved < 0.01, "the motion differs by {moved:.1e} of its size");
    for (step, excitations) in found.excitations.iter().enumerate().skip(3) {
        for (k, a) in excitations.iter().enumerate() {
            let expected = bursts(k, (step + 1) as f64 * H);
            let name = names[k];
            assert!((a - expected).abs() < 0.01, "step {step}, {name}: {a} for {expected}");
        }
    }
}

/// All 34 muscles open the jaw by their exciters; from six numbers of the mandible other excitations are found, which are
/// the smallest, and make the same motion.
#[test]
fn the_opening_of_the_jaw_is_met_by_the_smallest_excitations() {
    let open = jaw(Task::Open);
    let targets = targets(&open);
    let paths: Vec<String> = targets.iter().map(|target| target.path(&open)).collect();
    let mut simulation = Simulation::new(open, SolverSettings::default()).unwrap();
    let rows = motion(&mut simulation, &paths, STEPS);
    let rest = jaw(Task::Rest);
    let tracked = TrackedExcitation::muscles(&rest);
    assert_eq!(tracked.len(), 34);
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: 2.0 * H },
        regularization: 1e-3,
        damping: 1e-3,
        ..Default::default()
    };
    let found = follow(rest, (targets, rows.clone()), tracked, settings);
    let moved = difference(&found.motion, &rows);
    assert!(moved < 0.01, "the motion differs by {moved:.1e} of its size");
    let inside = |a: &f64| (0.0..=1.0).contains(a);
    assert!(found.excitations.iter().flatten().all(inside));
}

/// Muscles of the mandible, twelve a side.
const OF_MANDIBLE: [&str; 12] =
    ["at", "mt", "pt", "sm", "dm", "mp", "ip", "sp", "ad", "am", "pm", "gh"];

fn of_mandible() -> Vec<String> {
    let of = |side: &&str| OF_MANDIBLE.map(|name| format!("{side}{name}"));
    ["l", "r"].iter().flat_map(of).collect()
}

/// Follows rows with 24 muscles of the mandible.
fn followed(rows: &[Vec<f64>]) -> Found {
    let model = jaw(Task::Rest);
    let names = of_mandible();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tracked = muscles(&model, &names).into_iter().map(TrackedExcitation::new).collect();
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-9,
        damping: 0.0,
        iterations: 8,
        tolerance: 1e-6,
        ..Default::default()
    };
    let targets = targets(&model);
    follow(model, (targets, rows.to_vec()), tracked, settings)
}

/// 24 muscles and six numbers: the motion that bursts of all of them make is met, by the smallest excitations that do. There is
/// one set of these: it is found again from the motion that it makes.
#[test]
fn the_smallest_excitations_of_24_muscles_make_the_motion_of_the_mandible_and_are_found_again() {
    let model = jaw(Task::Rest);
    let targets = targets(&model);
    let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    let names = of_mandible();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let all: fn(usize, f64) -> f64 = |k, time| 0.5 * bursts(k % 4, time + 0.01 * k as f64);
    drive(&mut simulation, &muscles(&model, &names), all);
    let rows = motion(&mut simulation, &paths, STEPS);
    let first = followed(&rows);
    let moved = difference(&first.motion, &rows);
    assert!(moved < 0.01, "the motion differs by {moved:.1e} of its size");
    let second = followed(&first.motion);
    let differ = |(a, b): (&f64, &f64)| (a - b).abs();
    let pairs = first.excitations.iter().zip(&second.excitations);
    let worst =
        pairs.map(|(a, b)| a.iter().zip(b).map(differ).fold(0.0, f64::max)).fold(0.0, f64::max);
    let largest = first.excitations.iter().flatten().fold(0f64, |most, a| most.max(*a));
    assert!(largest > 0.1, "{largest}");
    assert!(worst < 0.01, "excitations differ by {worst:.1e}");
}

/// The teeth meet: what the stops on both sides bear is followed with the motion, by both masseters.
#[test]
fn muscles_of_a_bite_are_found_again_from_its_force_and_the_motion() {
    let mut model = jaw(Task::Rest);
    let mut targets = targets(&model);
    for side in ["lbite", "rbite"] {
        let path = format!("/models/jaw-tongue-hyoid/axial_springs/{side}");
        let spring = model.find_handle::<AxialSpring>(&path).unwrap();
        let mut sensor = Sensor::new(Measurand::Property, vec![Measured::Component(spring.id())]);
        (sensor.name, sensor.property) = (format!("force of {side}"), "tension".to_owned());
        let sensor = model.add(sensor);
        let force = MotionTarget::new(TargetKind::Sensor(sensor));
        targets.push(MotionTarget { weight: 1e-4, ..force });
    }
    let names = ["lsm", "rsm"];
    let excited = muscles(&model, &names);
    let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &excited, bursts);
    let rows = motion(&mut simulation, &paths, STEPS);
    let bitten = rows.iter().filter(|row| row[6] > 1.0 && row[7] > 1.0).count();
    assert!(bitten > STEPS / 2, "{bitten} steps of {STEPS}");
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-10,
        damping: 0.0,
        ..Default::default()
    };
    let tracked = excited.iter().copied().map(TrackedExcitation::new).collect();
    let found = follow(model, (targets, rows.clone()), tracked, settings);
    let most = rows.iter().fold(0f64, |most, row| most.max(row[6]));
    for (row, expected) in found.motion.iter().zip(&rows).skip(3) {
        let missed = (row[6] - expected[6]).abs().max((row[7] - expected[7]).abs());
        assert!(missed < 0.01 * most, "{missed} N of {most} N");
    }
    for (step, excitations) in found.excitations.iter().enumerate().skip(3) {
        for (k, a) in excitations.iter().enumerate() {
            let expected = bursts(k, (step + 1) as f64 * H);
            let name = names[k];
            assert!((a - expected).abs() < 0.01, "step {step}, {name}: {a} for {expected}");
        }
    }
}
