//! A body of limbs in the shape of musculoskeletal models: a trunk that floats, limbs of some links that turn about
//! axes by functions, muscles over cylinders across every joint. Such models as are published are not part of this
//! repository; docs/theory/benchmarks.md has the figures of two.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::active::HillRigidTendon;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::spatial::{
    Function, JointMotion, MotionVariable, SpatialAxis, SpatialTransform,
};
use sinew::constraint::{Pose, Range};
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    CustomJoint, FrameMarker, FrameSite, Inertia, Model, MultiPointSpring, PointRef, RigidBody,
    WrapSurface,
};

/// Length of a link [m].
const LENGTH: f64 = 0.25;
/// Radius of the cylinder at a joint, and half the distance of muscles from the axis of a link [m].
const RADIUS: f64 = 0.03;

/// `limbs` limbs of `links` links each: six coordinates of the trunk, one of every link, two muscles a joint.
pub fn limbs(limbs: usize, links: usize) -> Model {
    let mut model = Model::new("limbs");
    model.set_gravity(Vec3::new(0.0, -9.81, 0.0));
    let trunk = model.add(bar("trunk", 30.0, Vec3::new(0.0, 1.5, 0.0)));
    let origin = FrameSite::on(trunk, Pose::identity());
    let ground = FrameSite::ground(Pose::translation(0.0, 1.5, 0.0));
    add_joint(&mut model, "free", free(), (origin, ground));
    for limb in 0..limbs {
        let side = 0.2 * (limb as f64 - 0.5 * (limbs - 1) as f64);
        let mut before = (trunk, Vec3::new(0.0, -0.2, side));
        for link in 0..links {
            let hangs = 1.5 - 0.2 - (link as f64 + 0.5) * LENGTH;
            let (name, mass) = (format!("{limb}_{link}"), 4.0 / (1 + link) as f64);
            let body = model.add(bar(&name, mass, Vec3::new(0.0, hangs, side)));
            before = add_link(&mut model, &name, before, body);
        }
    }
    model
}

/// Hangs a link on the end of the one before; its own end.
fn add_link(
    model: &mut Model,
    name: &str,
    (before, at): (Handle<RigidBody>, Vec3),
    body: Handle<RigidBody>,
) -> (Handle<RigidBody>, Vec3) {
    let top = Vec3::y() * (0.5 * LENGTH);
    let c = FrameSite::on(body, Pose::translation(top.x, top.y, top.z));
    let d = FrameSite::on(before, Pose::translation(at.x, at.y, at.z));
    add_joint(model, &format!("joint{name}"), knee(), (c, d));
    let cylinder = model.add(WrapSurface::cylinder(d, RADIUS).named(format!("pulley{name}")));
    for (number, side) in [-1.0, 1.0].into_iter().enumerate() {
        let ahead = Vec3::x() * (2.0 * RADIUS * side);
        let mut put = |body: Handle<RigidBody>, at: Vec3| -> PointRef {
            model.add(FrameMarker::new(body, at)).into()
        };
        let points = vec![
            put(before, at + ahead + Vec3::y() * (0.6 * LENGTH)),
            put(before, at + ahead + Vec3::y() * (0.2 * LENGTH)),
            put(body, top + ahead - Vec3::y() * (0.2 * LENGTH)),
            put(body, top + ahead - Vec3::y() * (0.7 * LENGTH)),
        ];
        let law = HillRigidTendon {
            max_force: 300.0,
            optimal_fibre_length: 0.15,
            tendon_slack_length: 0.17,
            ..HillRigidTendon::default()
        };
        let mut muscle =
            MultiPointSpring::new(points, AxialLaw::HillRigidTendon(law)).over(cylinder);
        muscle.excitation = 0.05 + 0.02 * number as f64;
        model.add(muscle);
    }
    (body, -top)
}

fn add_joint(
    model: &mut Model,
    name: &str,
    (motion, range): (JointMotion, Range),
    (c, d): (FrameSite, FrameSite),
) {
    let mut joint = CustomJoint::moving(name, motion, c, d).expect("coordinates are read");
    joint.coordinates.iter_mut().for_each(|it| it.range = range);
    model.add(joint);
}

fn bar(name: &str, mass: f64, center: Vec3) -> RigidBody {
    let across = mass * LENGTH * LENGTH / 12.0;
    let rotational = sinew::Mat3::from_diagonal(&Vec3::new(across, 0.1 * across, across));
    let inertia = SpatialInertia::new(mass, Vec3::zeros(), rotational).expect("it is positive");
    let at = Pose::translation(center.x, center.y, center.z);
    RigidBody::new(name, Inertia::Explicit(inertia)).at(at)
}

/// Six coordinates about and along three axes.
fn free() -> (JointMotion, Range) {
    let axes = [Vec3::z(), Vec3::x(), Vec3::y()];
    let mut transform = SpatialTransform::rest();
    transform.turns = [0, 1, 2].map(|k| SpatialAxis::plain(axes[k], k));
    transform.ways = [0, 1, 2].map(|k| SpatialAxis::plain(Vec3::ith(k, 1.0), 3 + k));
    let variables = ["tilt", "list", "turn", "x", "y", "z"].map(variable).to_vec();
    (JointMotion { variables, transform }, Range::FREE)
}

/// One turn, and a way that follows it.
fn knee() -> (JointMotion, Range) {
    let mut transform = SpatialTransform::rest();
    transform.turns[0] = SpatialAxis::plain(Vec3::z(), 0);
    transform.ways[0] = SpatialAxis {
        function: Function::Polynomial(vec![0.0, 0.004, -0.002]),
        ..SpatialAxis::plain(Vec3::x(), 0)
    };
    (JointMotion { variables: vec![variable("angle")], transform }, Range::new(-1.5, 1.5))
}

fn variable(name: &str) -> MotionVariable {
    MotionVariable { name: name.to_owned(), value: 0.0, range: None }
}
