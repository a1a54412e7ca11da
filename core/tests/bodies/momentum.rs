//! Momentum of what nothing holds from outside.

use super::scenes::{
    EULER, Runner, TRAPEZOIDAL, grid, hinge, nodes_where, scatter, shift, solid_box,
};
use sinew::Vec3;
use sinew::constraint::{EllipsoidShape, JointKind, PointConstraint, Pose};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Anchor, Attachment, AxialSpring, FemModel, FrameMarker, FrameSite, Joint, LinearAxial, Master,
    Model, Particle, PointConstrainer, PointRef,
};
use sinew::solve::{Integrator, NewtonSettings};
use sinew_datasets::beam::BeamElement;

/// Two boxes on a hinge, a third on a ball joint, a rod to a particle.
pub(crate) fn linkage() -> Model {
    let mut model = Model::new("linkage");
    model.set_gravity(Vec3::zeros());
    let a = model.add(solid_box("a", 1.0, [0.3, 0.1, 0.1]));
    let b = model.add(solid_box("b", 2.0, [0.3, 0.1, 0.2]).at(shift(0.3, 0.0, 0.0)));
    let c = model.add(solid_box("c", 0.5, [0.1, 0.3, 0.1]).at(shift(0.5, 0.2, 0.0)));
    hinge(&mut model, [Some(a), Some(b)], Vec3::new(0.15, 0.05, 0.0), Vec3::z());
    let site = FrameSite::on(b, shift(0.2, 0.05, 0.0));
    model.add(Joint::new(JointKind::Spherical, FrameSite::on(c, shift(0.0, -0.15, 0.0)), site));
    let bob = model.add(Particle::new(0.3, Vec3::new(-0.15, 0.2, 0.1)));
    let end = model.add(FrameMarker::new(a, Vec3::x() * -0.15));
    let length = 0.05f64.sqrt();
    let kind = PointConstraint::AtDistance { length };
    model.add(PointConstrainer::new(kind, bob, Anchor::Point(end.into())));
    model
}

/// Largest change of the linear and of the angular momentum and of the energy in 500 steps of h [s], relative.
pub(crate) fn worst_changes_of(mut runner: Runner, h: f64) -> [f64; 3] {
    scatter(&mut runner, 1.0);
    // The first step brings velocities onto the rows, by internal impulses.
    runner.step(0.1 * h);
    let linear = runner.compiled.at(&runner.state).momentum();
    let angular = runner.compiled.at(&runner.state).angular_momentum();
    let energy = runner.energy();
    let mut worst = [0f64; 3];
    for _ in 0..500 {
        runner.step(h);
        let change = runner.compiled.at(&runner.state).momentum() - linear;
        worst[0] = worst[0].max(change.norm() / linear.norm());
        let change = runner.compiled.at(&runner.state).angular_momentum() - angular;
        worst[1] = worst[1].max(change.norm() / angular.norm());
        worst[2] = worst[2].max((runner.energy() - energy).abs() / energy);
    }
    worst
}

/// Of both momenta at steps of 0.01 s.
pub(crate) fn worst_changes(model: &Model) -> [f64; 2] {
    let [linear, angular, energy] = worst_changes_of(Runner::new(model, TRAPEZOIDAL), 0.01);
    assert!(energy < 1e-6, "{energy}");
    [linear, angular]
}

/// Rows at the mean of start and end have their two sides at one point, so the trapezoidal rule keeps both
/// momenta, to what the iterations of each step leave.
#[test]
fn joints_keep_linear_and_angular_momentum() {
    let worst = worst_changes(&linkage());
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10, "{worst:?}");
}

/// Rows by functions of the relative pose push oppositely on both bodies, corrected or not.
#[test]
fn a_joint_by_functions_keeps_both_momenta_and_energy() {
    let shape = EllipsoidShape { semi_axes: [0.3, 0.4, 0.5], ..Default::default() };
    let kind = JointKind::Ellipsoid3d(shape);
    let mut model = Model::new("ellipsoid");
    model.set_gravity(Vec3::zeros());
    let a = model.add(solid_box("a", 1.0, [0.3, 0.1, 0.1]));
    let d = Pose::new(Vec3::new(0.1, 0.0, -0.1), Vec3::new(0.3, -0.4, 0.2));
    let pose = model[a].pose * d * kind.pose(&[0.2, 0.3, 0.1]) * shift(0.1, 0.0, 0.2);
    let b = model.add(solid_box("b", 2.0, [0.3, 0.1, 0.2]).at(pose));
    let c = FrameSite::on(b, shift(0.1, 0.0, 0.2).inverse());
    model.add(Joint::new(kind, c, FrameSite::on(a, d)));
    let worst = worst_changes_of(Runner::new(&model, TRAPEZOIDAL), 0.01);
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10 && worst[2] < 1e-9, "{worst:?}");
}

/// Points and tissue attached to a body are part of its inertia, directly or by way of another
/// point. The tissue hardly has a stiffness: forces of a stiff one are linearized about the start
/// of the step, and have a moment.
#[test]
fn attachments_keep_linear_and_angular_momentum() {
    let mut model = linkage();
    let bodies: Vec<_> = model.iter::<sinew::model::RigidBody>().map(|(body, _)| body).collect();
    let mut at = |x, y, z| model.add(Particle::new(0.2, Vec3::new(x, y, z)));
    let [on_a, on_b, on_point] = [at(0.1, 0.2, 0.3), at(0.4, -0.3, 0.1), at(0.6, -0.3, 0.1)];
    model.add(Attachment::new(vec![on_a.into()], Master::Body(bodies[0])));
    model.add(Attachment::new(vec![on_b.into()], Master::Body(bodies[1])));
    model.add(Attachment::new(vec![on_point.into()], Master::Particle(on_b)));
    let mesh = grid(BeamElement::Hex, [1, 1, 1], [0.1; 3], Vec3::new(0.2, 0.3, 0.0));
    let nodes = 0..mesh.nodes.len() as u32;
    let law = MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 1e-6, poissons_ratio: 0.3 });
    let fem = model.add(FemModel::new("flesh", mesh, 1000.0, law));
    let points = nodes.map(|n| PointRef::FemNode(fem, n)).collect();
    model.add(Attachment::new(points, Master::Body(bodies[2])));
    let worst = worst_changes(&model);
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10, "{worst:?}");
}

