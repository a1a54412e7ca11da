//! Contact geometry and the forces of contacts, by the laws of Hunt and Crossley and of elastic foundations.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::contact::{ContactLaw, ElasticFoundation, HuntCrossley, NormalLaw};
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

/// Numbers of a smoothed law that only smooth it.
const SMOOTHING: [&str; 4] =
    ["transition_velocity", "constant_contact_force", "hertz_smoothing", "hunt_crossley_smoothing"];

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
            at.mark().child(tag).into_iter().for_each(Element::mark_all);
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
            name: name(at.title()),
            ..Collider::new(shape, self.site(&frame.with(&pose)))
        };
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
        self.colliders.insert(at.title().to_owned(), handle);
        Ok(())
    }

    /// Adds the pairs of a force of contacts; `false` for other forces.
    pub(super) fn add_contact(&mut self, at: &'d Element) -> Result<bool, Diagnostic> {
        let force = match at.tag.as_str() {
            "SmoothSphereHalfSpaceForce" => {
                return self.add_smooth_contact(at.mark()).map(|()| true);
            }
            "HuntCrossleyForce" => NormalLaw::HuntCrossley,
            "ElasticFoundationForce" => NormalLaw::ElasticFoundation,
            _ => return Ok(false),
        };
        let enabled = is_on(self, at.mark())?;
        self.number(at, "transition_velocity")?;
        let sets = PARAMETERS.iter().flat_map(|tag| at.members(tag));
        let (mut known, mut missing, mut has_other_friction) = (Vec::new(), Vec::new(), false);
        for set in sets {
            let (surface, is_coulomb) = self.contact_surface(set.mark())?;
            has_other_friction |= !is_coulomb;
            for geometry in self.words(set, "geometry") {
                let last = geometry.rsplit('/').next().unwrap_or("");
                match self.colliders.get(last) {
                    Some(&collider) => known.push((collider, surface)),
                    None => missing.push(last.to_owned()),
                }
            }
        }
        self.tell_contact(at, &missing, has_other_friction);
        for (k, a) in known.iter().enumerate() {
            for b in &known[k + 1..] {
                self.add_contact_pair((force, enabled), [*a, *b], at);
            }
        }
        Ok(true)
    }

    /// A sphere on a half-space, whose smoothed law is that of Hunt and Crossley between two surfaces of its numbers.
    fn add_smooth_contact(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let enabled = is_on(self, at)?;
        let (surface, is_coulomb) = self.contact_surface(at)?;
        // Of its smoothing alone.
        for tag in SMOOTHING {
            self.number(at, tag)?;
        }
        let mut ends = Vec::new();
        for side in ["sphere", "half_space"] {
            let named = self.socket(at, side);
            let named = named
                .ok_or_else(|| refused(at, format!("{} has no <socket_{side}>", at.label())))?;
            let last = named.rsplit('/').next().unwrap_or("");
            let Some(&collider) = self.colliders.get(last) else {
                let message = format!("{}: there is no contact geometry '{last}'", at.label());
                let known = self.colliders.keys().map(String::as_str);
                return Err(Diagnostic::unknown(at.span, message, last, known));
            };
            ends.push((collider, surface));
        }
        self.tell_contact(at, &[], !is_coulomb);
        let message = format!("{} is without its smoothing: it pulls nowhere", at.label());
        self.findings.note(at.span, message);
        if let [a, b] = ends[..] {
            self.add_contact_pair((NormalLaw::HuntCrossley, enabled), [a, b], at);
        }
        Ok(())
    }

    /// Warns of geometry that is not there, and of friction that is not Coulomb's.
    fn tell_contact(&mut self, at: &'d Element, missing: &[String], has_other_friction: bool) {
        if !missing.is_empty() {
            let names = missing.join("', '");
            let message = format!(
                "{} has no contact with '{names}': it is no sphere or half space",
                at.label()
            );
            self.findings.warn(at.span, message);
        }
        if has_other_friction {
            let message = format!(
                "friction of {} is Coulomb's with its dynamic coefficient: other static friction and viscous \
                 friction are not kept",
                at.label()
            );
            self.findings.warn(at.span, message);
        }
    }

    /// Numbers of a set of parameters, and whether its friction is Coulomb's.
    fn contact_surface(&self, set: &Element) -> Result<(ContactSurface, bool), Diagnostic> {
        let of = |tag: &str| self.number(set, tag).map(|number| number.unwrap_or(0.0));
        let not_negative = |tag: &str| -> Result<f64, Diagnostic> {
            match of(tag)? {
                value if value >= 0.0 => Ok(value),
                value => {
                    let message = format!("<{tag}> of {} must be >= 0, got {value}", set.label());
                    Err(self.blamed(set, tag, message))
                }
            }
        };
        let friction = not_negative("dynamic_friction")?;
        let stiffness = self.number(set, "stiffness")?.unwrap_or(1.0);
        if stiffness <= 0.0 {
            let message = format!("<stiffness> of {} must be > 0, got {stiffness}", set.label());
            return Err(self.blamed(set, "stiffness", message));
        }
        let others = [of("static_friction")?, of("viscous_friction")?];
        let is_coulomb = [0.0, friction].contains(&others[0]) && others[1] == 0.0;
        let dissipation = not_negative("dissipation")?;
        Ok((ContactSurface { stiffness, dissipation, friction }, is_coulomb))
    }

    /// Adds the behaviour of two colliders, unless they are on one body or both are half-spaces.
    fn add_contact_pair(
        &mut self,
        (force, enabled): (NormalLaw, bool),
        [(a, of_a), (b, of_b)]: [(Handle<Collider>, ContactSurface); 2],
        at: &'d Element,
    ) {
        let [one, other] = [a, b].map(|handle| &self.model[handle]);
        let is_plane = |it: &Collider| it.shape == ColliderShape::HalfSpace;
        if one.site.body == other.site.body || is_plane(one) && is_plane(other) {
            return;
        }
        let law = of_a.law_with(&of_b, force);
        let made = CollisionBehavior { enabled, ..CollisionBehavior::new(a, b, 0.0).with_law(law) };
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
    }
}

