//! Behaviour of pairs in collision: friction, rebound, compliance.

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{Address, ComponentId, Kind, Reference};
use crate::contact::{
    Adhesion, AutomaticCompliance, ContactLaw, ElasticFoundation, HuntCrossley, NormalLaw, Stribeck,
};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Problem, Put, Range, Refusal, choices,
    properties,
};

choices!(NormalLaw {
    Linear => "linear",
    Automatic => "automatic",
    ElasticFoundation => "elastic_foundation",
    LogarithmicFoundation => "logarithmic_foundation",
    HuntCrossley => "hunt_crossley",
});

/// Behaviour of all of one side where it touches the other side. Of several that speak of the same two
/// things the last one in the order of the tree holds; what none speaks of does not touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionBehavior {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// One side: a collider, a rigid body (all its colliders), a tissue (its surface; on both sides: it touches
    /// itself), a particle, or a mechanical model (all of these below it); `None` is everything.
    pub a: Option<ComponentId>,
    /// The other side.
    pub b: Option<ComponentId>,
    /// True if they touch; otherwise they pass through each other.
    pub enabled: bool,
    /// True if what begins within the margin stays together, and nothing else of the two touches.
    #[serde(default)]
    pub tied: bool,
    /// Friction, rebound and compliance.
    pub law: ContactLaw,
    /// Overlap that is left as it is [m]; `None` is 1e-4 of the radius of the whole model.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// Overlap at which a step is made in parts [m]; `None` for no limit.
    #[serde(default)]
    pub penetration_limit: Option<f64>,
    /// Distance below which contacts are looked at [m]; `None` is ten times the tolerance.
    #[serde(default)]
    pub margin: Option<f64>,
}

impl Default for CollisionBehavior {
    /// Everything touches everything, rigid, without friction and rebound.
    fn default() -> Self {
        Self {
            name: String::new(),
            a: None,
            b: None,
            enabled: true,
            tied: false,
            law: ContactLaw::default(),
            tolerance: None,
            penetration_limit: None,
            margin: None,
        }
    }
}

impl CollisionBehavior {
    /// Two sides that touch with a coefficient of friction [-].
    pub fn new(a: impl Into<ComponentId>, b: impl Into<ComponentId>, friction: f64) -> Self {
        let (a, b) = (Some(a.into()), Some(b.into()));
        Self { a, b, ..Self::everything(friction) }
    }

    /// Everything touches everything with a coefficient of friction [-].
    pub fn everything(friction: f64) -> Self {
        Self { law: ContactLaw::rough(friction), ..Self::default() }
    }

    /// The same with another law of contact.
    pub fn with_law(self, law: ContactLaw) -> Self {
        Self { law, ..self }
    }

    /// Two sides that pass through each other.
    pub fn off(a: impl Into<ComponentId>, b: impl Into<ComponentId>) -> Self {
        Self { enabled: false, ..Self::new(a, b, 0.0) }
    }

    /// True if both sides are the same tissue: it touches itself.
    pub(crate) fn names_itself(&self) -> bool {
        self.a.is_some_and(|a| a.kind() == Kind::FemModel) && self.a == self.b
    }

    /// True if both sides are bodies or colliders, not one among others.
    pub(crate) fn names_both(&self) -> bool {
        let named = |side: Option<ComponentId>| {
            side.is_some_and(|id| matches!(id.kind(), Kind::Collider | Kind::RigidBody))
        };
        named(self.a) && named(self.b)
    }
}

const NOT_A_SIDE: Refusal = Refusal::Value(
    "it must lead to a collider, a rigid body, a tissue, a particle or a mechanical model, or be empty, which is everything",
);

/// True if a component of a kind can be a side.
fn is_side(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Collider | Kind::RigidBody | Kind::FemModel | Kind::Particle | Kind::MechModel
    )
}

/// Takes the one component of a list, or everything where it is empty.
fn put_side(side: &mut Option<ComponentId>, to: &[Address]) -> Put {
    *side = match to {
        [] => None,
        [Address::Component(id)] if is_side(id.kind()) => Some(*id),
        _ => return Err(NOT_A_SIDE),
    };
    Ok(())
}

