//! Adams-Bashforth-Moulton in the form PECE of variable step and order, by modified divided differences
//! (ShampineGordon1975, chapters 5 to 7 and 10); indices below are those of the book less one.

use super::control::error_norm;
use super::problem::OdeSystem;
use super::settings::Tolerance;

/// Highest order of the predictor; that of the corrector is one more.
pub(super) const MAX_ORDER: usize = 12;
/// Differences that are kept.
const KEPT: usize = MAX_ORDER + 2;
/// Part of the tolerance that errors of steps to come are to stay below [-].
const AIM: f64 = 0.5;

/// History of a solution, and the step under way.
#[derive(Debug)]
pub(super) struct Adams {
    /// Order of the predictor.
    pub(super) order: usize,
    /// Modified divided differences of the rates at the latest time, scaled for the step under way while it is tried.
    phi: Vec<Vec<f64>>,
    /// Differences that are known.
    known: usize,
    /// Times from the latest back to those before it [s], by number of steps; and those of the step under way.
    psi: [f64; KEPT],
    new_psi: [f64; KEPT],
    beta: [f64; KEPT],
    g: [f64; KEPT + 1],
    /// Steps of one length in a row.
    equal: usize,
    last_step: f64,
    refusals: usize,
    /// True while order and step grow at the start.
    starting: bool,
    /// Errors of the orders one below, of this and one above, over the tolerance.
    errors: [f64; 3],
    lower: bool,
    /// The end of the last step, for the polynomial, and its differences there.
    end: Vec<f64>,
    terms: usize,
    work: Vec<f64>,
}

impl Adams {
    pub(super) fn new(size: usize) -> Self {
        Self {
            order: 1,
            phi: vec![vec![0.0; size]; KEPT],
            known: 0,
            psi: [0.0; KEPT],
            new_psi: [0.0; KEPT],
            beta: [1.0; KEPT],
            g: [0.0; KEPT + 1],
            equal: 0,
            last_step: 0.0,
            refusals: 0,
            starting: true,
            errors: [0.0; 3],
            lower: false,
            end: vec![0.0; size],
            terms: 1,
            work: vec![0.0; size],
        }
    }

    /// Forgets all but the rates at the start.
    pub(super) fn start(&mut self, rates: &[f64]) {
        (self.order, self.known, self.equal, self.last_step) = (1, 1, 0, 0.0);
        (self.refusals, self.starting, self.lower) = (0, true, false);
        self.psi = [0.0; KEPT];
        self.phi[0].copy_from_slice(rates);
    }

    /// Takes the rates at the end of a step for the history of the next.
    pub(super) fn seed(&mut self, times: &[f64], rates: &[Vec<f64>]) {
        self.start(&rates[0]);
        for (k, (&time, rates)) in times.iter().zip(rates).enumerate().skip(1) {
            let h = time - times[k - 1];
            self.order = k;
            self.prepare(h);
            self.scale();
            self.shift(h, rates);
        }
        self.order = times.len();
    }

    /// Coefficients of a step of `h`.
    fn prepare(&mut self, h: f64) {
        let k = self.order;
        self.new_psi[0] = h;
        self.beta[0] = 1.0;
        for i in 1..=k + 1 {
            self.new_psi[i] = self.psi[i - 1] + h;
            let ratio = self.new_psi[i - 1] / self.psi[i - 1];
            self.beta[i] = if self.psi[i - 1] > 0.0 { self.beta[i - 1] * ratio } else { 0.0 };
        }
        let mut row = [0.0; KEPT + 2];
        row.iter_mut().enumerate().for_each(|(q, c)| *c = 1.0 / (q + 1) as f64);
        self.g[0] = 1.0;
        for i in 1..=k + 1 {
            let alpha = h / self.new_psi[i - 1];
            for q in 0..=k + 1 - i {
                row[q] -= alpha * row[q + 1];
            }
            self.g[i] = row[0];
        }
    }

    /// Differences for the step under way.
    fn scale(&mut self) {
        for i in 0..self.known.min(self.order + 1) {
            let beta = self.beta[i];
            self.phi[i].iter_mut().for_each(|phi| *phi *= beta);
        }
    }

    /// Takes back what [`Self::scale`] did.
    fn unscale(&mut self) {
        for i in 0..self.known.min(self.order + 1) {
            let beta = self.beta[i];
            self.phi[i].iter_mut().for_each(|phi| *phi /= beta);
        }
    }

    /// Differences at the end of a step of `h` with rates there.
    fn shift(&mut self, h: f64, rates: &[f64]) {
        let scaled = self.known.min(self.order + 1);
        self.work.copy_from_slice(rates);
        for i in 0..scaled {
            std::mem::swap(&mut self.work, &mut self.phi[i]);
            let (work, new) = (&mut self.work, &self.phi[i]);
            work.iter_mut().zip(new).for_each(|(old, new)| *old = new - *old);
        }
        self.phi[scaled].copy_from_slice(&self.work);
        self.known = scaled + 1;
        self.psi = self.new_psi;
        for i in self.order + 2..KEPT {
            self.psi[i] = 0.0;
        }
        self.equal = if h == self.last_step { self.equal + 1 } else { 1 };
        self.last_step = h;
    }