/// Numbers of a surface in contact, as OpenSim has them: of the law of Hunt and Crossley a modulus [Pa], of a foundation
/// a pressure over a depth [Pa/m]; dissipation [s/m], coefficient of friction [-].
#[derive(Clone, Copy)]
struct ContactSurface {
    stiffness: f64,
    dissipation: f64,
    friction: f64,
}

impl ContactSurface {
    /// Law between two surfaces as Simbody combines their numbers (Sherman2011): for Hertz's contact both are springs in
    /// a row, whose compliances are the powers -2/3 of the moduli, and 3/2 of the dissipation acts.
    fn law_with(&self, other: &Self, normal: NormalLaw) -> ContactLaw {
        let mean = |a: f64, b: f64| if a + b > 0.0 { 2.0 * a * b / (a + b) } else { 0.0 };
        let law = ContactLaw { normal, ..ContactLaw::rough(mean(self.friction, other.friction)) };
        let [a, b] = [self, other].map(|it| it.stiffness.powf(2.0 / 3.0));
        match normal {
            NormalLaw::HuntCrossley => ContactLaw {
                hunt_crossley: HuntCrossley {
                    effective_modulus: (a * b / (a + b)).powf(1.5),
                    ..HuntCrossley::default()
                },
                dissipation: 1.5 * (self.dissipation * b + other.dissipation * a) / (a + b),
                ..law
            },
            NormalLaw::ElasticFoundation
            | NormalLaw::LogarithmicFoundation
            | NormalLaw::Automatic
            | NormalLaw::Linear => ContactLaw {
                // The constrained modulus of a layer of 1 m without a Poisson's ratio is its Young's modulus.
                foundation: ElasticFoundation {
                    youngs_modulus: 0.5 * (self.stiffness + other.stiffness),
                    poissons_ratio: 0.0,
                    thickness: 1.0,
                },
                dissipation: 0.5 * (self.dissipation + other.dissipation),
                ..law
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_are_combined_as_simbody_does() {
        let soft = ContactSurface { stiffness: 1e6, dissipation: 0.2, friction: 0.5 };
        let stiff = ContactSurface { stiffness: 8e6, dissipation: 0.6, friction: 1.0 };
        let law = soft.law_with(&stiff, NormalLaw::HuntCrossley);
        // Powers 2/3: 1e4 and 4e4; the share of the soft one is 4/5.
        let depth: f64 = 1e-3;
        let radius: f64 = 0.04;
        let (k, c) = (1e4 * 0.8, 0.2 * 0.8 + 0.6 * 0.2);
        let force = 4.0 / 3.0 * k * depth * (radius * k * depth).sqrt();
        let own = 4.0 / 3.0 * law.hunt_crossley.effective_modulus * radius.sqrt() * depth.powf(1.5);
        assert!((own / force - 1.0).abs() < 1e-12, "{own} N of {force} N");
        assert!((law.dissipation - 1.5 * c).abs() < 1e-12, "{}", law.dissipation);
        assert!((law.friction - 2.0 / 3.0).abs() < 1e-12);
        let law = soft.law_with(&soft, NormalLaw::ElasticFoundation);
        assert_eq!((law.foundation.stiffness(), law.dissipation), (1e6, 0.2));
    }
}
