//! Pai's muscle: Peck's without the descending limb.

use super::super::constants::{ensure_above, law_constants};
use super::super::{AxialError, AxialInput, Past, Range, Tension, TensionLaw};
use super::ramp::{normalized, raised_cosine, ramp};

law_constants! {
    /// Pai's muscle: F = f (a c + p r) + d dl/dt, c = (1 + cos 2 pi n) / 2 for 1/2 < n < 1 and 1
    /// beyond; n = (l - t lo) / (lo (1 - t)), r = (l - lo) / (lm - lo) kept between 0 and 1.
    PaiMuscle = "pai", Active, "Lloyd2012" {
        /// Maximum force f.
        max_force: f64 = 1.0, "N", Range::NonNegative;
        /// Length lo from which on active force is greatest and passive force begins.
        optimal_length: f64 = 0.0, "m", Range::NonNegative;
        /// Length lm of the greatest passive force.
        max_length: f64 = 1.0, "m", Range::Positive;
        /// Part t of the optimal length that is tendon.
        tendon_ratio: f64 = 0.0, "-", Range::Below(0.0, 1.0);
        /// Greatest passive force p as a part of f.
        passive_fraction: f64 = 0.0, "-", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

impl TensionLaw for PaiMuscle {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let [n, by_l] = normalized(input.length, self.optimal_length, self.tendon_ratio);
        let [c, slope] = if n >= 1.0 {
            [1.0, 0.0]
        } else if n > 0.5 {
            raised_cosine(n)
        } else {
            [0.0, 0.0]
        };
        let [r, r_slope] = ramp(input.length, self.optimal_length, self.max_length);
        let (f, a, p) = (self.max_force, input.excitation, self.passive_fraction);
        Tension {
            force: f * (a * c + p * r) + self.damping * input.rate,
            by_length: f * (a * slope * by_l + p * r_slope),
            by_rate: self.damping,
            by_excitation: f * c,
        }
    }

    fn check_together(&self) -> Result<(), AxialError> {
        ensure_above(self, "max_length", "optimal_length")
    }
}