    /// Predicts, evaluates and corrects a step of `h` from `y`: the end into `end`. `extrapolate`: corrected by the order
    /// above that of the predictor. The difference of the rates, into `difference`.
    pub(super) fn correct<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        y: &[f64],
        (end, difference): (&mut [f64], &mut [f64]),
        extrapolate: bool,
    ) -> Result<(), S::Error> {
        self.prepare(h);
        self.scale();
        let k = self.order;
        end.copy_from_slice(y);
        for i in 0..k {
            let weight = h * self.g[i];
            end.iter_mut().zip(&self.phi[i]).for_each(|(end, phi)| *end += weight * phi);
        }
        if let Err(error) = system.rates(time + h, end, difference) {
            self.unscale();
            return Err(error);
        }
        for i in 0..k {
            difference.iter_mut().zip(&self.phi[i]).for_each(|(d, phi)| *d -= phi);
        }
        let weight = h * self.g[if extrapolate { k } else { k - 1 }];
        end.iter_mut().zip(&*difference).for_each(|(end, d)| *end += weight * d);
        Ok(())
    }

    /// Tries a step of `h`; whether its error is within the tolerance, and the step to try next.
    pub(super) fn attempt<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        y: &[f64],
        (end, work): (&mut [f64], &mut [f64]),
        tolerance: &Tolerance,
    ) -> Result<(bool, f64), S::Error> {
        self.correct(system, (time, h), y, (end, work), true)?;
        let k = self.order;
        let change = |a: usize, b: usize| h * (self.g[a] - self.g[b]).abs();
        let error = change(k, k - 1) * error_norm(work, y, end, tolerance);
        let mut below = [f64::INFINITY; 2];
        for (place, below) in below.iter_mut().enumerate().take(k.saturating_sub(1)) {
            let i = k - 1 - place;
            work.iter_mut().zip(&self.phi[i]).for_each(|(d, phi)| *d += phi);
            *below = change(i, i - 1) * error_norm(work, y, end, tolerance);
        }
        self.lower = match k {
            1 => false,
            2 => below[0] <= 0.5 * error,
            _ => below[0].max(below[1]) <= error,
        };
        self.errors = [below[0], error, f64::INFINITY];
        if error <= 1.0 {
            return Ok((true, h));
        }
        self.unscale();
        self.starting = false;
        self.refusals += 1;
        if self.lower {
            self.order -= 1;
        }
        if self.refusals < 3 {
            return Ok((false, 0.5 * h));
        }
        self.order = 1;
        Ok((false, h * (AIM / error).sqrt().clamp(0.01, 0.5)))
    }

    /// Takes a step of `h` to `end` with rates there; the step to try next.
    pub(super) fn accept(
        &mut self,
        h: f64,
        (end, rates): (&[f64], &[f64]),
        tolerance: &Tolerance,
    ) -> f64 {
        self.shift(h, rates);
        self.refusals = 0;
        self.end.copy_from_slice(end);
        self.terms = self.known.min(self.order + 1);
        if self.starting && !self.lower && self.order < MAX_ORDER {
            self.order += 1;
            return 2.0 * h;
        }
        self.starting = false;
        let error = self.choose_order(h, end, tolerance);
        let power = self.order as f64 + 1.0;
        if error * 2f64.powf(power) <= AIM {
            2.0 * h
        } else if error <= AIM {
            h
        } else {
            h * (AIM / error).powf(1.0 / power).clamp(0.5, 0.9)
        }
    }

    /// Takes the order below or above where the error of that is smaller; the error of the order that is taken, over the
    /// tolerance, of the step of `h` to `end`.
    fn choose_order(&mut self, h: f64, end: &[f64], tolerance: &Tolerance) -> f64 {
        let k = self.order;
        let [below, error, _] = self.errors;
        let above = match self.known > k + 1 && self.equal > k && k < MAX_ORDER {
            true => {
                let norm = error_norm(&self.phi[k + 1], end, end, tolerance);
                h * (self.g[k + 1] - self.g[k]).abs() * norm
            }
            false => f64::INFINITY,
        };
        let raised = if k == 1 { above < 0.5 * error } else { above < error && below > above };
        if self.lower || (k > 1 && above.is_finite() && below <= error.min(above)) {
            self.order = k - 1;
            below
        } else if raised {
            self.order = k + 1;
            above
        } else {
            error
        }
    }

    /// Values `after` [s] after the end of the last step (before it: negative).
    pub(super) fn evaluate(&self, after: f64, y: &mut [f64]) {
        let mut w = [0.0; KEPT + 1];
        w.iter_mut().enumerate().for_each(|(i, w)| *w = 1.0 / (i + 1) as f64);
        y.copy_from_slice(&self.end);
        let mut term = 0.0;
        for j in 0..self.terms {
            if j > 0 {
                let psi = self.psi[j - 1];
                let (gamma, eta) = ((after + term) / psi, after / psi);
                for i in 0..self.terms - j {
                    w[i] = gamma * w[i] - eta * w[i + 1];
                }
                term = psi;
            }
            let weight = after * w[0];
            y.iter_mut().zip(&self.phi[j]).for_each(|(y, phi)| *y += weight * phi);
        }
    }
}
