//! The quadratic program of a step: least squared errors of targets, terms of excitations and of their changes, within
//! bounds and conditions (Stavness2012, eq. 15).

use nalgebra::{DMatrix, DVector};

use super::settings::TrackingSettings;
use super::target_rows::TargetRows;
use super::terms::{ExcitationTerms, LinearTerm};
use super::variables::Variables;
use crate::inverse::TrackedExcitation;
use crate::lcp::{
    ActiveSetStatus, Keller, Lcp, LcpSolver, Outcome, QuadraticProgram, QuadraticSolver,
};

/// Weights of excitations beside the targets, in units of the largest squared response.
#[derive(Clone, Copy, Debug)]
pub(super) struct TermWeights {
    /// Of squares.
    pub(super) regularization: f64,
    /// Of squared changes.
    pub(super) damping: f64,
    /// Of amounts.
    pub(super) sparsity: f64,
}

impl TermWeights {
    /// Those of the settings.
    pub(super) fn of(settings: &TrackingSettings) -> Self {
        let TrackingSettings { regularization, damping, sparsity, .. } = *settings;
        Self { regularization, damping, sparsity }
    }
}

/// Share of the cost of no excitation, or of those of now, that targets at bounds leave before they are said to be out of
/// reach [-]: a hundredth of the distance.
const REACHED: f64 = 1e-4;
/// The same before they are said to be missed [-]: half of the distance.
const MISSED: f64 = 0.25;
/// Cost that is none, over the largest square of a response [-]: a thousandth of the motion by an excitation of 1.
const NOTHING: f64 = 1e-6;

/// Minimize |W (H (a - a0) - e)|² / 2 + s (r |a|² + d |a - a0|² + 2 p |a|_1 + ...) / 2 within bounds, where s is the largest
/// square of a column of W H.
#[derive(Default)]
pub(super) struct Program {
    /// H^T W² H and more, row by row.
    hessian: Vec<f64>,
    gradient: Vec<f64>,
    /// The gradient of the program that was solved, with the amounts of excitations of one sign.
    slopes: Vec<f64>,
    /// Matrix and gradient of the targets alone, and their cost without excitations.
    motion: (Vec<f64>, Vec<f64>, f64),
    /// Weight of the amount of each excitation.
    amounts: Vec<f64>,
    /// Largest square of a response, or 1.
    unit: f64,
    lower: Vec<f64>,
    upper: Vec<f64>,
    statuses: Vec<ActiveSetStatus>,
    solution: Vec<f64>,
    keller: Keller,
    variables: Variables,
    general: QuadraticSolver,
}

impl Program {
    /// Begins with excitations within bounds.
    pub(super) fn begin(&mut self, bounds: impl ExactSizeIterator<Item = [f64; 2]>) {
        let count = bounds.len();
        self.hessian.clear();
        self.hessian.resize(count * count, 0.0);
        self.gradient.clear();
        self.gradient.resize(count, 0.0);
        self.amounts.clear();
        self.amounts.resize(count, 0.0);
        self.motion.2 = 0.0;
        self.lower.clear();
        self.upper.clear();
        for [lower, upper] in bounds {
            self.lower.push(lower);
            self.upper.push(upper);
        }
        self.solution.resize(count, 0.0);
    }

    /// Takes the targets of a step about the excitations of `now`, and the other terms beside those `before`, in units of the
    /// largest square of a response, or of another `unit`.
    pub(super) fn fill(
        &mut self,
        targets: &TargetRows,
        (excitations, weights, sums): (&[TrackedExcitation], TermWeights, &[LinearTerm]),
        [now, before]: [&[f64]; 2],
        unit: Option<f64>,
    ) {
        self.begin(excitations.iter().map(|it| [it.lower, it.upper]));
        self.add_targets(targets, now);
        self.regularize(excitations.iter().map(|it| it.weight), weights, (sums, before), unit);
    }

    /// Adds the errors of the targets about the excitations of `now`.
    fn add_targets(&mut self, targets: &TargetRows, now: &[f64]) {
        for row in 0..targets.count() {
            let (weight, missing) = (targets.weights[row], targets.missing[row]);
            self.add_row(weight, targets.response(row), missing, now);
        }
    }

    /// Adds the error of one number: `weight` (response . (a - a0) - missing)² / 2.
    fn add_row(&mut self, weight: f64, response: &[f64], missing: f64, now: &[f64]) {
        let reached: f64 = response.iter().zip(now).map(|(h, a)| h * a).sum();
        self.add_square(weight, response, missing + reached);
        self.motion.2 += 0.5 * weight * (missing + reached).powi(2);
    }

    /// Adds `weight` (c . a - target)² / 2.
    fn add_square(&mut self, weight: f64, coefficients: &[f64], target: f64) {
        let count = coefficients.len();
        for (i, h) in coefficients.iter().enumerate() {
            for (j, g) in coefficients.iter().enumerate() {
                self.hessian[i * count + j] += weight * h * g;
            }
            self.gradient[i] -= weight * h * target;
        }
    }

    /// Adds the other terms, in units of the largest square of a response, or of another `unit`.
    pub(super) fn regularize(
        &mut self,
        weights: impl Iterator<Item = f64>,
        of: TermWeights,
        (sums, now): (&[LinearTerm], &[f64]),
        unit: Option<f64>,
    ) {
        self.motion.0.clone_from(&self.hessian);
        self.motion.1.clone_from(&self.gradient);
        let count = now.len();
        let largest = (0..count).map(|i| self.hessian[i * count + i]).fold(0.0, f64::max);
        let largest = unit.unwrap_or(largest);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        self.unit = unit;
        for (i, (weight, now)) in weights.zip(now).enumerate() {
            self.hessian[i * count + i] += unit * (of.regularization * weight + of.damping);
            self.gradient[i] -= unit * of.damping * now;
            self.amounts[i] = unit * of.sparsity * weight;
        }
        for sum in sums {
            self.add_square(unit * sum.weight, &sum.coefficients, sum.target);
        }
    }

