//! Contact: interfaces between surfaces that slide or are tied, and rigid walls, as collision behaviours. Interfaces are read
//! before the tissue is parted by them (`parts.rs`), and added after.

use std::collections::BTreeSet;

use sinew::Vec3;
use sinew::component::{ComponentId, Handle};
use sinew::constraint::{JointKind, Pose};
use sinew::contact::{ContactLaw, ElasticFoundation, NormalLaw};
use sinew::fem::VolumeMesh;
use sinew::model::{
    Collider, ColliderShape, CollisionBehavior, FemModel, FrameSite, Joint, RigidBody,
};

use super::import::Import;
use super::parts::Parts;
use super::steps::elements;
use super::sticky;
use super::surfaces::Surface;
use super::ties;
use super::units::Dimension;
use super::values::{self, is_on};
use super::walls::Wall;
use crate::diagnostic::Diagnostic;
use crate::solver::IntegratorName;
use crate::xml_tree::Element;

/// Interfaces that keep surfaces apart, by the names of all versions.
const SLIDING: [&str; 6] = [
    "sliding-elastic",
    "sliding-node-on-facet",
    "sliding-facet-on-facet",
    "sliding-tension-compression",
    "sliding_with_gaps",
    "facet-to-facet sliding",
];
/// Interfaces that keep surfaces together.
const TIED: [&str; 4] = ["tied-elastic", "tied-node-on-facet", "tied-facet-on-facet", "tied"];
/// Other interfaces of FEBio, which are told.
const OTHERS: [&str; 20] = [
    "sticky",
    "rigid",
    "rigid sliding",
    "linear constraint",
    "tied-biphasic",
    "tied-multiphasic",
    "tied-fluid",
    "sliding2",
    "sliding3",
    "sliding-biphasic",
    "sliding-biphasic-mixed",
    "sliding-biphasic-solute",
    "sliding-multiphasic",
    "mortar-sliding",
    "mortar-tied",
    "contact potential",
    "edge-to-surface contact potential",
    "edge-to-surface sliding contact",
    "discrete contact",
    "discrete contact2",
];

/// An interface, of which the surfaces and numbers are read.
pub(super) struct Interface<'d> {
    pub(super) at: &'d Element,
    pub(super) surfaces: Vec<Surface>,
    pub(super) action: Action,
}

/// Effect of an interface.
pub(super) enum Action {
    Touch(ContactLaw),
    /// All that is no farther than `reach` [m] stays together; `solids` are those of a body that tissue follows.
    Tie {
        reach: f64,
        solids: Option<VolumeMesh>,
    },
    Stop(Wall),
}

/// Component on one side of an interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Body(Handle<RigidBody>),
    Tissue(Handle<FemModel>),
}

impl Side {
    fn id(self) -> ComponentId {
        match self {
            Self::Body(body) => body.id(),
            Self::Tissue(fem) => fem.id(),
        }
    }
}

impl<'d> Import<'d> {
    pub(super) fn read_contact(&mut self) {
        let mut interfaces = Vec::new();
        for at in elements(self.root, "Contact").chain(elements(self.root, "Constraints")) {
            let read = self.interface(at);
            interfaces.extend(self.findings.take(read).flatten());
        }
        if interfaces.is_empty() {
            return;
        }
        // What is tied does not touch, unless a later interface says so.
        interfaces.sort_by_key(|it| !matches!(it.action, Action::Tie { .. }));
        let soft = interfaces.iter().flat_map(|it| &it.surfaces).filter(|it| it.body.is_none());
        let sides: Vec<Vec<u32>> = soft.map(|it| it.nodes.clone()).collect();
        let Some(parts) = self.part_tissue(&sides) else { return };
        for interface in &interfaces {
            self.add_interface(interface, &parts);
        }
    }

