//! Coefficient of friction by the speed of the slip: Coulomb's, with Stribeck's fall from rest and a viscous part
//! (ArmstrongHelouvryEtAl1994, equation 8). Its use in a step: `solve/constrained/unilateral/friction.rs`.

use serde::{Deserialize, Serialize};

use super::ContactLaw;

/// Dependence of friction on the speed v of the slip: c + (s - c) exp(-(v/v_s)²) + k v, c the coefficient of sliding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stribeck {
    /// Coefficient s at rest [-]; 0 is that of sliding.
    pub static_friction: f64,
    /// Speed v_s at which the coefficient has fallen by 63 % of its fall [m/s], > 0.
    pub velocity: f64,
    /// Viscous part k [s/m].
    pub viscous: f64,
}

impl Default for Stribeck {
    /// No dependence; lubricated metals fall within 1 mm/s to 100 mm/s.
    fn default() -> Self {
        Self { static_friction: 0.0, velocity: 0.01, viscous: 0.0 }
    }
}

impl ContactLaw {
    /// Coefficient of friction [-] at a speed of the slip [m/s].
    pub fn friction_at(&self, speed: f64) -> f64 {
        let Stribeck { static_friction, velocity, viscous } = self.stribeck;
        let fall = match static_friction > 0.0 {
            true => (static_friction - self.friction) * (-(speed / velocity).powi(2)).exp(),
            false => 0.0,
        };
        self.friction + fall + viscous * speed
    }

    /// True if there is any friction against slip.
    pub fn has_friction(&self) -> bool {
        self.friction != 0.0 || self.friction_varies()
    }

    /// True if the coefficient of friction depends on the speed.
    pub fn friction_varies(&self) -> bool {
        self.stribeck.static_friction != 0.0 || self.stribeck.viscous != 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_falls_from_rest_to_sliding_and_rises_with_speed() {
        let stribeck = Stribeck { static_friction: 0.5, velocity: 0.02, viscous: 0.1 };
        let law = ContactLaw { friction: 0.2, stribeck, ..ContactLaw::default() };
        assert_eq!(law.friction_at(0.0), 0.5);
        let expected = 0.2 + 0.3 * (-1f64).exp() + 0.1 * 0.02;
        assert!((law.friction_at(0.02) - expected).abs() < 1e-15);
        assert!((law.friction_at(5.0) - 0.7).abs() < 1e-15);
        let coulomb = ContactLaw::rough(0.2);
        assert!(coulomb.has_friction() && !coulomb.friction_varies());
        assert_eq!(coulomb.friction_at(3.0), 0.2);
    }
}
