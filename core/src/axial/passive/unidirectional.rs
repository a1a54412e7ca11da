//! The linear spring that is slack when it is short.

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Spring that only pulls: F = k max(l - l0, 0) + d dl/dt. The damper works at every length, as
    /// in ArtiSynth.
    UnidirectionalSpring = "unidirectional_linear", Passive, "Lloyd2012" {
        /// Stiffness k.
        stiffness: f64 = 0.0, "N/m", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

impl TensionLaw for UnidirectionalSpring {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let stretch = input.length - input.rest_length;
        let stiffness = if stretch < 0.0 { 0.0 } else { self.stiffness };
        Tension {
            force: stiffness * stretch + self.damping * input.rate,
            by_length: stiffness,
            by_rate: self.damping,
            by_excitation: 0.0,
        }
    }

    fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
        Some(0.5 * self.stiffness * (length - rest_length).max(0.0).powi(2))
    }
}
