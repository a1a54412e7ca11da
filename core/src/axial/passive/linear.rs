//! The linear spring with a linear damper.

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Linear spring and damper: F = k (l - l0) + d dl/dt.
    LinearSpring = "linear", Passive, "Lloyd2012" {
        /// Stiffness k.
        stiffness: f64 = 0.0, "N/m", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

impl TensionLaw for LinearSpring {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let stretch = input.length - input.rest_length;
        Tension {
            force: self.stiffness * stretch + self.damping * input.rate,
            by_length: self.stiffness,
            by_rate: self.damping,
            by_excitation: 0.0,
        }
    }

    fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
        Some(0.5 * self.stiffness * (length - rest_length).powi(2))
    }
}
