//! A tension that nothing changes.

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Constant tension: F = f.
    ConstantTension = "constant", Passive, "Lloyd2012" {
        /// Tension f.
        force: f64 = 0.0, "N", Range::Finite;
    }
}

impl TensionLaw for ConstantTension {
    fn tension(&self, _input: &AxialInput, _past: &Past<'_>) -> Tension {
        Tension { force: self.force, ..Tension::default() }
    }

    fn energy(&self, length: f64, _rest_length: f64) -> Option<f64> {
        Some(self.force * length)
    }
}
