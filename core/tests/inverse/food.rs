//! A bite on food: contacts that come with the excitations that are looked for, and their force.

use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::inverse::{MotionTarget, TargetKind, TrackedExcitation, TrackingRule, TrackingSettings};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Collider, CollisionBehavior, Dirichlet, FemModel, JointCoordinate, Model};
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::beam::BeamElement;

use crate::models::{constant, muscle};
use crate::scenes::{grid, hinge, in_plane, nodes_where, shift, solid_box};
use crate::twins::{H, drive, follow, motion};

const STEPS: usize = 30;

/// A jaw of 0.2 kg 6 mm below a block of food, and muscles that close and open it; the angle of its hinge and the force on the
/// food.
fn chewer() -> (Model, Vec<ComponentId>, Vec<MotionTarget>) {
    let mut model = in_plane(0.0);
    let mesh =
        grid(BeamElement::Hex, [2, 1, 1], [0.02, 0.01, 0.01], Vec3::new(0.08, 0.006, -0.005));
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e5, poissons_ratio: 0.3 });
    let mut food = FemModel::new("food", mesh, 1000.0, law);
    food.stiffness_damping = 0.01;
    food.dirichlet.push(Dirichlet::fix(nodes_where(&food.mesh, |x| x.y > 0.0159)));
    let food = model.add(food);
    let jaw = model.add(solid_box("jaw", 0.2, [0.1, 0.01, 0.03]).at(shift(0.05, -0.005, 0.0)));
    let joint = hinge(&mut model, [Some(jaw), None], Vec3::new(0.0, -0.005, 0.0), Vec3::z());
    // Longer than the jaw, so that none of its edges lies between nodes of the food.
    let tooth = model.add(Collider::boxed(jaw, Vec3::new(0.07, 0.005, 0.015)));
    let touch = model.add(CollisionBehavior::new(food, tooth, 0.0));
    let ends = [(Vec3::new(0.03, 0.1, 0.0), 20.0), (Vec3::new(0.03, -0.1, 0.0), 4.0)];
    let excited = ends.map(|(from, force)| {
        ComponentId::from(muscle(&mut model, (from, jaw, Vec3::x() * -0.02), constant(force)))
    });
    let angle = MotionTarget::new(TargetKind::Coordinate(JointCoordinate::new(joint, "theta")));
    let mut force = MotionTarget::new(TargetKind::PairForce(touch));
    (force.weight, force.directions) = (1e-4, [0.0, 1.0, 0.0]);
    (model, excited.to_vec(), vec![angle, force])
}

/// The muscle that closes: it bites twice. The one that opens pulls evenly.
fn bites(k: usize, time: f64) -> f64 {
    match k {
        0 => 0.02 + 0.15 * (1.0 - (std::f64::consts::TAU * time / 0.15).cos()),
        _ => 0.4,
    }
}

/// The jaw comes down on the food, bites and opens, twice: the excitation that made it so is found again from the angle and from the
/// force on the food, with the contacts that it brings.
#[test]
fn a_muscle_that_bites_on_food_is_found_again_from_the_angle_and_the_force() {
    let (mut model, excited, targets) = chewer();
    let paths: Vec<String> = targets.iter().map(|target| target.path(&model)).collect();
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &excited, bites);
    let rows = motion(&mut simulation, &paths, STEPS);
    let bitten = |row: &&Vec<f64>| row[2].abs() > 0.1;
    let touching = rows.iter().filter(bitten).count();
    let comes = rows.windows(2).filter(|it| bitten(&&it[0]) != bitten(&&it[1])).count();
    assert!(touching > 8 && comes >= 2, "{touching} of {STEPS} steps touch, {comes} changes");
    let open = model.property_of(excited[1], "excitation").unwrap();
    model.set_property(&open, Value::Real(bites(1, 0.0))).unwrap();
    let settings = TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-10,
        damping: 0.0,
        iterations: 4,
        tolerance: 1e-6,
        ..Default::default()
    };
    let tracked = vec![TrackedExcitation::new(excited[0])];
    let found = follow(model, (targets, rows.clone()), tracked, settings);
    for (step, a) in found.excitations.iter().enumerate() {
        let expected = bites(0, (step + 1) as f64 * H);
        assert!((a[0] - expected).abs() < 0.01, "step {step}: {} for {expected}", a[0]);
        let (force, desired) = (found.motion[step + 1][2], rows[step + 1][2]);
        assert!((force - desired).abs() < 0.01, "step {step}: {force} N for {desired} N");
    }
}
