//! Radau IIA of order five: three implicit stages by simplified Newton iterations in the transformed variables of
//! HairerWanner1996, section IV.8, an error of order three, and the polynomial of collocation.

use nalgebra::{Complex, DMatrix};

use super::control::error_norm;
use super::lu::Lu;
use super::problem::OdeSystem;
use super::settings::Tolerance;

/// Most iterations of a step.
const MAX_ITERATIONS: usize = 7;
/// Contraction below which the Jacobian is kept [-].
const KEEP: f64 = 1e-3;
const SAFETY: f64 = 0.9;

const SQRT_6: f64 = 2.449_489_742_783_178;
const C1: f64 = (4.0 - SQRT_6) / 10.0;
const C2: f64 = (4.0 + SQRT_6) / 10.0;
/// Weights of the stages in the error, times h.
const ERROR: [f64; 3] = [-(13.0 + 7.0 * SQRT_6) / 3.0, (-13.0 + 7.0 * SQRT_6) / 3.0, -1.0 / 3.0];
/// Eigenvectors of the inverse of the matrix of the rule, and their inverse.
const T: [[f64; 3]; 3] = [
    [0.091_232_394_870_892_95, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
    [0.241_717_932_707_107, 0.204_129_352_293_799_94, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
const TI: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_84, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_37, 0.476_623_554_500_550_44],
    [-0.502_872_634_945_786_8, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];

/// Eigenvalues of the inverse of the matrix of the rule: the real one, and the complex pair.
fn eigenvalues() -> (f64, Complex<f64>) {
    let (a, b) = (81f64.cbrt(), 9f64.cbrt());
    let real = 30.0 / (6.0 + a - b);
    let (alpha, beta) = ((12.0 - a + b) / 60.0, (a + b) * 3f64.sqrt() / 60.0);
    let norm = alpha * alpha + beta * beta;
    (real, Complex::new(alpha / norm, beta / norm))
}

/// Outcome of a trial step.
pub(super) struct Trial {
    pub(super) accepted: bool,
    /// Step to try next [s].
    pub(super) next: f64,
}

/// Matrices, stages and what steps leave for the next.
#[derive(Debug)]
pub(super) struct Radau {
    eigenvalues: (f64, Complex<f64>),
    jacobian: DMatrix<f64>,
    real: Lu<f64>,
    complex: Lu<Complex<f64>>,
    /// Step that the factors are for; 0 where there are none.
    factored: f64,
    /// True if the Jacobian is that of the start of this step.
    fresh: bool,
    /// True if there is a Jacobian that may be kept.
    kept: bool,
    stages: [Vec<f64>; 3],
    transformed: [Vec<f64>; 3],
    work: [Vec<f64>; 3],
    pair: Vec<Complex<f64>>,
    scale: Vec<f64>,
    tolerance: Tolerance,
    /// Polynomial of the last step: coefficients, and its length [s]; 0 before the first.
    polynomial: [Vec<f64>; 4],
    last: f64,
    contraction: f64,
    slack: f64,
    /// Step and error of the last accepted step.
    accepted: Option<(f64, f64)>,
    refused: bool,
    pub(super) evaluations: usize,
    pub(super) jacobians: usize,
    pub(super) factorizations: usize,
}

impl Radau {
    pub(super) fn new(size: usize, tolerance: &Tolerance) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            eigenvalues: eigenvalues(),
            jacobian: DMatrix::zeros(size, size),
            real: Lu::new(size),
            complex: Lu::new(size),
            factored: 0.0,
            fresh: false,
            kept: false,
            stages: std::array::from_fn(|_| zeros()),
            transformed: std::array::from_fn(|_| zeros()),
            work: std::array::from_fn(|_| zeros()),
            pair: vec![Complex::new(0.0, 0.0); size],
            scale: zeros(),
            tolerance: inner(tolerance),
            polynomial: std::array::from_fn(|_| zeros()),
            last: 0.0,
            contraction: 1.0,
            slack: 1.0,
            accepted: None,
            refused: false,
            evaluations: 0,
            jacobians: 0,
            factorizations: 0,
        }
    }

    /// Forgets all steps.
    pub(super) fn start(&mut self) {
        (self.factored, self.fresh, self.kept, self.last) = (0.0, false, false, 0.0);
        (self.contraction, self.slack, self.accepted, self.refused) = (1.0, 1.0, None, false);
    }

    /// After a step that could not be evaluated.
    pub(super) fn refuse(&mut self) {
        self.refused = true;
    }

    /// Tries a step of `h` from `y` with its rates; the end into `end`.
    pub(super) fn attempt<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        (y, rates): (&[f64], &[f64]),
        end: &mut [f64],
    ) -> Result<Trial, S::Error> {
        if !self.kept && !self.fresh {
            self.update_jacobian(system, time, (y, rates))?;
        }
        if self.factored != h && !self.factor(h) {
            self.factored = 0.0;
            return Ok(self.refused_step(0.5 * h));
        }
        for (k, scale) in self.scale.iter_mut().enumerate() {
            *scale = self.tolerance.absolute(k) + self.tolerance.relative * y[k].abs();
        }
        self.predict(h);
        let iterations = match self.iterate(system, (time, h), y)? {
            Ok(iterations) => iterations,
            Err(ratio) => return Ok(self.refused_step(ratio * h)),
        };
        let error = self.error(system, (time, h), (y, rates))?;
        let quotient = quotient(error, iterations);
        if error >= 1.0 {
            self.refused = true;
            let first = self.accepted.is_none();
            return Ok(Trial { accepted: false, next: if first { 0.1 * h } else { h / quotient } });
        }
        end.iter_mut().zip(y).zip(&self.stages[2]).for_each(|((end, y), z)| *end = y + z);
        Ok(Trial { accepted: true, next: self.step_after(h, error, quotient) })
    }

    /// Step to try after an accepted one of `h` with an error, from their quotient by the error alone: the error before
    /// counts too (Gustafsson's predictive control; HairerWanner1996, section IV.8).
    fn step_after(&mut self, h: f64, error: f64, mut quotient: f64) -> f64 {
        if let Some((before, last_error)) = self.accepted {
            let predicted = (before / h) * (error * error / last_error).powf(0.25) / SAFETY;
            quotient = quotient.max(predicted.clamp(1.0 / 8.0, 5.0));
        }
        let mut next = h / quotient;
        if std::mem::take(&mut self.refused) {
            next = next.min(h);
        }
        self.accepted = Some((h, error.max(1e-2)));
        // A step that hardly changes keeps its factors.
        self.kept = self.contraction <= KEEP;
        if self.kept && (1.0..=1.2).contains(&(next / h)) {
            next = h;
        }
        next
    }

    fn refused_step(&mut self, next: f64) -> Trial {
        self.refused = true;
        self.kept = self.fresh;
        Trial { accepted: false, next }
    }

    /// Takes the last trial, with the end that it led to.
    pub(super) fn accept(&mut self, h: f64, end: &[f64]) {
        let [p0, p1, p2, p3] = &mut self.polynomial;
        let [z1, z2, z3] = &self.stages;
        for i in 0..end.len() {
            p0[i] = end[i];
            p1[i] = (z2[i] - z3[i]) / (C2 - 1.0);
            let slope = (z1[i] - z2[i]) / (C1 - C2);
            let bend = (slope - z1[i] / C1) / C2;
            p2[i] = (slope - p1[i]) / (C1 - 1.0);
            p3[i] = p2[i] - bend;
        }
        (self.last, self.fresh) = (h, false);
    }

    /// Values at a time after the end of the last step over its length: -1 at its start.
    pub(super) fn evaluate(&self, s: f64, y: &mut [f64]) {
        let [p0, p1, p2, p3] = &self.polynomial;
        for (i, y) in y.iter_mut().enumerate() {
            *y = p0[i] + s * (p1[i] + (s - C2 + 1.0) * (p2[i] + (s - C1 + 1.0) * p3[i]));
        }
    }

    /// df/dy, by forward differences where the system has none.
    fn update_jacobian<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        time: f64,
        (y, rates): (&[f64], &[f64]),
    ) -> Result<(), S::Error> {
        self.jacobians += 1;
        if !system.jacobian(time, y, &mut self.jacobian)? {
            let [moved, after, _] = &mut self.work;
            moved.copy_from_slice(y);
            for k in 0..y.len() {
                let step = (f64::EPSILON * y[k].abs().max(1e-5)).sqrt();
                moved[k] = y[k] + step;
                let step = moved[k] - y[k];
                system.rates(time, moved, after)?;
                self.evaluations += 1;
                let column = self.jacobian.column_mut(k).data.into_slice_mut();
                let differences = after.iter().zip(rates);
                column.iter_mut().zip(differences).for_each(|(j, (a, f))| *j = (a - f) / step);
                moved[k] = y[k];
            }
        }
        (self.fresh, self.kept, self.factored) = (true, true, 0.0);
        Ok(())
    }

    /// Factors of the real and the complex matrix of a step of `h`; false where one is singular.
    fn factor(&mut self, h: f64) -> bool {
        self.factorizations += 1;
        self.factored = h;
        let (real, complex) = (self.eigenvalues.0 / h, self.eigenvalues.1 / h);
        let pairs = self.real.matrix.iter_mut().zip(self.complex.matrix.iter_mut());
        for ((a, b), j) in pairs.zip(self.jacobian.iter()) {
            (*a, *b) = (-j, Complex::new(-j, 0.0));
        }
        for k in 0..self.jacobian.nrows() {
            self.real.matrix[(k, k)] += real;
            self.complex.matrix[(k, k)] += complex;
        }
        self.real.factor() && self.complex.factor()
    }

    /// Stages of a step of `h` by the polynomial of the last.
    fn predict(&mut self, h: f64) {
        if self.last == 0.0 {
            self.stages.iter_mut().chain(&mut self.transformed).for_each(|z| z.fill(0.0));
            return;
        }
        let [_, p1, p2, p3] = &self.polynomial;
        for i in 0..p1.len() {
            let z = [C1, C2, 1.0].map(|c| {
                let s = c * h / self.last;
                s * (p1[i] + (s - C2 + 1.0) * (p2[i] + (s - C1 + 1.0) * p3[i]))
            });
            for k in 0..3 {
                self.stages[k][i] = z[k];
                self.transformed[k][i] = TI[k][0] * z[0] + TI[k][1] * z[1] + TI[k][2] * z[2];
            }
        }
    }

    /// Iterates for the stages: their number, or the ratio of the step to try next.
    fn iterate<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        y: &[f64],
    ) -> Result<Result<usize, f64>, S::Error> {
        let relative = self.tolerance.relative.max(1e-12);
        let enough = (10.0 * f64::EPSILON / relative).max(relative.sqrt().min(0.03));
        self.slack = self.slack.max(f64::EPSILON).powf(0.8);
        let (mut before, mut ratio_before) = (0.0, 0.0);
        for iteration in 1..=MAX_ITERATIONS {
            self.residual(system, (time, h), y)?;
            let size = self.update();
            if !size.is_finite() {
                return Ok(Err(0.5));
            }
            if iteration > 1 {
                let ratio: f64 = size / before;
                self.contraction =
                    if iteration == 2 { ratio } else { (ratio * ratio_before).sqrt() };
                ratio_before = ratio;
                if self.contraction >= 0.99 {
                    return Ok(Err(0.5));
                }
                self.slack = self.contraction / (1.0 - self.contraction);
                let left = (MAX_ITERATIONS - 1).saturating_sub(iteration) as i32;
                let expected = self.slack * size * self.contraction.powi(left) / enough;
                if iteration < MAX_ITERATIONS && expected >= 1.0 {
                    let over = expected.clamp(1e-4, 20.0);
                    return Ok(Err(0.8 * over.powf(-1.0 / (4.0 + f64::from(left)))));
                }
            }
            before = size.max(f64::MIN_POSITIVE);
            if self.slack * size <= enough {
                return Ok(Ok(iteration));
            }
        }
        Ok(Err(0.5))
    }

    /// Right sides of an iteration, transformed, into `work`.
    fn residual<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        y: &[f64],
    ) -> Result<(), S::Error> {
        for (k, c) in [C1, C2, 1.0].into_iter().enumerate() {
            // The place of a stage is written where another is not yet needed.
            let Self { stages, work, scale: _, pair: _, .. } = self;
            let stage = &mut stages[k];
            stage.iter_mut().zip(y).for_each(|(z, y)| *z += y);
            let done = system.rates(time + c * h, stage, &mut work[k]);
            stage.iter_mut().zip(y).for_each(|(z, y)| *z -= y);
            done?;
            self.evaluations += 1;
        }
        let (real, complex) = (self.eigenvalues.0 / h, self.eigenvalues.1 / h);
        let [f1, f2, f3] = &mut self.work;
        let [w1, w2, w3] = &self.transformed;
        for i in 0..y.len() {
            let f = [f1[i], f2[i], f3[i]];
            let [a, b, c] = [0, 1, 2].map(|k| TI[k][0] * f[0] + TI[k][1] * f[1] + TI[k][2] * f[2]);
            f1[i] = a - real * w1[i];
            f2[i] = b - (complex.re * w2[i] - complex.im * w3[i]);
            f3[i] = c - (complex.re * w3[i] + complex.im * w2[i]);
        }
        Ok(())
    }

    /// Solves for the update and takes it; its size over the tolerance.
    fn update(&mut self) -> f64 {
        let [f1, f2, f3] = &mut self.work;
        self.real.solve(f1);
        for (i, pair) in self.pair.iter_mut().enumerate() {
            *pair = Complex::new(f2[i], f3[i]);
        }
        self.complex.solve(&mut self.pair);
        let mut sum = 0.0;
        for i in 0..self.pair.len() {
            let update = [f1[i], self.pair[i].re, self.pair[i].im];
            for k in 0..3 {
                self.transformed[k][i] += update[k];
                sum += (update[k] / self.scale[i]).powi(2);
            }
            let w: [f64; 3] = std::array::from_fn(|k| self.transformed[k][i]);
            for k in 0..3 {
                self.stages[k][i] = T[k][0] * w[0] + T[k][1] * w[1] + T[k][2] * w[2];
            }
        }
        (sum / (3 * self.pair.len().max(1)) as f64).sqrt()
    }

    /// Error of the step over the tolerance.
    fn error<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        (y, rates): (&[f64], &[f64]),
    ) -> Result<f64, S::Error> {
        let [sum, error, moved] = &mut self.work;
        let [z1, z2, z3] = &self.stages;
        for i in 0..y.len() {
            sum[i] = (ERROR[0] * z1[i] + ERROR[1] * z2[i] + ERROR[2] * z3[i]) / h;
            error[i] = sum[i] + rates[i];
        }
        self.real.solve(error);
        let size = error_norm(error, y, y, &self.tolerance).max(1e-10);
        if size < 1.0 || !(self.accepted.is_none() || self.refused) {
            return Ok(size);
        }
        for (moved, (y, error)) in moved.iter_mut().zip(y.iter().zip(&*error)) {
            *moved = y + error;
        }
        system.rates(time, moved, error)?;
        self.evaluations += 1;
        error.iter_mut().zip(&*sum).for_each(|(error, sum)| *error += sum);
        self.real.solve(error);
        Ok(error_norm(error, y, y, &self.tolerance).max(1e-10))
    }
}

/// Quotient of a step and the next by the error of order three; with more iterations, the next is smaller.
fn quotient(error: f64, iterations: usize) -> f64 {
    let most = MAX_ITERATIONS as f64;
    let safety = SAFETY.min(SAFETY * (1.0 + 2.0 * most) / (iterations as f64 + 2.0 * most));
    (error.powf(0.25) / safety).clamp(1.0 / 8.0, 5.0)
}

/// Tolerances of the error of order three whose steps have the tolerance of a user at order five (HairerWanner1996,
/// section IV.8).
fn inner(tolerance: &Tolerance) -> Tolerance {
    if tolerance.relative == 0.0 {
        return tolerance.clone();
    }
    let relative = 0.1 * tolerance.relative.powf(2.0 / 3.0);
    let ratio = relative / tolerance.relative;
    Tolerance { relative, absolute: tolerance.absolute.iter().map(|a| a * ratio).collect() }
}
