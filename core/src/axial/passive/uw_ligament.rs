//! The ligament of the University of Wisconsin's knee model, after Blankevoort and Huiskes.

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Ligament given by its strain er when the line has its rest length: e = (l (1 + er) - l0) /
    /// l0, F = k e² / (2 et) for 0 < e < et, k (e - et/2) beyond, plus k b de/dt; nothing when e <=
    /// 0, and never less than nothing.
    UwLigament = "uw_ligament", Passive, "Blankevoort1991" {
        /// Strain er at the rest length of the line.
        reference_strain: f64 = 0.0, "-", Range::Within(-0.9, 10.0);
        /// Force per strain k of the linear part.
        linear_stiffness: f64 = 100.0, "N", Range::NonNegative;
        /// Strain et where the linear part begins.
        transition_strain: f64 = 0.03, "-", Range::Positive;
        /// Damping b as a part of k.
        normalized_damping: f64 = 0.003, "s", Range::NonNegative;
    }
}

/// Force over stiffness at a strain: a parabola to the transition strain, then a line.
pub(super) fn toe(strain: f64, transition: f64) -> [f64; 2] {
    if strain <= 0.0 {
        [0.0, 0.0]
    } else if strain < transition {
        [0.5 * strain * strain / transition, strain / transition]
    } else {
        [strain - 0.5 * transition, 1.0]
    }
}

/// Integral of [`toe`] over the strain from zero.
pub(super) fn toe_energy(strain: f64, transition: f64) -> f64 {
    let strain = strain.max(0.0);
    let curved = strain.min(transition);
    let line = strain - curved;
    curved.powi(3) / (6.0 * transition) + 0.5 * line * (transition + line)
}

impl UwLigament {
    /// Strain and its derivative by the length.
    fn strain(&self, length: f64, rest_length: f64) -> [f64; 2] {
        let by_length = (1.0 + self.reference_strain) / rest_length;
        [length * by_length - 1.0, by_length]
    }
}

impl TensionLaw for UwLigament {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        if input.rest_length <= 0.0 {
            return Tension::default();
        }
        let [strain, by_length] = self.strain(input.length, input.rest_length);
        if strain <= 0.0 {
            return Tension::default();
        }
        let [force, slope] = toe(strain, self.transition_strain);
        let damping = self.linear_stiffness * self.normalized_damping * by_length;
        let tension = Tension {
            force: self.linear_stiffness * force + damping * input.rate,
            by_length: self.linear_stiffness * slope * by_length,
            by_rate: damping,
            by_excitation: 0.0,
        };
        tension.or_slack()
    }

    fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
        if rest_length <= 0.0 {
            return Some(0.0);
        }
        let [strain, by_length] = self.strain(length, rest_length);
        Some(self.linear_stiffness * toe_energy(strain, self.transition_strain) / by_length)
    }
}