    /// An interface; none where it is told as one that is not read.
    fn interface(&mut self, at: &'d Element) -> Result<Option<Interface<'d>>, Diagnostic> {
        // Up to 2.0 an interface has its surfaces in itself.
        if at.children.iter().any(|it| it.tag == "surface") {
            return Ok(None);
        }
        match (at.tag.as_str(), at.kind()) {
            ("contact", kind) if SLIDING.contains(&kind) => self.sliding(at.mark()),
            ("contact", kind) if TIED.contains(&kind) => self.tied(at.mark()),
            ("contact", "sticky") if sticky::lets_go(at) => self.sticky(at.mark()),
            ("contact" | "constraint", "rigid_wall") => {
                let Some((wall, surface)) = self.wall(at.mark())? else { return Ok(None) };
                let (surfaces, action) = (vec![surface], Action::Stop(wall));
                Ok(Some(Interface { at, surfaces, action }))
            }
            ("contact", kind) if !OTHERS.contains(&kind) => {
                let message = format!("FEBio has no contact of the type '{kind}'");
                let known = SLIDING[..3].iter().chain(&TIED[..3]).copied().collect::<Vec<_>>();
                let help = format!("{} and rigid_wall are read", known.join(", "));
                Err(at.refused(message).help(help))
            }
            _ => Ok(None),
        }
    }

    fn sliding(&mut self, at: &'d Element) -> Result<Option<Interface<'d>>, Diagnostic> {
        let Some(pair) = self.pair_of(at)? else { return Ok(None) };
        let law = self.law(at, &pair)?;
        Ok(Some(Interface { at, surfaces: pair.into(), action: Action::Touch(law) }))
    }

    /// Penalties of ties are of no effect: what is tied stays together exactly.
    fn tied(&mut self, at: &'d Element) -> Result<Option<Interface<'d>>, Diagnostic> {
        let Some([primary, secondary]) = self.pair_of(at)? else { return Ok(None) };
        // Tissue follows: the primary surface, unless it is of a body.
        let (from, to) = match primary.body {
            None => (&primary, &secondary),
            Some(_) => (&secondary, &primary),
        };
        at.child("laugon");
        let most = at.child("max_distance").map_or(Ok(0.0), values::number)?;
        let most = if most > 0.0 { most * self.units.length } else { f64::INFINITY };
        let Some(gap) = self.gap(from, to) else {
            let message = format!(
                "{} is not read: no node of a surface is opposite to the other one",
                at.label()
            );
            self.findings.warn(at.span, message);
            return Ok(None);
        };
        let solids = to.body.map(|body| self.elements_alone(self.elements_of(body).into_iter()));
        let action = Action::Tie { reach: gap.min(most), solids };
        Ok(Some(Interface { at, surfaces: vec![primary, secondary], action }))
    }

    /// Law of the contact of surfaces: rigid with multipliers, between bodies and in statics, where a pressure by depth that alone
    /// keeps a part in place begins without stiffness; else that pressure.
    pub(super) fn law(
        &mut self,
        at: &'d Element,
        surfaces: &[Surface],
    ) -> Result<ContactLaw, Diagnostic> {
        let friction = at.child("fric_coeff").map_or(Ok(0.0), values::number)?;
        if friction < 0.0 {
            return Err(at.refused(format!("<fric_coeff> must be >= 0, got {friction}")));
        }
        let law = ContactLaw::rough(friction);
        let method = at.child("laugon").map_or("0", |it| it.text.as_str());
        let has_multipliers = !matches!(method.trim(), "" | "0" | "PENALTY");
        let layer = surfaces.iter().find_map(|it| self.layer(it));
        let is_rigid = has_multipliers || surfaces.iter().all(|it| it.body.is_some());
        let is_automatic = at.child("auto_penalty").is_some_and(is_on);
        let Some(penalty) = at.child("penalty") else { return Ok(law) };
        let factor = values::number(penalty)?;
        let Some(layer) = layer.filter(|_| !is_rigid) else { return Ok(law) };
        if factor <= 0.0 {
            return Err(penalty.refused(format!("<penalty> must be > 0, got {factor}")));
        }
        if self.solver.integrator == Some(IntegratorName::Static) {
            self.findings.warn(penalty.span, "in statics contact is rigid, as with <laugon>");
            return Ok(law);
        }
        let by_depth = match is_automatic {
            true => factor * layer.stiffness,
            false => factor * self.units.factor(Dimension::Stress) / self.units.length,
        };
        let thickness = layer.thickness;
        // Without a Poisson's ratio the pressure is the modulus times depth over thickness.
        let youngs_modulus = by_depth * thickness;
        let foundation = ElasticFoundation { youngs_modulus, poissons_ratio: 0.0, thickness };
        Ok(ContactLaw { normal: NormalLaw::ElasticFoundation, foundation, ..law })
    }

    fn add_interface(&mut self, interface: &Interface<'d>, parts: &Parts) {
        let Interface { at, surfaces, action } = interface;
        let side = |surface: &Surface| match surface.body {
            Some(number) => self.bodies.get(&number).copied().map(Side::Body),
            None => parts.tissue_of(*surface.nodes.first()?).map(Side::Tissue),
        };
        let Some(sides) = surfaces.iter().map(side).collect::<Option<Vec<Side>>>() else { return };
        sides.iter().for_each(|&side| self.add_collider(side, at));
        match (action, &sides[..]) {
            (Action::Stop(wall), [side]) => self.add_wall(at, side.id(), wall),
            (Action::Touch(law), &[a, b]) if a != b || matches!(a, Side::Tissue(_)) => {
                let behavior = CollisionBehavior::new(a.id(), b.id(), 0.0).with_law(*law);
                self.add_behavior(at, behavior);
            }
            (Action::Tie { reach, solids }, &[a, b]) if a != b => match (a, b) {
                (Side::Body(a), Side::Body(b)) => self.lock(at, [a, b]),
                (Side::Tissue(own), to) | (to, Side::Tissue(own)) => {
                    let numbers = surfaces.iter().flat_map(|it| parts.numbers_in(own, &it.nodes));
                    let named = numbers.collect();
                    self.tie(at, (own, to), (*reach, solids.as_ref()), &named);
                }
            },
            _ => {
                let message =
                    format!("{} is not read: both of its surfaces are of one part", at.label());
                self.findings.warn(at.span, message);
            }
        }
    }

    /// Ties a tissue, of whose nodes `named` are on the surfaces, to another side.
    fn tie(
        &mut self,
        at: &Element,
        (own, to): (Handle<FemModel>, Side),
        (reach, solids): (f64, Option<&VolumeMesh>),
        named: &BTreeSet<u32>,
    ) {
        let other = match to {
            Side::Tissue(fem) => self.model.get(fem).map(|it| &it.mesh),
            Side::Body(_) => solids,
        };
        let both = other.zip(self.model.get(own));
        let near = both.map_or(Vec::new(), |(to, own)| ties::near(&own.mesh, to, reach));
        let behavior = CollisionBehavior::new(own, to.id(), 0.0);
        self.add_behavior(at, CollisionBehavior { tied: true, margin: Some(reach), ..behavior });
        self.release_tied(at, own, (&near, named));
    }

    pub(super) fn add_behavior(&mut self, at: &Element, behavior: CollisionBehavior) {
        let name = crate::imported::plain_name(at.name());
        let handle = self.model.add(CollisionBehavior { name, ..behavior });
        self.put(handle.id(), at.span);
    }

    /// The surface of a body as a collider, once.
    fn add_collider(&mut self, side: Side, at: &Element) {
        let Side::Body(body) = side else { return };
        if self.model.iter::<Collider>().all(|(_, it)| it.site.body != Some(body)) {
            let handle = self.model.add(Collider::on(body, ColliderShape::MESH));
            self.put(handle.id(), at.span);
        }
    }

    /// Two bodies that are one.
    fn lock(&mut self, at: &Element, bodies: [Handle<RigidBody>; 2]) {
        let [Some(a), Some(b)] = bodies.map(|body| self.model.get(body)) else { return };
        let local: Pose = b.pose.inverse() * a.pose;
        let [c, d] = [FrameSite::on(bodies[0], Pose::identity()), FrameSite::on(bodies[1], local)];
        let joint = self.model.add(Joint::new(JointKind::Solid, c, d));
        self.put(joint.id(), at.span);
    }

    /// A direction of a document, of length 1.
    ///
    /// # Errors
    /// 0, 0, 0.
    pub(super) fn direction(at: &Element, vector: Vec3) -> Result<Vec3, Diagnostic> {
        vector
            .try_normalize(0.0)
            .ok_or_else(|| at.refused(format!("<{}> needs a direction, got 0, 0, 0", at.tag)))
    }
}
