//! Joints of the mandible and the skull: the planes of the fossae as constraints, stops as springs
//! that only pull, side walls as springs. Planes and points are those of jaw/joint.rs (key
//! Hannam2008).

use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::UnidirectionalSpring;
use sinew::component::ComponentType;
use sinew::constraint::PointConstraint;
use sinew::model::{Anchor, AxialSpring, FrameSite, FrameSpring, PointConstrainer};

use super::assembly::Build;
use crate::jaw::Body;
use crate::jaw::joint::{CONDYLE, GuidePlane, PlaneKind, guide_planes};
use crate::jaw::muscles::Side;
use crate::skeleton::hide;

/// Stiffness of a stop [N/m]: a bite of 100 N on each side goes 1 mm too far.
const STOP_STIFFNESS: f64 = 1e5;
/// Distance of the far end of a stop's spring [m]: a point that slides by s along the plane then meets the
/// stop s² / 2 of this early, 0.1 mm for 5 mm.
const STOP_REACH: f64 = 0.12;
/// Stiffness of the joint against a shift of a condyle to the side [N/m]: it stands for both walls.
const SIDE_STIFFNESS: f64 = 1e4;

/// Adds the fossae, the stops before and behind, and the sideways springs.
pub(super) fn add(build: &mut Build) {
    for plane in guide_planes().iter().filter(|plane| plane.enabled) {
        match (plane.kind, &plane.name[1..]) {
            (PlaneKind::Guide, _) => guide(build, plane),
            (PlaneKind::Stop, "bite" | "post") => stop(build, plane),
            (PlaneKind::Stop, _) => {}
        }
    }
    Side::BOTH.iter().for_each(|&side| steady(build, side));
}

/// A point of the mandible stays in a plane of the ground.
fn guide(build: &mut Build, plane: &GuidePlane) {
    let marker = build.mark(plane.body, plane.contact, format!("{}_point", plane.name));
    let anchor = Anchor::Frame(FrameSite::ground(frame_on(plane)));
    let constrainer = PointConstrainer::new(PointConstraint::OnPlane, marker, anchor);
    build.model.add(constrainer.named(plane.name.clone()));
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
