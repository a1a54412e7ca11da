//! Connectors of rigid bodies: joints between two, springs and dampers.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{JointKind, Pose};
use sinew::model::{AxialSpring, FrameMarker, FrameSite, Joint, LinearAxial, RigidBody};

use super::import::Import;
use super::steps::elements;
use super::units::Dimension;
use super::values;
use crate::diagnostic::Diagnostic;
use crate::imported::z_to;
use crate::xml_tree::Element;

/// A joint of FEBio: its name, that of the axis that our z is along with its default, and our kind.
struct Row {
    kind: &'static str,
    axis: Option<(&'static str, Vec3)>,
    ours: JointKind,
}

const JOINTS: [Row; 6] = [
    Row { kind: "rigid spherical joint", axis: None, ours: JointKind::Spherical },
    Row { kind: "rigid lock", axis: None, ours: JointKind::Solid },
    Row {
        kind: "rigid revolute joint",
        axis: Some(("rotation_axis", Vec3::new(0.0, 0.0, 1.0))),
        ours: JointKind::Hinge,
    },
    Row {
        kind: "rigid prismatic joint",
        axis: Some(("translation_axis", Vec3::new(1.0, 0.0, 0.0))),
        ours: JointKind::Slider,
    },
    Row {
        kind: "rigid cylindrical joint",
        axis: Some(("joint_axis", Vec3::new(1.0, 0.0, 0.0))),
        ours: JointKind::Cylindrical,
    },
    Row {
        kind: "rigid planar joint",
        axis: Some(("rotation_axis", Vec3::new(1.0, 0.0, 0.0))),
        ours: JointKind::Planar,
    },
];

impl<'d> Import<'d> {
    /// `<rigid_connector>` in Rigid (from 3.0 on), `<constraint>` in Constraints (2.5).
    pub(super) fn read_connectors(&mut self) {
        let connectors = elements(self.root, "Rigid").filter(|it| it.tag == "rigid_connector");
        let constraints = elements(self.root, "Constraints").filter(|it| it.tag == "constraint");
        for at in connectors.chain(constraints) {
            let joint = JOINTS.iter().find(|row| row.kind == at.kind());
            let read = match (joint, at.kind()) {
                (Some(row), _) => self.joint(at.mark(), row),
                (None, "rigid spring" | "rigid damper") => self.line(at.mark()),
                _ => Ok(()),
            };
            self.findings.take(read);
        }
    }

    /// Both bodies of a connector; none, with a warning, where one has no solid.
    fn bodies_of(&mut self, at: &'d Element) -> Result<Option<[Handle<RigidBody>; 2]>, Diagnostic> {
        let mut bodies = Vec::new();
        for tag in ["body_a", "body_b"] {
            let Some(name) = at.child(tag) else {
                return Err(at.refused(format!("{} has no <{tag}>", at.label())));
            };
            let number = self.body_named(&name.text, at);
            bodies.extend(number.and_then(|it| self.bodies.get(&it).copied()));
        }
        let [a, b] = bodies[..] else {
            at.mark_all();
            return Ok(None);
        };
        if a == b {
            let message = format!("<body_a> and <body_b> of {} are the same body", at.label());
            return Err(at.refused(message));
        }
        Ok(Some([a, b]))
    }

    fn place(&self, at: &Element, tag: &str) -> Result<Vec3, Diagnostic> {
        let place = at.child(tag).map_or(Ok(Vec3::zeros()), values::vector)?;
        Ok(place * self.units.length)
    }

    /// A frame in the world as one on a body.
    fn site(&self, body: Handle<RigidBody>, world: Pose) -> FrameSite {
        let own = self.model.get(body).map_or(Pose::identity(), |it| it.pose);
        FrameSite::on(body, own.inverse() * world)
    }

    fn joint(&mut self, at: &'d Element, row: &Row) -> Result<(), Diagnostic> {
        let Some([a, b]) = self.bodies_of(at)? else { return Ok(()) };
        let origin = self.place(at, "joint_origin")?;
        let z = match &row.axis {
            None => Vec3::z(),
            Some((tag, default)) => match at.child(tag) {
                Some(axis) => Self::direction(axis, values::vector(axis)?)?,
                None => *default,
            },
        };
        let world = Pose::from_parts(origin.into(), z_to(&z));
        let (c, d) = (self.site(b, world), self.site(a, world));
        let name = crate::imported::plain_name(at.name());
        let joint = self.model.add(Joint { name, ..Joint::new(row.ours, c, d) });
        self.put(joint.id(), at.span);
        Ok(())
    }

    /// A spring or a damper between two places; a spring has the length that it begins with without a word.
    fn line(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let Some(bodies) = self.bodies_of(at)? else { return Ok(()) };
        let places = [self.place(at, "insertion_a")?, self.place(at, "insertion_b")?];
        let by_length = self.units.factor(Dimension::Force) / self.units.length;
        let number = |tag: &str, default: f64| at.child(tag).map_or(Ok(default), values::number);
        let rest = number("free_length", 0.0)? * self.units.length;
        let rest_length = if rest > 0.0 { rest } else { (places[1] - places[0]).norm() };
        let spring = match at.kind() {
            "rigid spring" => {
                LinearAxial { stiffness: number("k", 1.0)? * by_length, damping: 0.0, rest_length }
            }
            _ => LinearAxial {
                stiffness: 0.0,
                damping: number("c", 1.0)? * by_length * self.units.time,
                rest_length,
            },
        };
        let mut ends = Vec::new();
        for (body, place) in bodies.into_iter().zip(places) {
            let own = self.model.get(body).map_or(Pose::identity(), |it| it.pose);
            let location = own.inverse_transform_point(&place.into()).coords;
            let marker = self.model.add(FrameMarker::new(body, location));
            self.put(marker.id(), at.span);
            ends.push(marker);
        }
        let name = crate::imported::plain_name(at.name());
        let spring = AxialSpring { name, ..AxialSpring::new([ends[0], ends[1]], spring) };
        let handle = self.model.add(spring);
        self.put(handle.id(), at.span);
        Ok(())
    }
}
