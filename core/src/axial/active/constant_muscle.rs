//! A muscle whose force does not depend on its length.

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Muscle of constant force: F = f (a + p) + d dl/dt.
    ConstantMuscle = "constant_muscle", Active, "Lloyd2012" {
        /// Maximum force f.
        max_force: f64 = 1.0, "N", Range::NonNegative;
        /// Passive force p as a part of f.
        passive_fraction: f64 = 0.0, "-", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

impl TensionLaw for ConstantMuscle {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let f = self.max_force;
        Tension {
            force: f * (input.excitation + self.passive_fraction) + self.damping * input.rate,
            by_length: 0.0,
            by_rate: self.damping,
            by_excitation: f,
        }
    }
}
