//! Rigid walls: planes that keep a surface on one side, at rest or moving along their normals.

use nalgebra::Translation3;
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::constraint::Pose;
use sinew::contact::ContactLaw;
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    Collider, ColliderShape, CollisionBehavior, FrameSite, Inertia, Keyframe, RigidBody, Schedule,
};

use super::import::Import;
use super::surfaces::Surface;
use super::values;
use crate::diagnostic::Diagnostic;
use crate::imported::z_to;
use crate::xml_tree::Element;

/// A wall.
pub(super) struct Wall {
    law: ContactLaw,
    /// Normal of the plane, away from the solid side.
    normal: Vec3,
    /// A place in the plane without an offset [m].
    place: Vec3,
    /// Way of the plane along its normal [m], and the time course of it.
    offset: f64,
    course: Schedule,
}

impl<'d> Import<'d> {
    /// `<plane>a,b,c,d</plane>`: the wall is where a x + b y + c z is below d, moved by `<offset lc="1">`.
    pub(super) fn wall(&mut self, at: &'d Element) -> Result<Option<(Wall, Surface)>, Diagnostic> {
        let Some(surface) = at.attribute("surface") else {
            return Err(at.refused(format!("{} names no surface", at.label())));
        };
        let Some(surface) = self.surface_named(&surface.value, at)? else { return Ok(None) };
        let Some(plane) = at.child("plane") else {
            return Err(at.refused(format!("{} has no <plane>", at.label())));
        };
        let [a, b, c, d] = values::numbers(&plane.text)[..] else {
            let message = format!("<plane> must be four numbers, got '{}'", plane.text);
            return Err(plane.refused(message));
        };
        let across = Vec3::new(a, b, c);
        let normal = Self::direction(plane, across)?;
        let place = normal * (d / across.norm() * self.units.length);
        let (offset, course) = match at.child("offset") {
            Some(it) => (values::number(it)? * self.units.length, self.course(it)?),
            None => (0.0, Schedule::default()),
        };
        let law = self.law(at, std::slice::from_ref(&surface))?;
        Ok(Some((Wall { law, normal, place, offset, course }, surface)))
    }

    /// A half-space on the ground, or on a body that keyframes move.
    pub(super) fn add_wall(&mut self, at: &Element, side: ComponentId, wall: &Wall) {
        let Wall { law, normal, place, offset, course } = wall;
        let turn = z_to(normal);
        let pose = |way: f64| Pose::from_parts(Translation3::from(place + normal * way), turn);
        let name = match crate::imported::plain_name(at.name()) {
            name if name.is_empty() => "wall".to_owned(),
            name => name,
        };
        let site = match course {
            Schedule::Table(table) if *offset != 0.0 => {
                let inertia = SpatialInertia::new(1.0, Vec3::zeros(), sinew::Mat3::identity());
                let inertia = inertia.expect("the numbers are positive");
                let mut body = RigidBody::new(name.clone(), Inertia::Explicit(inertia)).fixed();
                body.pose = pose(offset * course.at(0.0));
                let keyframe =
                    |row: &[f64; 2]| Keyframe { time: row[0], pose: pose(offset * row[1]) };
                body.keyframes = table.iter().map(keyframe).collect();
                let body = self.model.add(body);
                self.put(body.id(), at.span);
                FrameSite::on(body, Pose::identity())
            }
            _ => FrameSite::ground(pose(*offset)),
        };
        let collider = Collider { name, ..Collider::new(ColliderShape::HalfSpace, site) };
        let collider = self.model.add(collider);
        self.put(collider.id(), at.span);
        let behavior = CollisionBehavior::new(side, collider.id(), 0.0).with_law(*law);
        self.add_behavior(at, behavior);
    }
}
