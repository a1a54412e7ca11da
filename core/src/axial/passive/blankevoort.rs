//! The ligament of Blankevoort and Huiskes: a quadratic toe and a line.

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};
use super::uw_ligament::{toe, toe_energy};

law_constants! {
    /// Ligament with a toe: e = (l - ls) / ls, F = k e² / (2 et) for 0 <= e <= et, k (e - et/2)
    /// beyond, plus d de/dt while it is taut and lengthens; nothing when e < 0.
    Blankevoort1991 = "blankevoort1991", Passive, "Blankevoort1991" {
        /// Force per strain k of the linear part.
        linear_stiffness: f64 = 100.0, "N", Range::NonNegative;
        /// Strain et where the linear part begins.
        transition_strain: f64 = 0.06, "-", Range::Positive;
        /// Damping d, force per rate of strain.
        damping: f64 = 0.003, "N s", Range::NonNegative;
        /// Slack length ls; zero takes the rest length of the line.
        slack_length: f64 = 0.0, "m", Range::NonNegative;
    }
}

/// The slack length of a ligament: its own, or else the rest length of the line.
pub(super) fn slack_or_rest(own: f64, rest_length: f64) -> Option<f64> {
    let slack = if own > 0.0 { own } else { rest_length };
    (slack > 0.0).then_some(slack)
}

impl TensionLaw for Blankevoort1991 {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let Some(slack) = slack_or_rest(self.slack_length, input.rest_length) else {
            return Tension::default();
        };
        let strain = (input.length - slack) / slack;
        let [force, slope] = toe(strain, self.transition_strain);
        let damped = strain > 0.0 && input.rate > 0.0;
        let damping = if damped { self.damping / slack } else { 0.0 };
        Tension {
            force: self.linear_stiffness * force + damping * input.rate,
            by_length: self.linear_stiffness * slope / slack,
            by_rate: damping,
            by_excitation: 0.0,
        }
    }

    fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
        let Some(slack) = slack_or_rest(self.slack_length, rest_length) else { return Some(0.0) };
        let strain = (length - slack) / slack;
        Some(self.linear_stiffness * slack * toe_energy(strain, self.transition_strain))
    }
}
