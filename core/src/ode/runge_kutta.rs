//! Explicit pairs of Runge and Kutta: a trial step with its error, and the polynomial of an accepted one.

use super::problem::OdeSystem;
use super::tableau::Tableau;

/// Place in the step at which the extension of a pair that has none of its own takes one more rate: of the cubic polynomial
/// through both ends, whose error is of order h^4 (Shampine1985). Half of the step would say nothing.
const EXTRA: f64 = 0.25;

/// A pair with its work vectors.
#[derive(Debug)]
pub(super) struct RungeKutta {
    tableau: &'static Tableau,
    /// Rates of the stages.
    k: Vec<Vec<f64>>,
    /// Coefficients of the polynomial of the last step.
    polynomial: [Vec<f64>; 5],
    /// True if the highest of them is known.
    complete: bool,
}

impl RungeKutta {
    pub(super) fn new(tableau: &'static Tableau, size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            tableau,
            k: tableau.c.iter().map(|_| zeros()).collect(),
            polynomial: std::array::from_fn(|_| zeros()),
            complete: false,
        }
    }

    /// Tries a step of `h` from `y` with its rates: the end into `end`, its error into `error`.
    pub(super) fn attempt<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        (y, rates): (&[f64], &[f64]),
        (end, error): (&mut [f64], &mut [f64]),
    ) -> Result<usize, S::Error> {
        let Tableau { c, a, b, e, .. } = self.tableau;
        self.k[0].copy_from_slice(rates);
        for stage in 1..c.len() {
            let (known, rest) = self.k.split_at_mut(stage);
            combine(end, y, h, a[stage], known);
            system.rates(time + c[stage] * h, end, &mut rest[0])?;
        }
        combine(end, y, h, b, &self.k);
        error.fill(0.0);
        for (weight, k) in e.iter().zip(&self.k).filter(|(weight, _)| **weight != 0.0) {
            error.iter_mut().zip(k).for_each(|(error, k)| *error += h * weight * k);
        }
        Ok(c.len() - 1)
    }

    /// The rate at the end of the last trial, where it is a stage.
    pub(super) fn end_rates(&self) -> Option<&[f64]> {
        self.tableau.first_same_as_last.then(|| &self.k[self.k.len() - 1][..])
    }

    /// The polynomial of an accepted step from `y` to `end` with rates there.
    pub(super) fn accept(
        &mut self,
        h: f64,
        (y, rates): (&[f64], &[f64]),
        (end, end_rates): (&[f64], &[f64]),
    ) {
        let [p0, p1, p2, p3, p4] = &mut self.polynomial;
        for i in 0..y.len() {
            let change = end[i] - y[i];
            let bend = h * rates[i] - change;
            (p0[i], p1[i], p2[i], p3[i]) = (y[i], change, bend, change - h * end_rates[i] - bend);
            p4[i] = 0.0;
        }
        self.complete = !self.tableau.dense.is_empty();
        for (stage, weight) in self.tableau.dense.iter().enumerate() {
            let last = stage + 1 == self.k.len();
            let k = if last { end_rates } else { &self.k[stage][..] };
            p4.iter_mut().zip(k).for_each(|(p, k)| *p += h * weight * k);
        }
    }

    /// Completes the polynomial of the last step, which began at `time`. Number of evaluations.
    pub(super) fn complete<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
    ) -> Result<usize, S::Error> {
        if self.complete {
            return Ok(0);
        }
        let mut place = std::mem::take(&mut self.k[0]);
        self.evaluate(EXTRA, &mut place);
        let done = system.rates(time + EXTRA * h, &place, &mut self.k[1]);
        self.k[0] = place;
        done?;
        let s = EXTRA;
        let [_, p1, p2, p3, p4] = &mut self.polynomial;
        for i in 0..p4.len() {
            // Derivative by the share of the step of the cubic polynomial, and of s² (1 - s)².
            let slope = p1[i] + (1.0 - 2.0 * s) * p2[i] + (2.0 * s - 3.0 * s * s) * p3[i];
            p4[i] = (h * self.k[1][i] - slope) / (2.0 * s * (1.0 - s) * (1.0 - 2.0 * s));
        }
        self.complete = true;
        Ok(1)
    }

    /// Values at a share of the last step.
    pub(super) fn evaluate(&self, s: f64, y: &mut [f64]) {
        let [p0, p1, p2, p3, p4] = &self.polynomial;
        let r = 1.0 - s;
        for (i, y) in y.iter_mut().enumerate() {
            *y = p0[i] + s * (p1[i] + r * (p2[i] + s * (p3[i] + r * p4[i])));
        }
    }
}

/// `out` = y + h times the weighted sum of rates.
pub(super) fn combine(out: &mut [f64], y: &[f64], h: f64, weights: &[f64], k: &[Vec<f64>]) {
    out.copy_from_slice(y);
    for (weight, k) in weights.iter().zip(k).filter(|(weight, _)| **weight != 0.0) {
        out.iter_mut().zip(k).for_each(|(out, k)| *out += h * weight * k);
    }
}