const NO_RANGE: &str = "> 0 where `adhesion` or `adhesion_force` is: tensions reach as far as this";
/// Greatest tension [Pa]: the strongest bonds between atoms bear less.
const MOST_TENSION: f64 = 1e12;
const TOO_STRONG: &str =
    "<= 1e12 Pa: raise `adhesion_range`, over which `adhesion` is spread, or look at both units";
const NOT_TIED: &str = "0 where `tied` is true: what is tied does not come apart";

/// A length that may be automatic, which is 0 as a property [m].
fn put_automatic(length: &mut Option<f64>, new: f64) -> Put {
    *length = (new != 0.0).then_some(new);
    Ok(())
}

impl CollisionBehavior {
    /// Both sides are there, and can touch.
    fn check_sides(&self, model: &dyn Components) -> Result<(), CheckError> {
        for (at, side) in [("a", self.a), ("b", self.b)] {
            let Some(side) = side else { continue };
            let target = model.path(side);
            if !model.contains(side) {
                return Err(Problem::Missing(target).at(at));
            }
            if !is_side(side.kind()) {
                let must = "a collider, a rigid body, a tissue, a particle or a mechanical model";
                return Err(Problem::Unfit { target, must }.at(at));
            }
        }
        let (Some(a), Some(b)) = (self.a, self.b) else { return Ok(()) };
        let of_points = |side: ComponentId| matches!(side.kind(), Kind::FemModel | Kind::Particle);
        let are_tissues = [a, b].iter().all(|side| side.kind() == Kind::FemModel);
        if a == b && !matches!(a.kind(), Kind::MechModel | Kind::FemModel) {
            return Err(Problem::SameSide(model.path(b)).at("b"));
        }
        if of_points(a) && of_points(b) && !are_tissues {
            let must = "a collider, a body or a mechanical model, as points do not touch points";
            return Err(Problem::Unfit { target: model.path(b), must }.at("b"));
        }
        Ok(())
    }

    /// Lengths that were given are positive.
    fn check_lengths(&self) -> Result<(), CheckError> {
        let lengths = [
            ("tolerance", self.tolerance),
            ("penetration_limit", self.penetration_limit),
            ("margin", self.margin),
        ];
        let range = Range::POSITIVE;
        match lengths.into_iter().find(|(_, x)| x.is_some_and(|x| !range.contains(x))) {
            Some((at, Some(value))) => Err(Problem::OutOfRange { value, range }.at(at)),
            _ => Ok(()),
        }
    }
}

impl CollisionBehavior {
    /// An adhesion has a range, and is of what may come apart: asked for when the model is compiled, as one is set after the
    /// other.
    pub(crate) fn check_adhesion(&self) -> Result<(), CheckError> {
        let Adhesion { work, force, range } = self.law.adhesion;
        let strengths = [("adhesion", work), ("adhesion_force", force)];
        let Some((at, value)) = strengths.into_iter().find(|(_, it)| *it > 0.0) else {
            return Ok(());
        };
        let entry = |what, value, must| Problem::Entry { what, value, must };
        if self.tied {
            return Err(entry("value", value, NOT_TIED).at(at));
        }
        let tension = self.law.adhesion.strength();
        match range > 0.0 {
            true if tension > MOST_TENSION => {
                Err(entry("tension", tension, TOO_STRONG).at("adhesion"))
            }
            true => Ok(()),
            false => Err(entry("value", range, NO_RANGE).at("adhesion_range")),
        }
    }

    /// The first of its lengths that is longer than what touches: an adhesion that pulls all of it whatever its shape, or an
    /// overlap that is left although it is through. `most` is the radius of the lesser side or of the model [m].
    pub(crate) fn check_reach(&self, names: &[String; 2], most: f64) -> Result<(), CheckError> {
        let lengths = [
            ("adhesion_range", self.law.adhesion.reach()),
            ("tolerance", self.tolerance.unwrap_or(0.0)),
        ];
        match lengths.into_iter().find(|(_, value)| *value > most) {
            Some((at, value)) => Err(Problem::TooLong { value, most, names: names.clone() }.at(at)),
            None => Ok(()),
        }
    }
}

