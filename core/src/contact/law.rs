//! Behaviour of two things at contact: the law of the force along the normal, restitution and friction. Its use in a
//! step: `solve/constrained/unilateral`.

use serde::{Deserialize, Serialize};

use super::{Adhesion, AutomaticCompliance, Stribeck};
use crate::constraint::Compliance;

/// Friction, rebound and compliance of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactLaw {
    /// Coefficient of friction (Coulomb) [-]: of sliding, where it depends on the speed.
    pub friction: f64,
    /// Dependence of friction on the speed.
    #[serde(default)]
    pub stribeck: Stribeck,
    /// Lever of the rolling resistance [m]: the moment across the normal is at most this times the force along it.
    /// A ball of radius R rests on slopes up to a tangent of this over R.
    #[serde(default)]
    pub rolling_friction: f64,
    /// Share of the velocity of approach with which they part (Newton) [-], 0 to 1; of rigid contacts.
    pub restitution: f64,
    /// Approaches slower than this do not rebound [m/s].
    pub restitution_threshold: f64,
    /// Law of the force along the normal.
    #[serde(default)]
    pub normal: NormalLaw,
    /// Compliance [m/N] and damping [N s/m] of each contact under the linear law; rigid where the compliance is zero.
    #[serde(default)]
    pub compliance: Compliance,
    /// Numbers of the compliance that material and size of the tissues have.
    #[serde(default)]
    pub automatic: AutomaticCompliance,
    /// Constants of an elastic foundation.
    #[serde(default)]
    pub foundation: ElasticFoundation,
    /// Constants of the law of Hunt and Crossley.
    #[serde(default)]
    pub hunt_crossley: HuntCrossley,
    /// Dissipation of a foundation and of the law of Hunt and Crossley [s/m]: the elastic force is multiplied by one
    /// plus this times the velocity of approach.
    #[serde(default)]
    pub dissipation: f64,
    /// Adhesion: what touches resists being parted.
    #[serde(default)]
    pub adhesion: Adhesion,
    /// True if distances and normals are those of smooth surfaces through the corners of triangles.
    #[serde(default)]
    pub smooth: bool,
    /// Most contacts of two rigid solids of which one is a mesh, where they are rigid; 0 for all.
    #[serde(default = "most_contacts")]
    pub most_contacts: i64,
}

/// Those of a cube that lies in a corner, with as many again: their rows and those of friction are half of what a dense solution
/// takes.
fn most_contacts() -> i64 {
    16
}

/// Law of the force along the normal of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NormalLaw {
    /// Rigid, or a compliance and a damping of each contact.
    #[default]
    Linear,
    /// The compliance of layers of the tissues that touch, over the area that each contact stands for.
    Automatic,
    /// A thin elastic layer: a pressure in proportion to the overlap, over the area that each contact stands for.
    ElasticFoundation,
    /// The same, whose pressure grows beyond all bounds as the overlap comes near the thickness of the layer.
    LogarithmicFoundation,
    /// A power of the overlap, times one plus a multiple of its rate.
    HuntCrossley,
}

/// A thin layer bonded to a rigid base, whose springs do not know each other (Johnson1985, 4.3; key Lloyd2012). Its pressure
/// at an overlap d is K d / h, or -K ln(1 - d / h) under the logarithmic law, K the modulus of the layer and h its thickness.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElasticFoundation {
    /// Young's modulus [Pa], > 0.
    pub youngs_modulus: f64,
    /// Poisson's ratio [-], > -1 and < 0.5.
    pub poissons_ratio: f64,
    /// Thickness of the layer [m], > 0.
    pub thickness: f64,
}

/// The law of Hunt and Crossley (HuntCrossley1975): 4/3 E R² (d/R)^n (1 + c d'), Hertz's force for n = 3/2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HuntCrossley {
    /// Effective modulus E of both sides [Pa], > 0: 1/E is the sum of (1 - nu²)/E of each.
    pub effective_modulus: f64,
    /// Exponent n [-], >= 1.
    pub exponent: f64,
    /// Effective radius of curvature R [m]; 0 is that of the shapes: 1/R is the sum of their curvatures.
    pub radius: f64,
}

impl ContactLaw {
    /// The same with a coefficient of friction [-].
    pub fn rough(friction: f64) -> Self {
        Self { friction, ..Self::default() }
    }

    /// True if nothing may overlap.
    pub fn is_rigid(&self) -> bool {
        self.normal == NormalLaw::Linear && self.compliance.compliance == 0.0
    }
}

impl ElasticFoundation {
    /// Pressure over overlap [Pa/m]: (1 - nu) E / ((1 + nu) (1 - 2 nu) h), the modulus of a layer that cannot move sideways
    /// over its thickness.
    pub fn stiffness(&self) -> f64 {
        let (e, nu) = (self.youngs_modulus, self.poissons_ratio);
        (1.0 - nu) * e / ((1.0 + nu) * (1.0 - 2.0 * nu) * self.thickness)
    }
}

impl Default for ContactLaw {
    /// Rigid, without friction and rebound.
    fn default() -> Self {
        Self {
            friction: 0.0,
            stribeck: Stribeck::default(),
            rolling_friction: 0.0,
            restitution: 0.0,
            restitution_threshold: 0.01,
            normal: NormalLaw::default(),
            compliance: Compliance::default(),
            automatic: AutomaticCompliance::default(),
            foundation: ElasticFoundation::default(),
            hunt_crossley: HuntCrossley::default(),
            dissipation: 0.0,
            adhesion: Adhesion::default(),
            smooth: false,
            most_contacts: most_contacts(),
        }
    }
}

impl Default for ElasticFoundation {
    /// Two millimetres of something like cartilage under fast loads.
    fn default() -> Self {
        Self { youngs_modulus: 5e6, poissons_ratio: 0.45, thickness: 2e-3 }
    }
}

impl Default for HuntCrossley {
    /// Hertz's exponent, the modulus of rubber, the radius of the shapes.
    fn default() -> Self {
        Self { effective_modulus: 1e6, exponent: 1.5, radius: 0.0 }
    }
}
