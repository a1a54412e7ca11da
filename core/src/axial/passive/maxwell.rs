//! A spring in series with a dashpot. State: the length of the spring [m].

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Settling, Tension, TensionLaw};

law_constants! {
    /// Maxwell element, a spring of length s in series with a dashpot: F = k (s - l0) = d (dl/dt -
    /// ds/dt), with s by backward Euler over the step from the rate at its end.
    MaxwellElement = "maxwell", Passive, "Lloyd2012" {
        /// Stiffness k.
        stiffness: f64 = 0.0, "N/m", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

impl MaxwellElement {
    /// Length of the spring at the end of a step, and its derivative by the rate there.
    fn spring(&self, input: &AxialInput, step: f64, from: f64) -> [f64; 2] {
        let (k, d, l0) = (self.stiffness, self.damping, input.rest_length);
        let below = k * step + d;
        if step <= 0.0 || below <= 0.0 {
            return [from, 0.0];
        }
        [l0 + d * (from - l0 + step * input.rate) / below, step * d / below]
    }
}

impl TensionLaw for MaxwellElement {
    fn tension(&self, input: &AxialInput, past: &Past<'_>) -> Tension {
        let [spring, by_rate] = self.spring(input, past.step, past.state[0]);
        Tension {
            force: self.stiffness * (spring - input.rest_length),
            by_length: 0.0,
            by_rate: self.stiffness * by_rate,
            by_excitation: 0.0,
        }
    }

    fn state_len(&self) -> usize {
        1
    }

    fn start(&self, input: &AxialInput, state: &mut [f64]) -> Settling {
        state[0] = input.rest_length;
        Settling::Balanced
    }

    fn advance(&self, input: &AxialInput, step: f64, state: &mut [f64]) -> Settling {
        state[0] = self.spring(input, step, state[0])[0];
        Settling::Balanced
    }
}
