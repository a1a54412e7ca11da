//! A muscle whose active and passive force rise linearly with its length.

use super::super::constants::{ensure_above, law_constants};
use super::super::{AxialError, AxialInput, Past, Range, Tension, TensionLaw};
use super::ramp::ramp;

law_constants! {
    /// Linear muscle: F = f (a + p) r + d dl/dt, r = (l - lo) / (lm - lo) kept between 0 and 1.
    LinearMuscle = "linear_muscle", Active, "Lloyd2012" {
        /// Maximum force f.
        max_force: f64 = 1.0, "N", Range::NonNegative;
        /// Length lo where the force begins.
        optimal_length: f64 = 0.0, "m", Range::NonNegative;
        /// Length lm of the greatest force.
        max_length: f64 = 1.0, "m", Range::Positive;
        /// Passive force p as a part of f.
        passive_fraction: f64 = 0.0, "-", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

impl TensionLaw for LinearMuscle {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let [r, slope] = ramp(input.length, self.optimal_length, self.max_length);
        let pull = self.max_force * (input.excitation + self.passive_fraction);
        Tension {
            force: pull * r + self.damping * input.rate,
            by_length: pull * slope,
            by_rate: self.damping,
            by_excitation: self.max_force * r,
        }
    }

    fn check_together(&self) -> Result<(), AxialError> {
        ensure_above(self, "max_length", "optimal_length")
    }
}
