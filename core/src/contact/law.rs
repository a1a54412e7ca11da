//! Behaviour of two things at contact: compliance, damping, restitution and friction. Its use in a
//! step: `solve/constrained/unilateral`.

use serde::{Deserialize, Serialize};

use crate::constraint::Compliance;

/// Friction, rebound and compliance of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactLaw {
    /// Coefficient of friction (Coulomb) [-].
    pub friction: f64,
    /// Lever of the rolling resistance [m]: the moment across the normal is at most this times the force along it.
    /// A ball of radius R rests on slopes up to a tangent of this over R.
    #[serde(default)]
    pub rolling_friction: f64,
    /// Share of the velocity of approach with which they part (Newton) [-], 0 to 1.
    pub restitution: f64,
    /// Approaches slower than this do not rebound [m/s].
    pub restitution_threshold: f64,
    /// Compliance [m/N] and damping [N s/m] of each contact; rigid where the compliance is zero.
    #[serde(default)]
    pub compliance: Compliance,
}

impl ContactLaw {
    /// The same with a coefficient of friction [-].
    pub fn rough(friction: f64) -> Self {
        Self { friction, ..Self::default() }
    }
}

impl Default for ContactLaw {
    /// Rigid, without friction and rebound.
    fn default() -> Self {
        Self {
            friction: 0.0,
            rolling_friction: 0.0,
            restitution: 0.0,
            restitution_threshold: 0.01,
            compliance: Compliance::default(),
        }
    }
}