    /// The excitations.
    pub(super) fn solve(&mut self, terms: &ExcitationTerms) -> Result<&[f64], Outcome> {
        let mixed = |(i, amount): (usize, &f64)| {
            *amount > 0.0 && self.lower[i] < 0.0 && self.upper[i] > 0.0
        };
        let signs = self.amounts.iter().enumerate().any(mixed);
        self.slopes.clone_from(&self.gradient);
        let outcome = match signs || !terms.synergies.is_empty() || !terms.constraints.is_empty() {
            true => self.solve_general(terms),
            false => self.solve_bounded(),
        };
        match outcome.solved() {
            Some(_) => Ok(&self.solution),
            None => Err(outcome),
        }
    }

    /// The program with bounds alone.
    fn solve_bounded(&mut self) -> Outcome {
        let Self { hessian, slopes, lower, upper, statuses, solution, keller, .. } = self;
        for (i, (slope, amount)) in slopes.iter_mut().zip(&self.amounts).enumerate() {
            // All excitations have one sign.
            *slope += if lower[i] < 0.0 { -amount } else { *amount };
        }
        // Sets of the step before would be a memory that waypoints do not have.
        statuses.clear();
        statuses.resize(slopes.len(), ActiveSetStatus::Basic);
        keller.solve(&Lcp { matrix: hessian, q: slopes, lower, upper }, statuses, solution)
    }

    /// The program in the variables that excitations are made of.
    fn solve_general(&mut self, terms: &ExcitationTerms) -> Outcome {
        let Self { variables, general, statuses, lower, upper, amounts, .. } = self;
        variables.choose(terms, (lower, upper), amounts);
        variables.project(&self.hessian, &self.gradient);
        let rows = variables.row_lower.len();
        let size = variables.count();
        statuses.clear();
        statuses.resize(size + rows, ActiveSetStatus::Lower);
        let (mut x, mut y) = (vec![0.0; size], vec![0.0; rows]);
        let program = QuadraticProgram {
            hessian: &variables.hessian,
            gradient: &variables.gradient,
            lower: &variables.lower,
            upper: &variables.upper,
            rows: &variables.rows,
            row_lower: &variables.row_lower,
            row_upper: &variables.row_upper,
        };
        let outcome = general.solve(&program, statuses, &mut x, &mut y);
        variables.excitations(&x, &mut self.solution);
        // Pivoting leaves rounding beyond bounds that are rows.
        for (i, a) in self.solution.iter_mut().enumerate() {
            *a = a.clamp(lower[i], upper[i]);
        }
        outcome
    }

    /// Cost of the targets alone.
    fn cost(&self, a: &[f64]) -> f64 {
        let (hessian, gradient, none) = &self.motion;
        none + quadratic(hessian, gradient, a)
    }

    /// Costs of excitations: of the targets, and of the other terms over the largest square of a
    /// response, but for a constant; and that square.
    pub(super) fn costs(&self, a: &[f64]) -> [f64; 3] {
        let amounts: f64 = self.amounts.iter().zip(a).map(|(weight, a)| weight * a.abs()).sum();
        let (hessian, gradient, _) = &self.motion;
        let others =
            quadratic(&self.hessian, &self.gradient, a) - quadratic(hessian, gradient, a) + amounts;
        [self.cost(a), others / self.unit, self.unit]
    }

    /// True if the solution leaves more of the targets than counts, beside excitations `before` and none.
    pub(super) fn leaves_much(&self, before: &[f64]) -> bool {
        self.cost(&self.solution) > REACHED * self.cost(before).max(self.motion.2)
    }

    /// True if the solution leaves most of what targets are asked for, beside excitations `before` and none, whatever keeps it.
    pub(super) fn misses(&self, before: &[f64]) -> bool {
        let left = self.cost(&self.solution);
        left > MISSED * self.cost(before).max(self.motion.2) && left > NOTHING * self.unit
    }

    /// Takes a solution that was found elsewhere.
    pub(super) fn take(&mut self, solution: &[f64]) {
        self.slopes.clone_from(&self.gradient);
        self.solution.copy_from_slice(solution);
    }

    /// True if bounds or conditions keep the solution from motions that the same terms would come nearer to.
    pub(super) fn is_out_of_reach(&self, before: &[f64]) -> bool {
        if !self.leaves_much(before) {
            return false;
        }
        let (count, left) = (before.len(), self.cost(&self.solution));
        let hessian = DMatrix::from_row_slice(count, count, &self.hessian);
        let least = f64::EPSILON * hessian.amax() * count as f64;
        let right = -DVector::from_column_slice(&self.slopes);
        let free = hessian.svd(true, true).solve(&right, least);
        free.is_ok_and(|free| self.cost(free.as_slice()) < 0.5 * left)
    }
}

/// a . H a / 2 + g . a.
fn quadratic(hessian: &[f64], gradient: &[f64], a: &[f64]) -> f64 {
    let rows = hessian.chunks_exact(a.len().max(1));
    let product = |row: &[f64]| -> f64 { row.iter().zip(a).map(|(h, a)| h * a).sum() };
    let terms = rows.zip(gradient).zip(a).map(|((row, g), a)| a * (0.5 * product(row) + g));
    terms.sum()
}
