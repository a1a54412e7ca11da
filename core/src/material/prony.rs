//! Quasi-linear viscoelasticity (Fung1993, PusoWeiss1998): a stress that follows any elastic law at once and relaxes
//! by a Prony series. The data and the weights of a step alone; stresses that are remembered are in `fem/`.
//!
//! With the stress `S` of the law and terms of share `g` and time `tau`,
//! `S_v(t) = c S(t) + sum_i g_i H_i(t)`, `H_i(t) = int_0^t exp(-(t - s)/tau_i) dS/ds ds`, where `c` is 1 or `1 - sum g_i`.

use serde::{Deserialize, Serialize};

use crate::property::{Problem, Refusal};

/// Most terms of a series: one a decade for all times that tissue is measured at, and more.
pub const MOST_TERMS: usize = 12;

/// A term of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PronyTerm {
    /// Relaxation time tau [s], positive.
    pub time: f64,
    /// Share g of the stress of the law that relaxes with it [-], not negative.
    pub share: f64,
}

/// Response that the constants of the elastic law describe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PronyLaw {
    /// The one that is left in the long run: `c` = 1, and the response at once is `1 + sum g_i` times as stiff (FEBio;
    /// ArtiSynth's QLV with gamma0 = 1).
    #[default]
    LongTerm,
    /// The one at once: `c = 1 - sum g_i` of it is left in the long run.
    Instantaneous,
}

/// Stress that relaxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PronyStress {
    /// The second Piola-Kirchhoff stress (FEBio).
    #[default]
    SecondPiolaKirchhoff,
    /// The Cauchy stress (ArtiSynth), in axes that turn with the rotation of the polar decomposition of the point, so that a
    /// rigid motion adds nothing.
    Cauchy,
}

/// A Prony series over the elastic law of a tissue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PronySeries {
    /// Its terms, [`MOST_TERMS`] at most; an elastic tissue has none.
    pub terms: Vec<PronyTerm>,
    /// Response that the elastic law describes.
    pub law: PronyLaw,
    /// Stress that relaxes.
    pub stress: PronyStress,
}

impl PronySeries {
    /// A series over the long-term response from times [s] and shares [-].
    pub fn new(terms: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let terms = terms.into_iter().map(|[time, share]| PronyTerm { time, share }).collect();
        Self { terms, ..Self::default() }
    }

    /// Share of the stress of the law that is left in the long run [-].
    pub fn long_term(&self) -> f64 {
        let relaxing: f64 = self.terms.iter().map(|term| term.share).sum();
        match self.law {
            PronyLaw::LongTerm => 1.0,
            PronyLaw::Instantaneous => 1.0 - relaxing,
        }
    }

    /// Times and shares in turn.
    pub(crate) fn to_list(&self) -> Vec<f64> {
        self.terms.iter().flat_map(|term| [term.time, term.share]).collect()
    }

    /// Puts times and shares, in turn, in the place of its terms.
    pub(crate) fn put_list(&mut self, list: &[f64]) -> Result<(), Refusal> {
        let (rows, rest) = list.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(Refusal::Value("it must be a relaxation time and a share a term"));
        }
        self.terms = rows.iter().map(|&[time, share]| PronyTerm { time, share }).collect();
        Ok(())
    }

    /// Refuses times that are not above zero, shares below it, and shares that leave nothing in the long run.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let refused = |what, value, must| Err(Problem::Entry { what, value, must });
        let count = self.terms.len();
        if count > MOST_TERMS {
            return refused("number of terms", count as f64, "12 at most");
        }
        for &PronyTerm { time, share } in &self.terms {
            if !(time.is_finite() && time > 0.0) {
                return refused("relaxation time", time, "finite and above 0");
            }
            if !(share.is_finite() && share >= 0.0) {
                return refused("share", share, "finite and 0 or above");
            }
        }
        let left = self.long_term();
        if left <= 0.0 {
            let must = "below 1 where the law is that of the response at once (prony_law), so that it resists in the long run";
            return refused("sum of shares", 1.0 - left, must);
        }
        Ok(())
    }
}

