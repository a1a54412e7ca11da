//! Bodies in a chain of joints of any kind, and springs and muscles of any law between what there is.

use sinew::Vec3;
use sinew::axial::{AxialLaw, KINDS};
use sinew::component::Handle;
use sinew::constraint::{JointKind, Pose, Range};
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    AxialSpring, Collider, ColliderShape, FemModel, FrameMarker, FrameSite, Inertia, Joint,
    LinearAxial, Model, Particle, PointRef, RigidBody,
};

use super::Draws;

/// Joints that any body can have with the one before it.
const JOINTS: &[JointKind] = &[
    JointKind::Solid,
    JointKind::Hinge,
    JointKind::Slider,
    JointKind::Cylindrical,
    JointKind::SlottedHinge,
    JointKind::Universal,
    JointKind::RollPitch,
    JointKind::Gimbal,
    JointKind::Spherical,
    JointKind::SphericalRpy,
    JointKind::Planar,
    JointKind::PlanarTranslation,
    JointKind::Free,
    JointKind::FixedAxis,
];

/// One to three bodies, each free or on a joint with the one before it, the first with the world.
pub(super) fn add_bodies(model: &mut Model, draws: &mut Draws) -> Vec<Handle<RigidBody>> {
    let mut bodies: Vec<Handle<RigidBody>> = Vec::new();
    for k in 0..1 + draws.below(3) {
        let half = Vec3::from_fn(|_, _| draws.between(0.01, 0.03));
        let mass = draws.between(0.05, 0.5);
        let inertia = SpatialInertia::of_box(mass, &(half * 2.0)).expect("a box");
        let place = Vec3::new(0.15 + 0.1 * k as f64, 0.0, 0.1);
        let mut body = RigidBody::new(format!("body{k}"), Inertia::Explicit(inertia))
            .at(Pose::new(place, draws.vector(1.0)));
        let jointed = draws.chance(0.7);
        if !jointed {
            (body.velocity, body.angular_velocity) = (draws.vector(1.0), draws.vector(8.0));
        }
        let pose = body.pose;
        let body = model.add(body);
        match draws.below(4) {
            0 => {
                model.add(Collider::boxed(body, half));
            }
            1 => {
                model.add(Collider::sphere(body, half.min()));
            }
            2 => {
                let shape = ColliderShape::Capsule { radius: half.min(), half_length: half.max() };
                model.add(Collider::on(body, shape));
            }
            _ => {}
        }
        if jointed {
            add_joint(model, draws, (body, pose), bodies.last().copied());
        }
        bodies.push(body);
    }
    bodies
}

/// A joint half way between a body and the one before it.
fn add_joint(
    model: &mut Model,
    draws: &mut Draws,
    (body, pose): (Handle<RigidBody>, Pose),
    before: Option<Handle<RigidBody>>,
) {
    let at = Pose::new(pose.translation.vector - Vec3::x() * 0.05, draws.vector(1.5));
    let d = match before {
        Some(other) => FrameSite::on(other, model[other].pose.inverse() * at),
        None => FrameSite::ground(at),
    };
    let mut joint = Joint::new(draws.pick(JOINTS), FrameSite::on(body, pose.inverse() * at), d);
    if draws.chance(0.3) {
        let restitution = draws.pick(&[0.0, 0.5, 1.0]);
        for coordinate in &mut joint.settings.coordinates {
            coordinate.range = Range { lower: Some(-0.3), upper: Some(0.4) };
            coordinate.restitution = restitution;
        }
    }
    model.add(joint);
}

/// Springs and muscles from bodies and tissue to the world; whether none of them does work.
pub(super) fn add_springs(
    model: &mut Model,
    draws: &mut Draws,
    bodies: &[Handle<RigidBody>],
    tissue: Option<Handle<FemModel>>,
) -> bool {
    let mut points: Vec<(PointRef, Vec3)> = Vec::new();
    for &body in bodies {
        let local = draws.vector(0.02);
        let at = model[body].pose * nalgebra::Point3::from(local);
        points.push((model.add(FrameMarker::new(body, local)).into(), at.coords));
    }
    if let Some(fem) = tissue {
        let node = draws.below(model[fem].mesh.nodes.len());
        points.push((PointRef::FemNode(fem, node as u32), model[fem].mesh.nodes[node]));
    }
    let mut passive = true;
    for (point, at) in points {
        let from = at + Vec3::new(0.0, 0.0, 0.1) + draws.vector(0.03);
        let anchor = model.add(Particle::new(1.0, from).fixed());
        let ends = [PointRef::from(anchor), point];
        passive &= add_spring(model, draws, ends, (at - from).norm());
    }
    passive
}

/// A spring, a muscle, or nothing between two points that are this far apart [m]; whether it does no work.
fn add_spring(model: &mut Model, draws: &mut Draws, ends: [PointRef; 2], length: f64) -> bool {
    match draws.below(3) {
        0 => {
            let damping = draws.pick(&[0.0, 0.0, 0.2]);
            let stiffness = draws.between(10.0, 200.0);
            let spring = LinearAxial { stiffness, damping, rest_length: length };
            model.add(AxialSpring::new(ends, spring));
            true
        }
        1 => {
            let name = KINDS[draws.below(KINDS.len())].name;
            let law = AxialLaw::from_name(name).expect("a law of the list");
            let mut muscle = AxialSpring::with_law(ends, law);
            muscle.rest_length = length;
            muscle.excitation = draws.unit();
            model.add(muscle);
            false
        }
        _ => true,
    }
}
