//! Blemker's fibre law along a line.

use super::super::constants::{ensure_above, law_constants};
use super::super::{AxialError, AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Blemker's muscle, n = l/lo: F = f (a c + q) + d dl/dt; c = 9 (n - 0.4)² for 0.4 < n <= 0.6,
    /// 1 - 4 (1 - n)² to 1.4, 9 (n - 1.6)² to 1.6; q = P1 (exp(P2 (n - 1)) - 1) for lo < l <= lm,
    /// then its tangent.
    BlemkerMuscle = "blemker", Active, "Blemker2005" {
        /// Maximum force f.
        max_force: f64 = 3e5, "N", Range::NonNegative;
        /// Optimal length lo.
        optimal_length: f64 = 1.0, "m", Range::Positive;
        /// Length lm from which on passive force is linear.
        max_length: f64 = 1.4, "m", Range::Positive;
        /// Coefficient P1 of the passive force.
        exp_stress_coefficient: f64 = 0.05, "-", Range::NonNegative;
        /// Exponent P2 of the passive force, how fast crimped fibres straighten.
        uncrimping_factor: f64 = 6.6, "-", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

fn active(n: f64) -> [f64; 2] {
    if n <= 0.4 || n >= 1.6 {
        [0.0, 0.0]
    } else if n <= 0.6 {
        [9.0 * (n - 0.4).powi(2), 18.0 * (n - 0.4)]
    } else if n < 1.4 {
        [1.0 - 4.0 * (1.0 - n).powi(2), 8.0 * (1.0 - n)]
    } else {
        [9.0 * (n - 1.6).powi(2), 18.0 * (n - 1.6)]
    }
}

impl BlemkerMuscle {
    fn passive(&self, n: f64) -> [f64; 2] {
        if n <= 1.0 {
            return [0.0, 0.0];
        }
        let (p1, p2) = (self.exp_stress_coefficient, self.uncrimping_factor);
        let curved = n.min(self.max_length / self.optimal_length) - 1.0;
        let slope = p1 * p2 * (p2 * curved).exp();
        [p1 * (p2 * curved).exp_m1() + slope * (n - 1.0 - curved), slope]
    }
}

impl TensionLaw for BlemkerMuscle {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let n = input.length / self.optimal_length;
        let ([c, c_slope], [q, q_slope]) = (active(n), self.passive(n));
        let (f, a) = (self.max_force, input.excitation);
        Tension {
            force: f * (a * c + q) + self.damping * input.rate,
            by_length: f * (a * c_slope + q_slope) / self.optimal_length,
            by_rate: self.damping,
            by_excitation: f * c,
        }
    }

    fn check_together(&self) -> Result<(), AxialError> {
        ensure_above(self, "max_length", "optimal_length")
    }
}
