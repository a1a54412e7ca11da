//! The quadratic program of a step: least squared errors of target velocities, squared excitations and squared changes of
//! these, within bounds (Stavness2012, eq. 15).

use crate::lcp::{ActiveSetStatus, Keller, Lcp, LcpSolver, Outcome};

/// Minimize |W (H (a - a0) - e)|² / 2 + s (r |a|² + d |a - a0|²) / 2 within bounds, where s is the largest square of a
/// column of W H.
#[derive(Default)]
pub(super) struct Program {
    /// H^T W² H and more, row by row.
    hessian: Vec<f64>,
    gradient: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    statuses: Vec<ActiveSetStatus>,
    solution: Vec<f64>,
    keller: Keller,
}

impl Program {
    /// Begins with excitations within bounds.
    pub(super) fn begin(&mut self, bounds: impl ExactSizeIterator<Item = [f64; 2]>) {
        let count = bounds.len();
        self.hessian.clear();
        self.hessian.resize(count * count, 0.0);
        self.gradient.clear();
        self.gradient.resize(count, 0.0);
        self.lower.clear();
        self.upper.clear();
        for [lower, upper] in bounds {
            self.lower.push(lower);
            self.upper.push(upper);
        }
        // Sets of the step before would be a memory that waypoints do not have.
        self.statuses.clear();
        self.statuses.resize(count, ActiveSetStatus::Basic);
        self.solution.resize(count, 0.0);
    }

    /// Adds the error of one number: `weight` (response . (a - a0) - missing)² / 2.
    pub(super) fn add_row(&mut self, weight: f64, response: &[f64], missing: f64, now: &[f64]) {
        let count = response.len();
        let reached: f64 = response.iter().zip(now).map(|(h, a)| h * a).sum();
        for (i, h) in response.iter().enumerate() {
            for (j, g) in response.iter().enumerate() {
                self.hessian[i * count + j] += weight * h * g;
            }
            self.gradient[i] -= weight * h * (missing + reached);
        }
    }

    /// Adds the other terms, in units of the largest square of a response.
    pub(super) fn regularize(
        &mut self,
        weights: impl Iterator<Item = f64>,
        [regularization, damping]: [f64; 2],
        now: &[f64],
    ) {
        let count = now.len();
        let largest = (0..count).map(|i| self.hessian[i * count + i]).fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        for (i, (weight, now)) in weights.zip(now).enumerate() {
            self.hessian[i * count + i] += unit * (regularization * weight + damping);
            self.gradient[i] -= unit * damping * now;
        }
    }

    /// The excitations.
    pub(super) fn solve(&mut self) -> Result<&[f64], Outcome> {
        let Self { hessian, gradient, lower, upper, statuses, solution, keller } = self;
        let problem = Lcp { matrix: hessian, q: gradient, lower, upper };
        let outcome = keller.solve(&problem, statuses, solution);
        match outcome.solved() {
            Some(_) => Ok(solution),
            None => Err(outcome),
        }
    }
}
