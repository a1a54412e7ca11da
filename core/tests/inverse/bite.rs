//! A bite: muscles found again from the force between the teeth and that of the joint, where nothing moves.

use sinew::Vec3;
use sinew::component::{ComponentId, ComponentType};
use sinew::inverse::{MotionTarget, TargetKind, TrackedExcitation, TrackingRule, TrackingSettings};
use sinew::model::{Collider, CollisionBehavior};
use sinew::property::{Pose, Value};
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;

use crate::models::{constant, muscle};
use crate::scenes::{hinge, in_plane, shift, solid_box};
use crate::twins::{H, drive, follow, motion};

fn bursts(k: usize, time: f64) -> f64 {
    0.3 + 0.2 * (12.0 * time + 1.5 * k as f64).sin()
}

/// A bar on a hinge, pulled against the ground at its tip by two muscles.
#[test]
fn two_muscles_are_found_again_from_the_forces_of_teeth_and_joint() {
    let mut model = in_plane(9.81);
    let jaw = model.add(solid_box("jaw", 0.3, [0.3, 0.05, 0.05]).at(shift(0.15, 0.0, 0.0)));
    let joint = hinge(&mut model, [Some(jaw), None], Vec3::zeros(), Vec3::z());
    let tooth = Collider::sphere(jaw, 0.01).at(shift(0.12, -0.015, 0.0));
    let tooth = model.add(tooth.named("tooth"));
    let up = Pose::new(Vec3::y() * -0.025, Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let below = model.add(Collider::half_space(up).named("below"));
    let teeth = model.add(CollisionBehavior::new(tooth, below, 0.0));
    let excited = [(0.05, -0.08), (0.3, 0.05)].map(|(x, to)| {
        let ends = (Vec3::new(x, -0.3, 0.0), jaw, Vec3::x() * to);
        ComponentId::from(muscle(&mut model, ends, constant(80.0)))
    });
    for (k, &id) in excited.iter().enumerate() {
        let property = model.property_of(id, "excitation").unwrap();
        model.set_property(&property, Value::Real(bursts(k, 0.0))).unwrap();
    }
    let targets = [TargetKind::PairForce(teeth), TargetKind::JointForce(joint)];
    let targets = targets.map(MotionTarget::new).to_vec();
    let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &excited, bursts);
    let rows = motion(&mut simulation, &paths, 20);
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-12,
        damping: 0.0,
        ..Default::default()
    };
    let tracked = excited.into_iter().map(TrackedExcitation::new).collect();
    let found = follow(model, (targets, rows), tracked, settings);
    for (step, excitations) in found.excitations.iter().enumerate().skip(2) {
        for (k, a) in excitations.iter().enumerate() {
            let expected = bursts(k, (step + 1) as f64 * H);
            assert!((a - expected).abs() < 0.01 * expected, "step {step}, {k}: {a} for {expected}");
        }
    }
}
