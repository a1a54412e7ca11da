//! A spring in series with a dashpot. State: the length of the spring [m].

use super::super::constants::law_constants;
use super::super::{
    AxialInput, BY_LENGTH, BY_LENGTH_BEFORE, BY_STATE, Before, Past, Range, STIFF, Settling,
    StateSlopes, StepSlope, Tension, TensionLaw,
};

law_constants! {
    /// Maxwell element, a spring of length s in series with a dashpot: F = k (s - l0) = d (dl/dt -
    /// ds/dt), solved exactly for a length l that is linear over the step.
    MaxwellElement = "maxwell", Passive, "Lloyd2012" {
        /// Stiffness k.
        stiffness: f64 = 0.0, "N/m", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

impl MaxwellElement {
    /// Length of the spring at the end of a step, its derivative by the length of the line there, and that by its own at the begin.
    fn spring(&self, input: &AxialInput, before: &Before, from: f64) -> [f64; 3] {
        let (k, d, l0) = (self.stiffness, self.damping, input.rest_length);
        if before.step <= 0.0 || (k == 0.0 && d == 0.0) {
            return [from, 0.0, 1.0];
        }
        // Steps over the time of relaxation d/k; what is left of the start, and what a steady motion adds.
        let z = k * before.step / d;
        let share = if z > 0.0 { -(-z).exp_m1() / z } else { 1.0 };
        let left = (-z).exp();
        [l0 + (from - l0) * left + (input.length - before.length) * share, share, left]
    }
}

impl TensionLaw for MaxwellElement {
    fn tension(&self, input: &AxialInput, past: &Past<'_>) -> Tension {
        let [spring, by_length, _] = self.spring(input, &past.before, past.state[0]);
        Tension {
            force: self.stiffness * (spring - input.rest_length),
            by_length: self.stiffness * by_length,
            by_rate: 0.0,
            by_excitation: 0.0,
        }
    }

    fn state_len(&self) -> usize {
        1
    }

    fn slopes(&self, input: &AxialInput, past: &Past<'_>) -> StateSlopes {
        let [_, by_length, by_spring] = self.spring(input, &past.before, past.state[0]);
        let mut spring = StepSlope::zeros();
        spring[BY_STATE] = by_spring;
        spring[BY_LENGTH_BEFORE] = -by_length;
        spring[BY_LENGTH] = by_length;
        StateSlopes { force: spring * self.stiffness, state: [spring, StepSlope::zeros()] }
    }

    fn start(&self, input: &AxialInput, state: &mut [f64]) -> Settling {
        state[0] = input.rest_length;
        Settling::Balanced
    }

    fn advance(&self, input: &AxialInput, before: &Before, state: &mut [f64]) -> Settling {
        state[0] = self.spring(input, before, state[0])[0];
        Settling::Balanced
    }

    fn rates(&self, input: &AxialInput, (state, step): (&[f64], f64), rates: &mut [f64]) {
        let length = input.length - input.rate * step;
        let end =
            self.spring(input, &Before { length, ..Before::unchanged(input, step) }, state[0])[0];
        rates[0] = match self.stiffness * step > STIFF * self.damping {
            true => (end - state[0]) / step,
            false if self.stiffness == 0.0 => input.rate,
            false => input.rate - self.stiffness / self.damping * (state[0] - input.rest_length),
        };
    }
}
