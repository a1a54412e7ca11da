//! Joints of the mandible and the skull: the fossae, planes or curved, as constraints, stops as springs
//! that only pull, side walls as springs. Planes, curve and points are those of jaw/joint.rs (key
//! Hannam2008).

use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::UnidirectionalSpring;
use sinew::component::ComponentType;
use sinew::constraint::PointConstraint;
use sinew::constraint::spatial::{
    Function, JointMotion, MotionVariable, SpatialAxis, SpatialTransform, Spline,
};
use sinew::model::{Anchor, AxialSpring, CustomJoint, FrameSite, FrameSpring, PointConstrainer};

use super::assembly::Build;
use crate::jaw::Body;
use crate::jaw::joint::{CAPSULE, CONDYLE, Fossa, GuidePlane, PlaneKind, fossa_path, guide_planes};
use crate::jaw::muscles::Side;
use crate::skeleton::hide;

/// Stiffness of a stop [N/m]: a bite of 100 N on each side goes 1 mm too far.
const STOP_STIFFNESS: f64 = 1e5;
/// Distance of the far end of a stop's spring [m]: a point that slides by s along the plane then meets the
/// stop s² / 2 of this early, 0.1 mm for 5 mm.
const STOP_REACH: f64 = 0.12;
/// Stiffness of the joint against a shift of a condyle to the side [N/m]: it stands for both walls.
const SIDE_STIFFNESS: f64 = 1e4;

/// Ends of the curve of a fossa [m], straight beyond, and the distance of its points.
const CURVE: [f64; 2] = [-6e-3, 20e-3];
const CURVE_STEP: f64 = 0.5e-3;
/// Number of the coordinate of a condyle on its curve that is its way forward.
const FORWARD: usize = 3;

/// Adds the fossae, the stops before and behind, and the sideways springs.
pub(super) fn add(build: &mut Build, fossa: Fossa) {
    for plane in guide_planes().iter().filter(|plane| plane.enabled) {
        match (plane.kind, &plane.name[1..]) {
            (PlaneKind::Guide, _) => guide(build, plane, fossa),
            (PlaneKind::Stop, "bite" | "post") => stop(build, plane),
            (PlaneKind::Stop, _) => {}
        }
    }
    Side::BOTH.iter().for_each(|&side| steady(build, side));
}

/// A point of the mandible stays in a plane of the ground, or on the curve that begins along it.
fn guide(build: &mut Build, plane: &GuidePlane, fossa: Fossa) {
    let marker = build.mark(plane.body, plane.contact, format!("{}_point", plane.name));
    match fossa {
        Fossa::Planes => {
            let anchor = Anchor::Frame(FrameSite::ground(frame_on(plane)));
            let constrainer = PointConstrainer::new(PointConstraint::OnPlane, marker, anchor);
            build.model.add(constrainer.named(plane.name.clone()));
        }
        Fossa::Curved => {
            let place = Translation3::from(Vec3::from(plane.contact)).into();
            let on_jaw = FrameSite::on(build.body(plane.body), place);
            let moving = CustomJoint::moving(
                plane.name.clone(),
                condylar_motion(),
                on_jaw,
                FrameSite::ground(place),
            );
            let mut joint = moving.expect("a coordinate for each axis but the upward one");
            joint.coordinates[FORWARD].range.upper = Some(CAPSULE);
            build.model.add(joint);
        }
    }
}

/// Any turn, any way forward and aside, and the height of the curve: one row is left.
fn condylar_motion() -> JointMotion {
    let count = ((CURVE[1] - CURVE[0]) / CURVE_STEP).round() as usize;
    let forward: Vec<f64> = (0..=count).map(|k| CURVE[0] + CURVE_STEP * k as f64).collect();
    let height = forward.iter().map(|&x| fossa_path(x)[0]).collect();
    let curve = Spline::new(forward, height).expect("points that go forward");
    let [x, y, z] = [Vec3::x(), Vec3::y(), Vec3::z()];
    let plain = SpatialAxis::plain;
    let upward =
        SpatialAxis { function: Function::Spline(curve), ..SpatialAxis::plain(z, FORWARD) };
    let names = ["opening", "yaw", "roll", "forward", "aside"];
    let variable = |name: &str| MotionVariable { name: name.to_owned(), value: 0.0, range: None };
    JointMotion {
        variables: names.map(variable).into(),
        transform: SpatialTransform {
            turns: [plain(y, 0), plain(z, 1), plain(x, 2)],
            ways: [plain(x, FORWARD), plain(y, 4), upward],
        },
    }
}

/// A frame in the plane whose z axis is its normal.
fn frame_on(plane: &GuidePlane) -> Isometry3<f64> {
    let normal = Vec3::from(plane.normal);
    // The planes contain y, so that it can be an axis of every frame.
    let turn = UnitQuaternion::face_towards(&normal, &Vec3::y());
    Isometry3::from_parts(Translation3::from(Vec3::from(plane.point)), turn)
}

/// A point of the mandible is pulled back once it is behind a plane, towards a point far before it.
fn stop(build: &mut Build, plane: &GuidePlane) {
    let from = build.mark(plane.body, plane.contact, format!("{}_point", plane.name));
    let far = Vec3::from(plane.point) + Vec3::from(plane.normal) * STOP_REACH;
    let to = build.mark(Body::Cranium, far.into(), format!("{}_anchor", plane.name));
    let law = UnidirectionalSpring { stiffness: STOP_STIFFNESS, damping: 0.0 };
    let mut spring = AxialSpring::with_law([from, to], AxialLaw::UnidirectionalLinear(law));
    spring.rest_length = STOP_REACH;
    let spring = build.model.add(spring.named(plane.name.clone()));
    // It stands for a plane, and is no part of anybody.
    for aid in [spring.id(), to.id()] {
        hide(&mut build.model, aid);
    }
}

/// A condyle resists being shifted to the side.
fn steady(build: &mut Build, side: Side) {
    let place = Translation3::from(Vec3::from(side.of(CONDYLE))).into();
    let on_jaw = FrameSite::on(build.body(Body::Mandible), place);
    let mut spring = FrameSpring::new(on_jaw, FrameSite::ground(place));
    spring.stiffness = Vec3::y() * SIDE_STIFFNESS;
    spring.name = format!("{}side", side.prefix());
    build.model.add(spring);
}
