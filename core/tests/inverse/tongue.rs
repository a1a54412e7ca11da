//! The tongue: eleven muscles found again from the motion of its surface, free and against a palate.

use sinew::Vec3;
use sinew::component::{ComponentId, ComponentType, FemPart};
use sinew::inverse::{MotionTarget, TargetKind, TrackedExcitation, TrackingRule, TrackingSettings};
use sinew::model::{Collider, CollisionBehavior, FemModel, Model, MuscleExciter};
use sinew::property::Pose;
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::tongue::{Manoeuvre, TongueParams, tongue};

use crate::twins::{Found, H, difference, drive, follow, motion};

/// Steps of a run.
const STEPS: usize = 20;

/// Excitation of muscle `k` in the step that ends at a time [s]: bursts of 0.12 s, one after the other.
fn bursts(k: usize, time: f64) -> f64 {
    let phase = ((time - 0.008 * k as f64) / 0.12).clamp(0.0, 1.0);
    let peak = 0.10 + 0.02 * ((3 * k) % 7) as f64;
    0.02 + peak * (std::f64::consts::PI * phase).sin().powi(2)
}

/// The tongue of 228 elements with its muscles at rest.
pub(crate) fn resting() -> Model {
    let task = Some(Manoeuvre::Rest);
    tongue(&TongueParams { resolution: 0, task, ..TongueParams::default() }).unwrap()
}

/// Twenty nodes of the dorsum and the tip, evenly over the list of them.
fn surface(model: &Model) -> Vec<MotionTarget> {
    let (handle, fem) = model.iter::<FemModel>().next().unwrap();
    let mut nodes: Vec<u32> =
        ["dorsum", "tip"].iter().flat_map(|set| fem.mesh.node_sets[*set].clone()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let count = nodes.len();
    assert!(count >= 20, "{count}");
    let at = |k: usize| {
        let host = model.path(FemPart::Nodes.address(handle, nodes[k * count / 20]));
        MotionTarget::at(model, &format!("{host}:position")).unwrap()
    };
    (0..20).map(at).collect()
}

pub(crate) fn exciters(model: &Model) -> Vec<ComponentId> {
    let ids: Vec<ComponentId> =
        model.iter::<MuscleExciter>().map(|(handle, _)| handle.into()).collect();
    assert_eq!(ids.len(), 11);
    ids
}

fn settings() -> TrackingSettings {
    TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-12,
        damping: 0.0,
        iterations: 8,
        tolerance: 1e-6,
        ..Default::default()
    }
}

/// Drives a model, and follows what its targets did.
fn again(model: &Model, targets: &[MotionTarget]) -> (Vec<Vec<f64>>, Found) {
    let excited = exciters(model);
    let paths: Vec<String> = targets.iter().map(|target| target.path(model)).collect();
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &excited, bursts);
    let rows = motion(&mut simulation, &paths, STEPS);
    let tracked = excited.into_iter().map(TrackedExcitation::new).collect();
    let found = follow(model.clone(), (targets.to_vec(), rows.clone()), tracked, settings());
    (rows, found)
}

/// Largest error of the excitations after so many steps.
fn worst(found: &Found, after: usize) -> f64 {
    let mut worst = 0f64;
    for (step, excitations) in found.excitations.iter().enumerate().skip(after) {
        for (k, a) in excitations.iter().enumerate() {
            worst = worst.max((a - bursts(k, (step + 1) as f64 * H)).abs());
        }
    }
    worst
}

#[test]
fn eleven_muscles_of_the_tongue_are_found_again_from_twenty_points_of_its_surface() {
    let model = resting();
    let targets = surface(&model);
    let (rows, found) = again(&model, &targets);
    let (moved, worst) = (difference(&found.motion, &rows), worst(&found, 1));
    assert!(moved < 1e-3, "the motion differs by {moved:.1e} of its size");
    assert!(worst < 0.01, "excitations differ by {worst:.1e}");
}

/// A palate that touches the dorsum, onto which the tongue sinks in a head upside down; its force is followed beside
/// the points.
#[test]
fn eleven_muscles_of_the_tongue_are_found_again_while_it_presses_against_a_palate() {
    let mut model = resting();
    let (handle, fem) = model.iter::<FemModel>().next().unwrap();
    let top = fem.mesh.nodes.iter().map(|x| x.z).fold(f64::NEG_INFINITY, f64::max);
    let turned = Pose::from_parts(
        Vec3::new(0.0, 0.0, top).into(),
        nalgebra::UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI),
    );
    model.set_gravity(Vec3::z() * 9.8);
    let palate = model.add(Collider::half_space(turned).named("palate"));
    let behavior =
        CollisionBehavior { tolerance: Some(1e-4), ..CollisionBehavior::new(handle, palate, 0.0) };
    let behavior = model.add(behavior);
    let mut targets = surface(&model);
    targets
        .push(MotionTarget { weight: 1e-4, ..MotionTarget::new(TargetKind::PairForce(behavior)) });
    let (rows, found) = again(&model, &targets);
    let pressed = rows.iter().filter(|row| row[62].abs() > 0.05).count();
    assert!(pressed > 4, "{pressed} steps of {STEPS} press");
    let points = |rows: &[Vec<f64>]| rows.iter().map(|row| row[..60].to_vec()).collect::<Vec<_>>();
    let (moved, worst) = (difference(&points(&found.motion), &points(&rows)), worst(&found, 3));
    assert!(moved < 1e-3, "the motion differs by {moved:.1e} of its size");
    assert!(worst < 0.01, "excitations differ by {worst:.1e}");
}
