//! Many unilateral rows: those that carry are rows of one sparse saddle point with all others, and block
//! pivoting (JudicePires1994) exchanges rows between the two sets, one factorization each time.

use super::barrier::Barrier;
use super::condensed::Condensed;
use super::fixed_point::FixedPoint;
use super::slip::Slip;
use super::{ActiveSetStatus, StepRows, Unilateral};
use crate::Vec3;
use crate::lcp::Place;
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::{ConstraintPattern, KktSolver};
use crate::solve::constrained::Parts;
use crate::solve::constrained::tuning::{
    GAIN, KEPT, KEPT_ERROR, KEPT_MOTION, LIMIT_PIVOTS, MAX_PIVOTS, PATIENCE, SETTLING, STUCK,
};
use crate::solve::failure::Failure;
use crate::system::MechSystem;

/// The saddle point with all rows.
#[derive(Default)]
pub(super) struct Sparse {
    pub(super) kkt: Option<KktSolver>,
    /// Its rows, and the same of the factor.
    pub(super) pattern: ConstraintPattern,
    pub(super) known: ConstraintPattern,
    /// What the factor is of.
    pub(super) factored: Factored,
    pub(super) values: Vec<Vec3>,
    pub(super) compliance: Vec<f64>,
    pub(super) right: Vec<Vec3>,
    pub(super) row_right: Vec<f64>,
    pub(super) interior: Barrier,
    pub(super) slip: Slip,
    /// The way of few block rows.
    pub(super) condensed: Condensed,
    pub(super) friction: FrictionLimits,
    pub(super) row_step: Vec<f64>,
    /// Rows that are in the wrong set.
    pub(super) wrong: Vec<u32>,
}

/// Sets `parts.linear.step` and `parts.linear.row_step` to corrections that satisfy all rows, from `parts.linear.right` and
/// `parts.linear.row_right`, by the vectors `rows.set.half`.
/// Which matrices the factors at hand are of.
#[derive(Default)]
pub(super) struct Factored {
    /// The matrix and the sets of the factor.
    pub(super) matrix: Option<usize>,
    pub(super) sets: Vec<Place>,
    /// The matrix of the factor without these rows.
    pub(super) base: Option<usize>,
}

/// Limits of friction in an iteration.
#[derive(Default)]
pub(super) struct FrictionLimits {
    /// Least and largest impulses of the rows.
    pub(super) limits: Vec<[f64; 2]>,
    /// Changes of the limits of friction, mixed over the iterations.
    pub(super) changes: Vec<f64>,
    pub(super) mixing: FixedPoint,
}

pub(in crate::solve) fn solve_sparse(
    parts: &mut Parts,
    system: &dyn MechSystem,
    matrix: &BlockMatrix,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    let Unilateral { step, sparse, .. } = rows;
    step.set.before.copy_from_slice(&step.set.impulses);
    step.set.estimate_response(matrix, system, &parts.reduction.masses);
    sparse.begin_limits(step);
    sparse.solve((system, matrix), parts, step)
}

/// How exchanges of rows end.
#[derive(PartialEq)]
enum Exchanged {
    /// No row is in the wrong set.
    Settled,
    /// They wander.
    Lost,
}

impl Sparse {
    fn solve(
        &mut self,
        (system, matrix): (&dyn MechSystem, &BlockMatrix),
        parts: &mut Parts,
        rows: &mut StepRows,
    ) -> Result<(), Failure> {
        rows.choices.count_sparse(0);
        self.condensed.begin(system, parts, matrix, rows)?;
        if self.condensed.active {
            if self.exchange_sets(parts, matrix, rows)? == Exchanged::Settled {
                self.condensed.correct(parts, rows, Some(&rows.set.impulses));
                return Ok(());
            }
            self.condensed.active = false;
            rows.abandon_pivoting();
        }
        self.adapt(system, parts, rows)?;
        if !rows.status.pivoting_failed
            && self.exchange_sets(parts, matrix, rows)? == Exchanged::Lost
        {
            rows.abandon_pivoting();
        }
        if rows.status.pivoting_failed {
            self.solve_by_interior_point(parts, matrix, rows)?;
        }
        parts.linear.row_step.copy_from_slice(&self.row_step[..parts.linear.row_right.len()]);
        Ok(())
    }

    /// Exchanges rows between the sets until none is in the wrong one. Limits of friction follow meanwhile.
    fn exchange_sets(
        &mut self,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &mut StepRows,
    ) -> Result<Exchanged, Failure> {
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        let follow = rows.status.iteration <= SETTLING;
        for pivots in 0..MAX_PIVOTS {
            if !self.solve_sets(parts, matrix, rows, false)? {
                return Ok(Exchanged::Lost);
            }
            let settled = !follow || pivots > LIMIT_PIVOTS || self.follow_limits(rows);
            self.find_wrong(parts, rows);
            if settled && self.wrong.is_empty() {
                self.solve_sets(parts, matrix, rows, true)?;
                return Ok(Exchanged::Settled);
            }
            rows.choices.count_sparse(self.wrong.len());
            if self.wrong.len() < fewest {
                (fewest, patience) = (self.wrong.len(), PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            if patience == 0 && !self.wrong.is_empty() {
                break;
            }
            for &row in &self.wrong {
                rows.set.exchange(row as usize, self.friction.limits[row as usize]);
            }
        }
        Ok(Exchanged::Lost)
    }

    /// Impulses and corrections by the sets as they are; to `settle` takes off what the compliance of the matrix let
    /// through. False where the active rows cannot be solved for.
    fn solve_sets(
        &mut self,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &mut StepRows,
        settle: bool,
    ) -> Result<bool, Failure> {
        if self.condensed.active {
            if !self.condensed.has_sets(rows) {
                self.friction.mixing.begin();
            }
            return Ok(self.condensed.solve(rows, &self.friction.limits, settle));
        }
        if settle {
            self.subtract_regularization(parts, rows);
        } else {
            self.factor_sets(parts, matrix, rows)?;
            self.fill_right(parts, rows);
        }
        self.back_solve(parts, rows);
        Ok(true)
    }

    /// The impulses that satisfy the rows where exchanges do not find the sets; they stay after many rounds.
    fn solve_by_interior_point(
        &mut self,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &mut StepRows,
    ) -> Result<(), Failure> {
        let near = rows.status.iteration > rows.status.failed_since
            && rows.status.error < KEPT_ERROR.max(KEPT_MOTION * rows.status.motion);
        rows.status.kept |=
            rows.status.iteration >= rows.status.failed_since + KEPT || rows.status.is_stuck();
        if near || rows.status.kept {
            rows.status.reached = None;
            return self.keep_impulses(parts, matrix, rows);
        }
        rows.status.reached = Some(rows.status.error);
        self.solve_interior(parts, matrix, rows)
    }
}

impl ActiveSetStatus {
    /// Whether an interior point method brings the rows no nearer: what slips and what sticks is then within rounding
    /// errors, and another round ends where this one did.
    fn is_stuck(&mut self) -> bool {
        if self.reached.is_some_and(|before| self.error > GAIN * before) {
            self.stuck += 1;
        }
        self.stuck >= STUCK
    }
}

impl StepRows {
    /// Leaves exchanges for the rest of the step: what they left behind says nothing.
    fn abandon_pivoting(&mut self) {
        (self.status.pivoting_failed, self.status.failed_since) = (true, self.status.iteration);
        (self.status.reached, self.status.stuck, self.status.kept) = (None, 0, false);
        self.set.impulses.copy_from_slice(&self.set.before);
    }
}
