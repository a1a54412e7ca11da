//! The jaw with tongue and hyoid bone: muscles found from the motion of the mandible.

use sinew::component::ComponentId;
use sinew::inverse::{MotionTarget, TrackedExcitation, TrackingRule, TrackingSettings};
use sinew::model::{AxialSpring, Model};
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::jaw::excitation::Task;
use sinew_datasets::jaw_tongue_hyoid::{JawParams, jaw_tongue_hyoid};

use crate::twins::{H, difference, drive, follow, motion};

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
