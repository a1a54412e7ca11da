//! Many unilateral rows: those that carry are rows of one sparse saddle point with all others, and block
//! pivoting (JudicePires1994) exchanges rows between the two sets, one factorization each time.

use crate::linalg::BlockMatrix;
use crate::solve::constrained::Parts;
use crate::solve::constrained::tuning::{
    GAIN, KEPT, KEPT_ERROR, KEPT_MOTION, LIMIT_PIVOTS, MAX_PIVOTS, PATIENCE, SETTLING, STUCK,
};
use crate::solve::constrained::unilateral::condensed::Condensed;
use crate::solve::constrained::unilateral::interior::InteriorPoint;
use crate::solve::constrained::unilateral::limits::FrictionLimits;
use crate::solve::constrained::unilateral::sets::RowSystem;
use crate::solve::constrained::unilateral::{ActiveSetStatus, StepRows, Unilateral};
use crate::solve::failure::Failure;
use crate::system::MechSystem;

/// The ways of many rows.
#[derive(Default)]
pub(super) struct Sparse {
    pub(super) system: RowSystem,
    pub(super) interior: InteriorPoint,
    /// The way of few block rows.
    pub(super) condensed: Condensed,
    pub(super) friction: FrictionLimits,
    /// Rows that are in the wrong set.
    pub(super) wrong: Vec<u32>,
}

/// Sets `parts.linear.step` and `parts.linear.row_step` to corrections that satisfy all rows, from
/// `parts.linear.right` and `parts.linear.row_right`, by the vectors `half` of the rows.
pub(in crate::solve) fn solve_sparse(
    parts: &mut Parts,
    system: &dyn MechSystem,
    matrix: &BlockMatrix,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    let Unilateral { step, sparse, .. } = rows;
    step.set.before.copy_from_slice(&step.set.impulses);
    step.set.estimate_response(matrix, system, &parts.reduction.masses);
    sparse.friction.begin(step);
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
        self.system.adapt(system, parts, rows)?;
        if !rows.status.pivoting_failed
            && self.exchange_sets(parts, matrix, rows)? == Exchanged::Lost
        {
            rows.abandon_pivoting();
        }
        if rows.status.pivoting_failed {
            self.solve_by_interior_point(parts, matrix, rows)?;
        }
        parts
            .linear
            .row_step
            .copy_from_slice(&self.system.row_step[..parts.linear.row_right.len()]);
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
            let settled = !follow || pivots > LIMIT_PIVOTS || self.friction.follow(rows);
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
            self.system.subtract_regularization(parts, rows);
        } else {
            if self.system.factor_sets(parts, matrix, rows)? {
                self.friction.mixing.begin();
            }
            self.system.fill_right(parts, rows, &self.friction.limits);
        }
        self.system.back_solve(parts, rows);
        Ok(true)
    }

    /// The impulses that satisfy the rows where exchanges do not find the sets; they stay after many iterations.
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
            let slope = &mut self.interior.barrier.slope;
            return self.system.keep_impulses(parts, matrix, rows, slope);
        }
        rows.status.reached = Some(rows.status.error);
        self.system.solve_interior(parts, matrix, rows, &mut self.interior)
    }
}

impl ActiveSetStatus {
    /// Whether an interior point method brings the rows no nearer: what slips and what sticks is then within rounding
    /// errors, and another iteration ends where this one did.
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
