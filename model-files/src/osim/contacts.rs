//! Contact geometry and the forces of contacts: rigid shapes that touch, with friction.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::model::{Collider, ColliderShape, CollisionBehavior};

use super::constraints::is_on;
use super::fields::refused;
use super::import::{Import, name};
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Sets of parameters of a contact, as the mended names of elements say them.
const PARAMETERS: [&str; 4] = [
    "HuntCrossleyForce__ContactParametersSet",
    "ElasticFoundationForce__ContactParametersSet",
    "contact_parameters",
    "ContactParametersSet",
];

impl<'d> Import<'d> {
    /// Adds the contact geometry that forces name.
    pub(super) fn add_contact_geometry(&mut self, model: &'d Element) {
        for at in model.members("ContactGeometrySet") {
            let made = self.contact_geometry(at);
            self.findings.take(made);
        }
    }

    fn contact_geometry(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let shape = match at.tag.as_str() {
            "ContactSphere" => {
                let radius = self.number(at.mark(), "radius")?.unwrap_or(0.1);
                if radius <= 0.0 {
                    let message = format!("<radius> of {} must be > 0, got {radius}", at.label());
                    return Err(self.blamed(at, "radius", message));
                }
                ColliderShape::Sphere { radius }
            }
            "ContactHalfSpace" => ColliderShape::HalfSpace,
            _ => return Ok(()),
        };
        for tag in ["Appearance", "VisibleObject", "display_preference", "color"] {
            at.mark().child(tag).map(Element::mark_all);
        }
        let on = self.socket(at, "frame").or_else(|| self.text(at, "body_name"));
        let on = on.ok_or_else(|| refused(at, format!("{} is on no body", at.label())))?;
        let frame = self.frame(on, "", at)?;
        let mut pose = self.pose(at, ["location", "orientation"])?;
        if shape == ColliderShape::HalfSpace {
            // The outside of the source is along -x, here along z.
            let turn = UnitQuaternion::new(Vec3::y() * -std::f64::consts::FRAC_PI_2);
            pose *= Pose::from_parts(Vec3::zeros().into(), turn);
        }
        let made = Collider {
            name: name(&at.name),
            ..Collider::new(shape, self.site(&frame.with(&pose)))
        };
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
        self.colliders.insert(at.name.clone(), handle);
        Ok(())
    }

    /// Adds the pairs of a force of contacts; `false` for other forces.
    pub(super) fn add_contact(&mut self, at: &'d Element) -> Result<bool, Diagnostic> {
        if !matches!(at.tag.as_str(), "HuntCrossleyForce" | "ElasticFoundationForce") {
            return Ok(false);
        }
        let enabled = is_on(self, at.mark())?;
        self.number(at, "transition_velocity")?;
        let sets = PARAMETERS.iter().flat_map(|tag| at.members(tag));
        let (mut named, mut friction) = (Vec::new(), 0.0f64);
        for set in sets {
            set.mark();
            for tag in ["stiffness", "dissipation", "static_friction", "viscous_friction"] {
                self.number(set, tag)?;
            }
            friction = friction.max(self.number(set, "dynamic_friction")?.unwrap_or(0.0));
            named.extend(self.words(set, "geometry"));
        }
        let (mut known, mut missing) = (Vec::new(), Vec::new());
        for geometry in &named {
            let last = geometry.rsplit('/').next().unwrap_or("");
            match self.colliders.get(last) {
                Some(&collider) => known.push(collider),
                None => missing.push(last.to_owned()),
            }
        }
        let mut message = format!(
            "{} is of rigid contacts here, with a coefficient of friction of {friction}: their stiffness and \
             dissipation are not kept",
            at.label()
        );
        if !missing.is_empty() {
            message += &format!("; there is no sphere or half space '{}'", missing.join("', '"));
        }
        self.findings.warn(at.span, message);
        for (k, &a) in known.iter().enumerate() {
            for &b in &known[k + 1..] {
                let body =
                    |collider| self.model.get::<Collider>(collider).and_then(|it| it.site.body);
                if body(a) != body(b) {
                    let made =
                        CollisionBehavior { enabled, ..CollisionBehavior::new(a, b, friction) };
                    let handle = self.model.add(made);
                    self.put(handle.id(), at.span);
                }
            }
        }
        Ok(true)
    }
}
