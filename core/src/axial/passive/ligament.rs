//! A spring with one stiffness in elongation and another in compression.

use super::super::constants::law_constants;
use super::super::curve::{hermite, hermite_integral};
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Two-sided spring: F = k (l - l0) + d dl/dt with k = ke when long and kc when short, the two
    /// lines joined over l0 (1 +- w/2) by the cubic that meets both with their slopes.
    TwoSidedLigament = "ligament", Passive, "Lloyd2012" {
        /// Stiffness in elongation ke.
        elongation_stiffness: f64 = 0.0, "N/m", Range::NonNegative;
        /// Stiffness in compression kc.
        compression_stiffness: f64 = 0.0, "N/m", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
        /// Width w of the blend as a part of the rest length.
        blend: f64 = 0.01, "-", Range::Below(0.0, 2.0);
    }
}

impl TwoSidedLigament {
    /// Nodes of the blend over the stretch l - l0, none when it has no width.
    fn nodes(&self, rest_length: f64) -> Option<[[f64; 3]; 2]> {
        let half = 0.5 * self.blend * rest_length;
        let (kc, ke) = (self.compression_stiffness, self.elongation_stiffness);
        (half > 0.0).then_some([[-half, -half * kc, kc], [half, half * ke, ke]])
    }

    fn spring(&self, stretch: f64, rest_length: f64) -> [f64; 2] {
        if let Some(nodes) = self.nodes(rest_length) {
            return hermite(&nodes, stretch);
        }
        let (kc, ke) = (self.compression_stiffness, self.elongation_stiffness);
        let k = if stretch < 0.0 { kc } else { ke };
        [k * stretch, k]
    }
}

impl TensionLaw for TwoSidedLigament {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let [force, by_length] = self.spring(input.length - input.rest_length, input.rest_length);
        Tension {
            force: force + self.damping * input.rate,
            by_length,
            by_rate: self.damping,
            by_excitation: 0.0,
        }
    }

    fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
        let stretch = length - rest_length;
        let Some(nodes) = self.nodes(rest_length) else {
            return Some(0.5 * self.spring(stretch, rest_length)[0] * stretch);
        };
        let from = nodes[0][0];
        if stretch <= from {
            return Some(0.5 * self.compression_stiffness * stretch * stretch);
        }
        let start = 0.5 * self.compression_stiffness * from * from;
        Some(start + hermite_integral(&nodes, stretch))
    }
}
