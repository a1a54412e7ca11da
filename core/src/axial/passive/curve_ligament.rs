//! The ligament whose force is a curve over its stretch, as in OpenSim.

use super::super::constants::law_constants;
use super::super::curve::{Node, hermite, hermite_integral};
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};
use super::blankevoort::slack_or_rest;

law_constants! {
    /// Ligament with a force curve: F = f c(l / ls) + (d / ls) dl/dt, with c ArtiSynth's smooth
    /// form of OpenSim's default curve, zero below 1 and 2 from 1.75 on. The damper works at every
    /// length.
    CurveLigament = "axial_ligament", Passive, "Delp2007" {
        /// Force f by which the curve is multiplied.
        max_force: f64 = 1.0, "N", Range::NonNegative;
        /// Damping d, force per rate of stretch.
        damping: f64 = 0.0, "N s", Range::NonNegative;
        /// Slack length ls; zero takes the rest length of the line.
        slack_length: f64 = 0.0, "m", Range::NonNegative;
    }
}

const CURVE: [Node; 4] = [
    [1.0, 0.0, 0.0],
    [1.453_970_649_718_874_7, 0.767_342_456_948_725_9, 4.243_209_002_494_207],
    [1.577_742_160_990_428, 1.829_897_408_973_046_6, 2.912_517_275_627_977],
    [1.748_693_357_719_253_6, 2.0, 0.0],
];

impl TensionLaw for CurveLigament {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let Some(slack) = slack_or_rest(self.slack_length, input.rest_length) else {
            return Tension::default();
        };
        let [value, slope] = hermite(&CURVE, input.length / slack);
        Tension {
            force: self.max_force * value + self.damping * input.rate / slack,
            by_length: self.max_force * slope / slack,
            by_rate: self.damping / slack,
            by_excitation: 0.0,
        }
    }

    fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
        let Some(slack) = slack_or_rest(self.slack_length, rest_length) else { return Some(0.0) };
        Some(self.max_force * slack * hermite_integral(&CURVE, length / slack))
    }
}
