//! Iterative refinement on the true matrix, which removes the regularization again (the proximal
//! point iteration of lambda), and its measures against redundant and conflicting constraint rows.

use super::scales::{REGULARIZATION, Scales};
use super::workspace::{DEPTH, Workspace};
use super::{Factor, KktError, KktSolver, KktSystem, Unknown};
use crate::Vec3;

/// Refinement is made while a relative residual is above this.
pub(super) const REFINE_ABOVE: f64 = 1e-13;
/// A solution whose residual stays above this is none.
const ACCEPT_BELOW: f64 = 1e-6;
/// Rows that a part of this size of their velocities cannot satisfy together are in conflict; less
/// is rounding of the rows or of b_g.
const CONFLICT_ABOVE: f64 = 1e-9;
/// Well-posed systems take one or two iterations, nearly redundant rows more.
const MAX_ITERATIONS: usize = 30;
/// Bound below which a residual that is not halved by an iteration is rounding.
const ROUNDING_BELOW: f64 = 1e-10;
const STALLED: f64 = 0.5;
/// Conflicts are taken out until nothing is left, the first time leaving 1e-8 of them.
const CONFLICT_PASSES: usize = 3;
/// Multipliers without effect are taken out until they are this small beside the others; the last
/// time leaves 1e-8 of that.
const WITHOUT_EFFECT: f64 = 1e-7;

/// Report of a solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KktReport {
    /// Iterations of refinement, over all passes.
    pub iterations: usize,
    /// Relative residuals \[-\]: of S u - G^T lambda = b, and of G u + R lambda = b_g with the b_g
    /// that can be met. Each in the norm scaled by diag(S)^-1 or the c_i, beside its largest term.
    pub residual: [f64; 2],
    /// Set when rows contradict each other.
    pub conflict: Option<Conflict>,
}

impl KktReport {
    fn largest_residual(&self) -> f64 {
        self.residual[0].max(self.residual[1])
    }
}

/// Constraint rows that cannot be satisfied together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conflict {
    /// The row that is violated most, relative to its scale.
    pub row: usize,
    /// Difference to its right side; \[m/s\] if that is a velocity.
    pub violation: f64,
}