impl ModelComponent for CollisionBehavior {
    const HOME: Option<&'static str> = Some("collision_behaviors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        [self.a, self.b].into_iter().flatten().for_each(|side| visit(Reference::hard(side)));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        for side in [&mut self.a, &mut self.b].into_iter().flatten() {
            *side = map(*side).unwrap_or(*side);
        }
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_sides(model)?;
        self.check_lengths()
    }

    properties! { CollisionBehavior {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if the two sides touch; otherwise they pass through each other", own (enabled);
        "tied": bool = false, "", FINITE, STRUCTURE, "True if what of a begins nearer to b than the margin stays together with it; nothing else of the two touches. One side is a tissue, the other a tissue, a body or a collider", own (tied);
        "a": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "One side: a collider, a rigid body, a tissue, a particle, or a mechanical model with all below it; empty for everything",
            reference (|it| it.a.into_iter().map(Address::from).collect(), |it, to| put_side(&mut it.a, to)), check CollisionBehavior::check_sides;
        "b": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The other side",
            reference (|it| it.b.into_iter().map(Address::from).collect(), |it, to| put_side(&mut it.b, to)), check CollisionBehavior::check_sides;
        "friction": f64 = 0.0, "-", COEFFICIENT, PARAMETER, "Coefficient of friction (Coulomb): of sliding, where it depends on the speed", own (law.friction);
        "static_friction": f64 = 0.0, "-", COEFFICIENT, PARAMETER, "Coefficient of friction at rest, from which that of sliding falls with the speed (Stribeck); 0 is that of sliding", own (law.stribeck.static_friction);
        "stribeck_velocity": f64 = Stribeck::default().velocity, "m/s", SCALE, PARAMETER, "Speed of slip at which friction has fallen from rest by 63 % of its fall", own (law.stribeck.velocity);
        "viscous_friction": f64 = 0.0, "s/m", COEFFICIENT, PARAMETER, "Coefficient of friction that the speed of slip adds, over that speed", own (law.stribeck.viscous);
        "rolling_friction": f64 = 0.0, "m", COEFFICIENT, PARAMETER, "Lever of the rolling resistance: the moment across the normal is at most this times the force along it", own (law.rolling_friction);
        "restitution": f64 = 0.0, "-", UNIT, PARAMETER, "Share of the velocity of approach with which they part (Newton)", own (law.restitution);
        "restitution_threshold": f64 = ContactLaw::default().restitution_threshold, "m/s", COEFFICIENT, PARAMETER, "Approaches slower than this do not rebound", own (law.restitution_threshold);
        "law": NormalLaw = NormalLaw::Linear, "", FINITE, STRUCTURE, "Law of the force along the normal: linear (`compliance`, `damping`), automatic (`layer_share`, `damping_ratio`), elastic_foundation and logarithmic_foundation (`youngs_modulus`, `poissons_ratio`, `thickness`, `dissipation`), hunt_crossley (`effective_modulus`, `contact_radius`, `exponent`, `dissipation`)", own (law.normal);
        "compliance": f64 = 0.0, "m/N", COEFFICIENT, PARAMETER, "Compliance of each contact under the linear law; 0 is rigid", own (law.compliance.compliance);
        "damping": f64 = 0.0, "N s/m", STRENGTH, PARAMETER, "Damping of each contact under the linear law, of effect where the compliance is not zero", own (law.compliance.damping);
        "layer_share": f64 = AutomaticCompliance::default().layer_share, "-", SCALE, PARAMETER, "Thickness of the layer of a tissue that gives way under the automatic law, over its volume by its surface", own (law.automatic.layer_share);
        "damping_ratio": f64 = AutomaticCompliance::default().damping_ratio, "-", COEFFICIENT, PARAMETER, "Damping of the automatic law over the critical damping of the mass of the tissues on their layers", own (law.automatic.damping_ratio);
        "youngs_modulus": f64 = ElasticFoundation::default().youngs_modulus, "Pa", MODULUS, PARAMETER, "Young's modulus of an elastic foundation", own (law.foundation.youngs_modulus);
        "poissons_ratio": f64 = ElasticFoundation::default().poissons_ratio, "-", COMPRESSIBLE, PARAMETER, "Poisson's ratio of an elastic foundation", own (law.foundation.poissons_ratio);
        "thickness": f64 = ElasticFoundation::default().thickness, "m", LAYER, PARAMETER, "Thickness of an elastic foundation", own (law.foundation.thickness);
        "effective_modulus": f64 = HuntCrossley::default().effective_modulus, "Pa", MODULUS, PARAMETER, "Effective modulus E of the law of Hunt and Crossley, 4/3 E R² (d/R)^n (1 + c d'): 1/E is the sum of (1 - nu²)/E of both sides", own (law.hunt_crossley.effective_modulus);
        "contact_radius": f64 = 0.0, "m", COEFFICIENT, STRUCTURE, "Effective radius of curvature R of the law of Hunt and Crossley; 0 is that of the shapes", own (law.hunt_crossley.radius);
        "exponent": f64 = HuntCrossley::default().exponent, "-", EXPONENT, PARAMETER, "Exponent n of the law of Hunt and Crossley", own (law.hunt_crossley.exponent);
        "dissipation": f64 = 0.0, "s/m", COEFFICIENT, PARAMETER, "Dissipation c of an elastic foundation and of the law of Hunt and Crossley: the elastic force is multiplied by 1 + c times the velocity of approach, and never pulls", own (law.dissipation);
        "adhesion": f64 = 0.0, "J/m²", COEFFICIENT, GEOMETRY, "Work of adhesion: what parting takes by the area that contacts stand for; their tension is this over `adhesion_range`", own (law.adhesion.work);
        "adhesion_force": f64 = 0.0, "N", STRENGTH, GEOMETRY, "Pull of each contact within `adhesion_range`, beside that over its area", own (law.adhesion.force);
        "adhesion_range": f64 = 0.0, "m", COEFFICIENT, GEOMETRY, "Gap beyond which nothing pulls; > 0 where `adhesion` or `adhesion_force` is", own (law.adhesion.range);
        "smooth": bool = false, "", FINITE, STRUCTURE, "True if nodes, particles and balls touch smooth surfaces through the corners of meshes and of tissues, with normals that turn without jumps, in place of their triangles", own (law.smooth);
        "most_contacts": i64 = ContactLaw::default().most_contacts, "-", NOT_NEGATIVE, STRUCTURE, "Most contacts of two rigid bodies of which one at least collides as a mesh, chosen so that they push as all would; 0 keeps all", own (law.most_contacts);
        "tolerance": f64 = 0.0, "m", COEFFICIENT, GEOMETRY, "Overlap that is left as it is; 0 is automatic: 1e-4 of the radius of the whole model",
            via (|it: &CollisionBehavior| Some(it.tolerance.unwrap_or(0.0)), |it: &mut CollisionBehavior, new: f64| put_automatic(&mut it.tolerance, new));
        "penetration_limit": f64 = f64::INFINITY, "m", LIMIT, PARAMETER, "Overlap at which a step is made in parts",
            via (|it: &CollisionBehavior| Some(it.penetration_limit.unwrap_or(f64::INFINITY)), |it: &mut CollisionBehavior, new: f64| {
                it.penetration_limit = new.is_finite().then_some(new);
                Ok(())
            });
        "margin": f64 = 0.0, "m", COEFFICIENT, GEOMETRY, "Distance below which contacts are looked at; 0 is automatic: ten times the tolerance",
            via (|it: &CollisionBehavior| Some(it.margin.unwrap_or(0.0)), |it: &mut CollisionBehavior, new: f64| put_automatic(&mut it.margin, new));
        "contact_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of its contacts that were active in the last step", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Sum of the mean forces of its contacts on side A over the last step", simulated ();
        "max_penetration": f64 = 0.0, "m", NOT_NEGATIVE, NOTHING, "Largest overlap of its active contacts, at the start of the last step", simulated ();
        "contact_area": f64 = 0.0, "m²", NOT_NEGATIVE, NOTHING, "Area of tissue that its contacts pushed on in the last step, of two tissues that of side A; of solids bounded by triangles that of the regions in which they touch", simulated ();
        "max_pressure": f64 = 0.0, "Pa", NOT_NEGATIVE, NOTHING, "Greatest pressure of its contacts on a face of a tissue, and greatest mean pressure of a region between solids, over the last step", simulated ();
        "center_of_pressure": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Mean of the places of its contacts by their forces along normals, at the start of the last step; 0 without contacts", simulated ();
    } }
}
