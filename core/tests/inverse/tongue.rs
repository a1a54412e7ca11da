//! The tongue: its eleven muscles found again from points of its surface.

use sinew::fem::VolumeMesh;
use sinew::inverse::{MotionTarget, TargetKind, TrackedExcitation, TrackingRule, TrackingSettings};
use sinew::model::{FemModel, Model, PointRef};
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::tongue::{Manoeuvre, TongueParams, tongue};

use crate::twins::{H, difference, drive, follow, motion};

/// Steps of a run.
const STEPS: usize = 12;

/// Smooth bursts of eleven muscles, one after another.
fn bursts(k: usize, time: f64) -> f64 {
    let phase = std::f64::consts::TAU * (time / 0.24 - 0.05 * k as f64);
    0.06 + 0.02 * (k % 3) as f64 + 0.05 * (1.0 - phase.cos())
}

/// Twenty nodes spread over the dorsum.
fn surface_points(mesh: &VolumeMesh) -> Vec<u32> {
    let dorsum = &mesh.node_sets["dorsum"];
    let stride = dorsum.len() as f64 / 20.0;
    (0..20).map(|k| dorsum[(k as f64 * stride) as usize]).collect()
}

/// With the smallest weights the motion has one set of excitations; those that made it are it.
#[test]
fn the_eleven_muscles_of_the_tongue_are_found_again_from_twenty_points_of_its_surface() {
    let params = TongueParams { resolution: 0, task: Some(Manoeuvre::Rest), ..Default::default() };
    let mut model: Model = tongue(&params).unwrap();
    let (fem, mesh) =
        model.iter::<FemModel>().next().map(|(fem, it)| (fem, it.mesh.clone())).unwrap();
    let tracked = TrackedExcitation::exciters(&model);
    assert_eq!(tracked.len(), 11);
    let excited: Vec<_> = tracked.iter().map(|it| it.component).collect();
    let points = surface_points(&mesh).into_iter();
    let targets: Vec<MotionTarget> = points
        .map(|node| MotionTarget::new(TargetKind::Point(PointRef::FemNode(fem, node))))
        .collect();
    let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
    // From what they are in the first step: the response is that about the excitations of now.
    for (k, &id) in excited.iter().enumerate() {
        let property = model.property_of(id, "excitation").unwrap();
        model.set_property(&property, sinew::property::Value::Real(bursts(k, 0.0))).unwrap();
    }
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &excited, bursts);
    let rows = motion(&mut simulation, &paths, STEPS);
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-10,
        damping: 0.0,
        ..Default::default()
    };
    let found = follow(model, (targets, rows.clone()), tracked, settings);
    let moved = difference(&found.motion, &rows);
    let mut worst = 0f64;
    for (step, excitations) in found.excitations.iter().enumerate() {
        for (k, a) in excitations.iter().enumerate() {
            worst = worst.max((a - bursts(k, (step + 1) as f64 * H)).abs());
        }
    }
    println!("motion {moved:.1e}, excitations {worst:.1e}");
    assert!(moved < 1e-3, "the motion differs by {moved:.1e} of its size");
    assert!(worst < 0.01, "excitations differ by {worst:.1e}");
}