/// Bodies, a joint, a spring, a tissue attached to one of them.
fn assembly() -> Model {
    let mut model = Model::new("assembly");
    model.set_gravity(Vec3::zeros());
    let a = model.add(solid_box("a", 1.0, [0.2; 3]));
    let b = model.add(solid_box("b", 2.0, [0.3, 0.1, 0.1]).at(shift(-0.25, 0.0, 0.0)));
    hinge(&mut model, [Some(a), Some(b)], Vec3::new(-0.1, 0.0, 0.0), Vec3::y());
    let mesh = grid(BeamElement::Hex, [3, 1, 1], [0.3, 0.1, 0.1], Vec3::new(0.1, -0.05, -0.05));
    let face = nodes_where(&mesh, |x| (x.x - 0.1).abs() < 1e-9);
    let law = MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 1e5, poissons_ratio: 0.3 });
    let fem = model.add(FemModel::new("flesh", mesh, 1000.0, law));
    let points = face.iter().map(|&n| PointRef::FemNode(fem, n)).collect();
    model.add(Attachment::new(points, Master::Body(a)));
    let bob = model.add(Particle::new(0.5, Vec3::new(0.25, 0.3, 0.0)));
    let end = model.add(FrameMarker::new(b, Vec3::new(-0.15, 0.05, 0.0)));
    let law = LinearAxial { stiffness: 50.0, damping: 0.5, rest_length: 0.3 };
    model.add(AxialSpring::new([PointRef::from(bob), end.into()], law));
    let inside = model.add(Particle::new(0.1, Vec3::new(0.25, 0.0, 0.0)));
    model.add(Attachment::new(vec![inside.into()], Master::Tissue(fem)));
    model.add(AxialSpring::new([bob, inside], law));
    model
}

/// Change of both momenta over 0.2 s, relative.
fn changes(h: f64, integrator: sinew::solve::Integrator) -> [f64; 2] {
    let mut runner = Runner::new(&assembly(), integrator);
    scatter(&mut runner, 0.3);
    runner.step(1e-9);
    let linear = runner.compiled.at(&runner.state).momentum();
    let angular = runner.compiled.at(&runner.state).angular_momentum();
    runner.steps(h, (0.2 / h).round() as usize);
    [
        (runner.compiled.at(&runner.state).momentum() - linear).norm() / linear.norm(),
        (runner.compiled.at(&runner.state).angular_momentum() - angular).norm() / angular.norm(),
    ]
}

/// Forces inside sum to zero whatever they are, and so do the rows of their Jacobians.
#[test]
fn a_free_assembly_keeps_its_linear_momentum() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let [linear, _] = changes(0.005, integrator);
        assert!(linear < 1e-10, "{integrator:?}: {linear}");
    }
}

/// The moment of forces that are linearized about the start of the step does not vanish at its mean: the
/// trapezoidal rule errs by h² in all. Forces of joints, which are taken at the mean, do not. The law is one with a stored energy: stresses of
/// the corotated law have a moment of their own, of second order in the strain, at any step.
#[test]
fn a_free_assembly_loses_angular_momentum_of_second_order_in_the_step() {
    let [coarse, fine] = [2e-3, 1e-3].map(|h| changes(h, TRAPEZOIDAL)[1]);
    assert!(coarse < 1e-2 && fine < 0.35 * coarse, "{coarse} {fine}");
}

/// The midpoint rule evaluates forces where their moment counts.
#[test]
fn a_free_assembly_keeps_angular_momentum_under_the_midpoint_rule() {
    let midpoint = Integrator::Midpoint(NewtonSettings::default());
    for h in [5e-3, 1e-3] {
        let [linear, angular, _] = worst_changes_of(Runner::new(&assembly(), midpoint), h);
        assert!(linear < 1e-10 && angular < 1e-10, "{h}: {linear} {angular}");
    }
}

/// A frame on a body is not the body's centre: poses of sites do not matter for what is kept.
#[test]
fn a_weld_between_free_bodies_keeps_angular_momentum() {
    let mut model = Model::new("weld");
    model.set_gravity(Vec3::zeros());
    let a = model.add(solid_box("a", 1.0, [0.3, 0.1, 0.1]));
    let b = model.add(solid_box("b", 2.0, [0.3, 0.1, 0.2]).at(shift(0.3, 0.1, 0.0)));
    let frame = Pose::new(Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.4, 0.5, 0.6));
    let seen = model[b].pose.inverse() * frame;
    model.add(Joint::new(JointKind::Solid, FrameSite::on(a, frame), FrameSite::on(b, seen)));
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    scatter(&mut runner, 1.0);
    runner.step(1e-3);
    let angular = runner.compiled.at(&runner.state).angular_momentum();
    runner.steps(0.01, 100);
    let change = runner.compiled.at(&runner.state).angular_momentum() - angular;
    assert!(change.norm() < 1e-10 * angular.norm(), "{change}");
}