/// Weights of the stresses that are remembered after a step of `x` relaxation times, exact for a stress that changes
/// linearly over the step: with `S0` and `Q0` at its start, `Q = S - H` at its end is
/// `(1 - a) S + (a - e) S0 + e Q0`, `e = exp(-x)` and `a = (1 - e)/x` (TaylorPisterGoudreau1970).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepWeights {
    /// Share of the change of the stress that has not relaxed at the end, a.
    pub(crate) change: f64,
    /// Share of what was there that has not, e.
    pub(crate) rest: f64,
}

impl StepWeights {
    /// Weights of the stress at the end, of that at the start and of the delayed one there, in the delayed one at the end.
    pub(crate) fn delayed(self) -> [f64; 3] {
        [1.0 - self.change, self.start(), self.rest]
    }

    /// After `x` relaxation times, 0 or more.
    pub(crate) fn after(x: f64) -> Self {
        let relaxed = -(-x).exp_m1();
        // 1 - x/2 + x²/6 has all digits there.
        let change = if x < 1e-5 { 1.0 - x * (0.5 - x / 6.0) } else { relaxed / x };
        Self { change, rest: 1.0 - relaxed }
    }

    /// Weight of the stress at the start, a - e.
    pub(crate) fn start(self) -> f64 {
        self.change - self.rest
    }
}

/// Stress of a point `step` [s] after its memory was brought up to date: the multiple of the present stress of the law
/// \[-\], and the weights of the stresses that are remembered, that of the law first and then the delayed one of each term.
pub(crate) fn present_weights(
    terms: &[PronyTerm],
    long_term: f64,
    step: f64,
) -> (f64, [f64; MOST_TERMS + 1]) {
    let (mut factor, mut weights) = (long_term, [0.0; MOST_TERMS + 1]);
    for (k, term) in terms.iter().enumerate() {
        let weight = StepWeights::after(step / term.time);
        factor += term.share * weight.change;
        weights[0] -= term.share * weight.start();
        weights[1 + k] = -term.share * weight.rest;
    }
    (factor, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_integral() {
        for x in [0.0, 1e-12, 3e-6, 1e-5, 1e-3, 0.3, 4.0, 800.0] {
            let at = StepWeights::after(x);
            // Mean of exp(-x s) for s from 0 to 1, by Gauss's rule of three points on 4000 parts.
            let mean: f64 = (0..4000)
                .map(|k| {
                    let at = |r: f64| (-x * (f64::from(k) + 0.5 + 0.5 * r) / 4000.0).exp();
                    let far = 0.6f64.sqrt();
                    (5.0 * (at(-far) + at(far)) + 8.0 * at(0.0)) / 18.0 / 4000.0
                })
                .sum();
            assert!((at.change - mean).abs() < 1e-13, "x = {x}: {} and {mean}", at.change);
            assert!((at.rest - (-x).exp()).abs() < 1e-15, "x = {x}");
            assert!(at.start() >= 0.0 && at.start() < 0.3, "x = {x}: {}", at.start());
        }
    }

    #[test]
    fn a_series_that_would_gain_energy_or_leave_nothing_is_refused() {
        let refused = |series: PronySeries| series.check().unwrap_err().to_string();
        assert!(PronySeries::new([[0.5, 0.6], [5.0, 0.3]]).check().is_ok());
        assert!(refused(PronySeries::new([[0.0, 0.6]])).contains("relaxation time of 0"));
        assert!(refused(PronySeries::new([[1.0, -0.1]])).contains("share of -0.1"));
        assert!(refused(PronySeries::new([[1.0, f64::NAN]])).contains("share of NaN"));
        assert!(refused(PronySeries::new([[1.0, 0.01]; 13])).contains("13"));
        let law = PronyLaw::Instantaneous;
        let all = PronySeries { law, ..PronySeries::new([[1.0, 0.7], [2.0, 0.3]]) };
        assert!(refused(all).contains("sum of shares"));
        // Over the long-term response shares may add up to any number.
        assert!(PronySeries::new([[1.0, 3.0]]).check().is_ok());
    }
}