impl KktSolver {
    pub(super) fn solve_refined(
        &mut self,
        system: KktSystem,
        (b, b_g): (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) -> Result<KktReport, KktError> {
        let mut report = KktReport::default();
        self.workspace.target.copy_from_slice(b_g);
        self.start(u, lambda);
        self.refine(system, b, (u, lambda), &mut report)?;
        let asked = self.scales.velocity_norm(b_g);
        for pass in 0..CONFLICT_PASSES {
            let met = if pass == 0 { CONFLICT_ABOVE } else { REFINE_ABOVE };
            if report.residual[1] <= met || !self.take_out_conflict(asked, lambda) {
                break;
            }
            self.start(u, lambda);
            self.refine(system, b, (u, lambda), &mut report)?;
            report.conflict = self.worst_conflict(b_g);
        }
        if self.has_dependent_rows() {
            self.least_multipliers(system, b, (u, lambda), &mut report)?;
        }
        if report.largest_residual() > ACCEPT_BELOW {
            let worst = self.worst_residual(report.residual);
            let KktReport { iterations, residual, .. } = report;
            return Err(KktError::NotConverged { iterations, residual, worst });
        }
        Ok(report)
    }

    /// Nothing moves but what is given.
    fn start(&self, u: &mut [Vec3], lambda: &mut [f64]) {
        for (u, fixed) in u.iter_mut().zip(&self.fixed) {
            (0..3).filter(|&a| !fixed[a]).for_each(|a| u[a] = 0.0);
        }
        lambda.fill(0.0);
    }

    /// Corrects (u, lambda) until the residual is down to rounding or is what no motion can meet.
    ///
    /// A correction alone leaves Delta (C + Delta)^-1 of the error of lambda, C = G S^-1 G^T + R: next to
    /// nothing, except where C is nearly singular (a light body between heavy ones). Each is therefore
    /// combined with those before it to the least residual (generalized conjugate residuals, Eisenstat1983).
    fn refine(
        &mut self,
        system: KktSystem,
        b: &[Vec3],
        (u, lambda): (&mut [Vec3], &mut [f64]),
        report: &mut KktReport,
    ) -> Result<(), KktError> {
        let mut last = f64::INFINITY;
        for correction in 0..=MAX_ITERATIONS + 1 {
            let matrix = (system, &self.rows, &self.scales);
            let residual = self.workspace.update_residual(matrix, b, (u, lambda))?;
            let now = residual[0].max(residual[1]);
            if now > last && last < ROUNDING_BELOW {
                self.workspace.add_step(-1.0, (u, lambda));
                break;
            }
            report.residual = residual;
            let rounding = last < ROUNDING_BELOW && now > STALLED * last;
            if now <= REFINE_ABOVE || rounding || correction > MAX_ITERATIONS {
                break;
            }
            last = now;
            self.workspace.step.copy_from_slice(&self.workspace.residual);
            self.workspace.row_step.copy_from_slice(&self.workspace.row_residual);
            self.apply_factor();
            let matrix = (system, &self.rows, &self.scales);
            let saddle = matches!(self.factor, Factor::Saddle(_)) && self.rows.count() > 0;
            if saddle && !self.workspace.combine(correction % DEPTH, matrix) {
                break;
            }
            self.workspace.add_step(1.0, (u, lambda));
            report.iterations += usize::from(correction > 0);
        }
        Ok(())
    }

    /// Solves the regularized system for the step, in place.
    pub(super) fn apply_factor(&mut self) {
        let Workspace { step, row_step, residual, .. } = &mut self.workspace;
        match &mut self.factor {
            Factor::Saddle(factor) => factor.apply(step, row_step),
            Factor::Plain(factor) => {
                step.fill(Vec3::zeros());
                factor.solve(residual, step);
            }
        }
    }

    /// Delta (C + Delta)^-1 of the velocities in `row_step`, or (C + Delta)^-1 Delta of multipliers:
    /// nothing of what C resists stays, and all of what it does not.
    fn filter(&mut self, kind: Filter) {
        let scale = |row_step: &mut [f64], scales: &Scales| {
            row_step.iter_mut().zip(&scales.rows).for_each(|(v, c)| *v *= REGULARIZATION * c);
        };
        self.workspace.step.fill(Vec3::zeros());
        if kind == Filter::Multipliers {
            scale(&mut self.workspace.row_step, &self.scales);
        }
        self.apply_factor();
        if kind == Filter::Velocities {
            scale(&mut self.workspace.row_step, &self.scales);
        }
    }

    /// Subtracts from the right side of the rows what of the residual no motion can meet; false if
    /// there is nothing of that kind. `asked` is the norm of the whole right side, `lambda` only gives its room.
    fn take_out_conflict(&mut self, asked: f64, lambda: &mut [f64]) -> bool {
        if matches!(self.factor, Factor::Plain(_)) {
            return false;
        }
        self.workspace.row_step.copy_from_slice(&self.workspace.row_residual);
        let whole = self.scales.velocity_norm(&self.workspace.row_step);
        for pass in 0..8 {
            lambda.copy_from_slice(&self.workspace.row_step);
            self.filter(Filter::Velocities);
            let kept = &self.workspace.row_step;
            lambda.iter_mut().zip(kept).for_each(|(l, kept)| *l -= kept);
            let change = self.scales.velocity_norm(lambda);
            if pass > 0 && change <= 1e-6 * self.scales.velocity_norm(kept) {
                break;
            }
        }
        let Workspace { target, row_step, .. } = &mut self.workspace;
        target.iter_mut().zip(&*row_step).for_each(|(t, q)| *t -= q);
        // Of a right side that is nothing but conflict only rounding is left.
        if self.scales.velocity_norm(target) <= REFINE_ABOVE * asked {
            target.fill(0.0);
        }
        self.scales.velocity_norm(row_step) > 1e-3 * whole
    }

    fn worst_conflict(&self, b_g: &[f64]) -> Option<Conflict> {
        let missing = |row: usize| b_g[row] - self.workspace.target[row];
        let relative = |row: &usize| missing(*row).abs() / self.scales.rows[*row].sqrt();
        let row = (0..b_g.len()).max_by(|a, b| relative(a).total_cmp(&relative(b)))?;
        Some(Conflict { row, violation: missing(row) })
    }

    /// Takes out of lambda what has no effect on any motion: rounding, times 1/delta, puts it there.
    fn least_multipliers(
        &mut self,
        system: KktSystem,
        b: &[Vec3],
        (u, lambda): (&mut [Vec3], &mut [f64]),
        report: &mut KktReport,
    ) -> Result<(), KktError> {
        self.workspace.saved.copy_from_slice(u);
        self.workspace.row_saved.copy_from_slice(lambda);
        let before = report.clone();
        for _ in 0..3 {
            self.workspace.row_step.copy_from_slice(lambda);
            // Twice: once would take 1e-8 of the multipliers that do have an effect.
            self.filter(Filter::Multipliers);
            self.filter(Filter::Multipliers);
            let without_effect = &self.workspace.row_step;
            lambda.iter_mut().zip(without_effect).for_each(|(l, z)| *l -= z);
            let rest = WITHOUT_EFFECT * self.scales.multiplier_norm(lambda);
            if self.scales.multiplier_norm(without_effect) <= rest {
                break;
            }
        }
        let now = (system, &self.rows, &self.scales);
        report.residual = self.workspace.update_residual(now, b, (u, lambda))?;
        // Another round would put rounding back, so there is none without need.
        let good_enough = REFINE_ABOVE.max(10.0 * before.largest_residual());
        if report.largest_residual() > good_enough {
            self.refine(system, b, (u, lambda), report)?;
        }
        // Rows at the edge of redundancy: what was taken out did have an effect.
        if report.largest_residual() > good_enough {
            u.copy_from_slice(&self.workspace.saved);
            lambda.copy_from_slice(&self.workspace.row_saved);
            report.residual = before.residual;
        }
        Ok(())
    }

    /// The equation with the largest residual relative to its scale.
    fn worst_residual(&self, residual: [f64; 2]) -> Unknown {
        let largest = |values: &mut dyn Iterator<Item = f64>| {
            values.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k)
        };
        // A residual of momenta that is no number is the worst.
        if residual[0] >= residual[1] || residual[0].is_nan() {
            let scaled = self.workspace.residual.iter().zip(&self.scales.inverse);
            let k = largest(&mut scaled.flat_map(|(r, w)| (0..3).map(|a| r[a] * r[a] * w[a])));
            Unknown::Velocity { row: k / 3, axis: k % 3 }
        } else {
            let scaled = self.workspace.row_residual.iter().zip(&self.scales.rows);
            Unknown::Multiplier { row: largest(&mut scaled.map(|(r, c)| r * r / c)) }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Filter {
    Velocities,
    Multipliers,
}
