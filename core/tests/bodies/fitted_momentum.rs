//! Momenta of what nothing holds from outside, with bodies that follow points and tissues.

use super::momentum::{linkage, worst_changes, worst_changes_of};
use super::scenes::{Runner, grid, nodes_where, shift, solid_box};
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, AxialSpring, FemModel, FrameAttachment, FrameMarker, FrameSite, FrameSpring,
    LinearAxial, Master, Model, Particle, PointRef, RigidBody,
};
use sinew::solve::{Integrator, NewtonSettings};
use sinew_datasets::beam::BeamElement;

const MIDPOINT: Integrator =
    Integrator::Midpoint(NewtonSettings { max_iterations: 50, tolerance: 1e-10 });

/// A particle on a body, away from its centre of mass.
fn burden(model: &mut Model, body: Handle<RigidBody>) {
    let at = model[body].pose.transform_point(&Vec3::new(0.02, 0.1, -0.05).into()).coords;
    let particle = model.add(Particle::new(0.1, at));
    model.add(Attachment::new(vec![particle.into()], Master::Body(body)));
}

/// The five points are markers of two bodies on a hinge, so the stretch of their places changes without a
/// force. One body follows them, and carries a particle.
#[test]
fn a_body_that_follows_the_points_of_a_linkage_keeps_angular_momentum() {
    let mut model = linkage();
    let bodies: Vec<_> = model.iter::<RigidBody>().map(|(body, _)| body).collect();
    let mut mark = |body: usize, at: [f64; 3]| {
        PointRef::from(model.add(FrameMarker::new(bodies[body], Vec3::from(at))))
    };
    let points = vec![
        mark(0, [-0.2, 0.1, 0.05]),
        mark(0, [0.1, 0.2, -0.1]),
        mark(0, [-0.1, -0.2, 0.2]),
        mark(1, [0.1, 0.0, 0.1]),
        mark(1, [0.0, 0.1, -0.1]),
    ];
    let pose = Pose::new(Vec3::new(0.1, 0.3, 0.2), Vec3::new(0.4, -0.3, 0.8));
    let fitted = model.add(solid_box("follower", 0.7, [0.06, 0.03, 0.1]).at(pose));
    model.add(FrameAttachment::to_points(fitted, points));
    burden(&mut model, fitted);
    let worst = worst_changes(&model);
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10, "{worst:?}");
}

/// A free block with a bone on it, which carries a particle and has a spring to a particle; another body hangs
/// on a frame spring from the bone.
fn free_block(youngs_modulus: f64, on_points: bool) -> Model {
    let mut model = Model::new("carried");
    model.set_gravity(Vec3::zeros());
    let corner = Vec3::new(0.0, -0.05, -0.05);
    let mesh = grid(BeamElement::Hex, [3, 1, 1], [0.3, 0.1, 0.1], corner);
    let law = MaterialSpec::NeoHookean(Isotropic { youngs_modulus, poissons_ratio: 0.3 });
    let nodes = nodes_where(&mesh, |x| x.x > 0.05);
    let fem = model.add(FemModel::new("block", mesh, 1000.0, law));
    let pose = Pose::new(Vec3::new(0.17, 0.01, -0.02), Vec3::new(0.4, -0.3, 0.8));
    let bone = model.add(solid_box("bone", 0.5, [0.06, 0.03, 0.02]).at(pose));
    let points = nodes.into_iter().map(|n| PointRef::FemNode(fem, n)).collect();
    model.add(match on_points {
        true => FrameAttachment::to_points(bone, points),
        false => FrameAttachment::to_tissue(bone, fem),
    });
    burden(&mut model, bone);
    let end = model.add(FrameMarker::new(bone, Vec3::new(0.03, 0.0, 0.01)));
    let bob = model.add(Particle::new(0.2, Vec3::new(0.17, 0.3, 0.0)));
    let law = LinearAxial { stiffness: 20.0, damping: 0.5, rest_length: 0.2 };
    model.add(AxialSpring::new([PointRef::from(bob), end.into()], law));
    let other = model.add(solid_box("other", 0.3, [0.1, 0.05, 0.05]).at(shift(0.2, -0.2, 0.0)));
    let [c, d] = [(other, -0.05), (bone, 0.04)].map(|(b, x)| FrameSite::on(b, shift(x, 0.0, 0.01)));
    let mut bushing = FrameSpring::new(c, d);
    bushing.stiffness = Vec3::new(100.0, 200.0, 50.0);
    bushing.rotary_stiffness = Vec3::new(1.0, 2.0, 0.5);
    model.add(bushing);
    model
}

/// Forces at the mean of start and end have no moment there, however stiff the tissue.
#[test]
fn the_midpoint_rule_keeps_both_momenta_of_tissue_with_bodies_on_it() {
    for (youngs_modulus, h) in [(1e4, 5e-3), (1e5, 2e-3), (1e6, 1e-3)] {
        for on_points in [false, true] {
            let runner = Runner::new(&free_block(youngs_modulus, on_points), MIDPOINT);
            let worst = worst_changes_of(runner, h);
            assert!(worst[0] < 1e-10 && worst[1] < 1e-10, "{youngs_modulus}: {worst:?}");
        }
    }
}
