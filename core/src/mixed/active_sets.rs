//! Many unilateral rows: block pivoting (JudicePires1994) moves all rows that are in the wrong set, and solves for the
//! impulses of the active ones at once, on the few block rows that are touched or as rows of one sparse saddle point;
//! where pivoting fails, an interior point method takes over.

use crate::lcp::ActiveSetStatus;
use crate::mixed::condensed::Condensed;
use crate::mixed::elimination::Elimination;
use crate::mixed::friction_limits::FrictionLimits;
use crate::mixed::interior::{InteriorPoint, RowSolver};
use crate::mixed::interrupt::Interrupt;
use crate::mixed::measure::missed_cones;
use crate::mixed::progress::Progress;
use crate::mixed::row_system::RowSystem;
use crate::mixed::saddle::{Iterative, SaddleSolver};
use crate::mixed::stage::Stage;
use crate::mixed::tuning::{FOLLOWED_ITERATIONS, KEPT, LIMIT_PIVOTS, MAX_PIVOTS, PATIENCE, SLACK};
use crate::mixed::{ConeMethod, MixedError, MixedOutcome, MixedSolution};

/// Active sets, and who solves for them.
#[derive(Default)]
pub(super) struct ActiveSets {
    system: RowSystem,
    condensed: Condensed,
    elimination: Elimination,
    interior: InteriorPoint,
    friction: FrictionLimits,
    /// Velocities above their targets [m/s].
    excess: Vec<f64>,
    /// Rows that are in the wrong set.
    wrong: Vec<u32>,
    interrupt: Interrupt,
}

/// Result of pivoting.
#[derive(PartialEq)]
enum Pivoted {
    /// No row is in the wrong set.
    Settled,
    /// The sets come and go.
    Lost,
}

/// Solver of the linear systems of the sets.
#[derive(Clone, Copy, PartialEq)]
enum SetSolver {
    Condensed,
    Sparse,
}

impl ActiveSets {
    /// Gives solutions up between two iterations where this says so.
    pub(super) fn stop_when(&mut self, interrupt: &Interrupt) {
        self.interrupt.clone_from(interrupt);
        self.interior.interrupt.clone_from(interrupt);
    }

    /// Other rows come.
    pub(super) fn begin_sequence(&mut self) {
        self.friction.forget();
    }

    /// Tolerances of conjugate gradients refer to the next problem.
    pub(super) fn begin_tolerance(&mut self) {
        self.elimination.begin();
    }

    /// The same as [`Self::solve`] by conjugate gradients; false where these do not find the solution.
    pub(super) fn solve_by_iterations(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (iterative, progress): (&mut Iterative, &mut Progress),
        outcome: &mut MixedOutcome,
    ) -> bool {
        self.friction.begin(stage.problem, solution.z);
        let follows = progress.iteration <= FOLLOWED_ITERATIONS;
        let by = (iterative, &mut self.friction, follows);
        if self.elimination.solve(stage, solution, by, outcome) {
            return true;
        }
        progress.iterations_failed = true;
        outcome.fallbacks += 1;
        self.friction.forget();
        solution.z.copy_from_slice(stage.problem.unilateral.start);
        false
    }

    /// Limits that stay for the rest of the sequence, those of friction among them.
    pub(super) fn settled_limits(&self, progress: &Progress) -> Option<&[[f64; 2]]> {
        let settled = !progress.pivoting_failed && progress.iteration > FOLLOWED_ITERATIONS;
        (settled && !self.friction.limits.is_empty()).then_some(&self.friction.limits)
    }

    /// True if the rows of an iteration are solved for on their response to each other, which is then at hand.
    pub(super) fn condense(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        progress: &Progress,
        outcome: &mut MixedOutcome,
    ) -> Result<bool, MixedError> {
        Ok(!progress.condensed_failed && self.condensed.begin(stage, solution, outcome)?)
    }

    /// Responses of the rows to their own impulses, of those that were condensed.
    pub(super) fn condensed_responses(&self, own: &mut [f64]) {
        self.condensed.set_own_responses(own);
    }

    /// Impulses that satisfy the rows, with velocities and multipliers; of rows that are `condensed` on their response.
    pub(super) fn solve(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (saddle, progress, condensed): (&mut SaddleSolver, &mut Progress, bool),
        outcome: &mut MixedOutcome,
    ) -> Result<(), MixedError> {
        self.friction.begin(stage.problem, solution.z);
        let follows = progress.iteration <= FOLLOWED_ITERATIONS;
        if condensed {
            if self.pivot_by(stage, solution, (SetSolver::Condensed, follows), progress, outcome)? {
                self.condensed.correct(stage, solution);
                return Ok(());
            }
            let by = RowSolver::Condensed(&mut self.condensed);
            let known = (&mut self.interior, by);
            match solve_by_interior_point(stage, solution, known, progress, outcome) {
                Ok(()) => return Ok(()),
                // Nothing makes the sparse saddle point of the same rows positive.
                Err(error @ (MixedError::Indefinite { .. } | MixedError::Stopped)) => {
                    return Err(error);
                }
                Err(_) => progress.condensed_failed = true,
            }
            outcome.fallbacks += 1;
            solution.z.copy_from_slice(stage.problem.unilateral.start);
            progress.abandon_pivoting();
        }
        self.system.adapt(stage)?;
        if self.pivot_by(stage, solution, (SetSolver::Sparse, follows), progress, outcome)? {
            return Ok(());
        }
        saddle.factor_as(stage.problem.kkt(), stage.matrix)?;
        let known = (&mut self.interior, RowSolver::Sparse(saddle, &mut self.system));
        solve_by_interior_point(stage, solution, known, progress, outcome)
    }

    /// Block pivoting, unless it failed before in the sequence; false where it does not find the sets.
    fn pivot_by(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (by, follows): (SetSolver, bool),
        progress: &mut Progress,
        outcome: &mut MixedOutcome,
    ) -> Result<bool, MixedError> {
        if progress.pivoting_failed {
            return Ok(false);
        }
        outcome.method = match by {
            SetSolver::Condensed => ConeMethod::Condensed,
            SetSolver::Sparse => ConeMethod::ActiveSets,
        };
        if self.pivot(stage, solution, (by, follows), outcome)? == Pivoted::Settled {
            return Ok(true);
        }
        progress.abandon_pivoting();
        outcome.fallbacks += 1;
        solution.z.copy_from_slice(stage.problem.unilateral.start);
        Ok(false)
    }

    /// Moves rows between the sets until none is in the wrong one. Limits of friction follow meanwhile.
    fn pivot(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (by, follows): (SetSolver, bool),
        outcome: &mut MixedOutcome,
    ) -> Result<Pivoted, MixedError> {
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for pivots in 0..MAX_PIVOTS {
            if !self.solve_sets(stage, solution, (by, false), outcome)? {
                return Ok(Pivoted::Lost);
            }
            let slacks = slacks(stage, solution, 0.0);
            let settled = !follows
                || pivots > LIMIT_PIVOTS
                || self.friction.follow(&stage.problem.unilateral, solution.z, slacks[0]);
            let known = (&self.friction.limits[..], &self.excess[..]);
            find_wrong(solution, known, slacks, &mut self.wrong);
            if settled && self.wrong.is_empty() {
                self.solve_sets(stage, solution, (by, true), outcome)?;
                return Ok(Pivoted::Settled);
            }
            outcome.pivots += self.wrong.len();
            if self.wrong.len() < fewest {
                (fewest, patience) = (self.wrong.len(), PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            if patience == 0 && !self.wrong.is_empty() {
                break;
            }
            for &row in &self.wrong {
                let row = row as usize;
                let limits = self.friction.limits[row];
                solution.statuses[row] = moved(solution.statuses[row], solution.z[row], limits);
            }
        }
        Ok(Pivoted::Lost)
    }

    /// Impulses, velocities above targets and, by the sparse solver, corrections by the sets as they are; to `settle`
    /// takes off what the compliance of the matrix let through. False where the active rows cannot be solved for.
    fn solve_sets(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (by, settle): (SetSolver, bool),
        outcome: &mut MixedOutcome,
    ) -> Result<bool, MixedError> {
        self.interrupt.go_on()?;
        let limits = &self.friction.limits;
        match by {
            SetSolver::Condensed => {
                if !self.condensed.has_sets(solution.statuses) {
                    self.friction.mixing.begin();
                }
                let sides = (&limits[..], &mut self.excess);
                Ok(self.condensed.solve(stage, solution, sides, settle))
            }
            SetSolver::Sparse => {
                if settle {
                    self.system.subtract_regularization(stage, solution.statuses);
                } else {
                    if self.system.factor_sets(stage, solution.statuses)? {
                        outcome.factorizations += 1;
                        self.friction.mixing.begin();
                    }
                    self.system.fill_right(stage, solution.statuses, limits);
                }
                self.system.back_solve(stage, solution);
                let (rows, u, z) = (&stage.problem.unilateral, &*solution.u, &*solution.z);
                self.excess.clear();
                self.excess.extend((0..z.len()).map(|row| rows.excess(row, u, z[row])));
                Ok(true)
            }
        }
    }
}

/// The impulses that satisfy the rows where pivoting does not find the sets; they stay after many iterations.
fn solve_by_interior_point(
    stage: Stage,
    solution: &mut MixedSolution,
    (interior, mut by): (&mut InteriorPoint, RowSolver),
    progress: &mut Progress,
    outcome: &mut MixedOutcome,
) -> Result<(), MixedError> {
    let rows = &stage.problem.unilateral;
    solution.u.fill(crate::Vec3::zeros());
    let error = missed_cones(stage.problem, solution.u, rows.start, stage.own);
    let later = progress.iteration - progress.failed_since;
    let near = later > 0 && error < rows.tolerance;
    progress.kept |= later >= KEPT || progress.is_stuck(error);
    if near || progress.kept {
        progress.reached = None;
        outcome.method = ConeMethod::Kept;
        by.solve_with(stage, solution);
        return Ok(());
    }
    progress.reached = Some(error);
    outcome.method = ConeMethod::InteriorPoint;
    interior.solve(stage, solution, &mut by, (later, outcome))
}

/// Rows whose impulse or velocity has the wrong sign for their set, by their limits and their velocities above targets;
/// less than the slack of impulses and of velocities is none.
pub(super) fn find_wrong(
    solution: &MixedSolution,
    (limits, excess): (&[[f64; 2]], &[f64]),
    [slack, slow]: [f64; 2],
    wrong: &mut Vec<u32>,
) {
    wrong.clear();
    for (row, (&z, &place)) in solution.z.iter().zip(&*solution.statuses).enumerate() {
        let [lower, upper] = limits[row];
        let is_wrong = match place {
            ActiveSetStatus::Basic => z < lower - slack || z > upper + slack,
            ActiveSetStatus::Upper | ActiveSetStatus::Lower if lower >= upper => false,
            ActiveSetStatus::Upper => excess[row] > slow,
            ActiveSetStatus::Lower => excess[row] < -slow,
        };
        if is_wrong {
            wrong.push(row as u32);
        }
    }
}

/// Impulses [N s] and velocities [m/s] that are none: of rounding, and the share `left` of the changes of the impulses,
/// by what is left of the residual.
pub(super) fn slacks(stage: Stage, solution: &MixedSolution, left: f64) -> [f64; 2] {
    let ([mut largest, mut change], [mut fastest, mut speed]) = ([0f64; 2], [0f64; 2]);
    let starts = stage.problem.unilateral.start.iter().zip(stage.own);
    for (z, (start, own)) in solution.z.iter().zip(starts) {
        largest = largest.max(z.abs());
        fastest = fastest.max((z * own).abs());
        change = change.max((z - start).abs());
        speed = speed.max(((z - start) * own).abs());
    }
    [SLACK * largest + left * change, SLACK * fastest.max(f64::MIN_POSITIVE) + left * speed]
}

/// The set that a row in the wrong one belongs to.
pub(super) fn moved(place: ActiveSetStatus, z: f64, [lower, upper]: [f64; 2]) -> ActiveSetStatus {
    match place {
        ActiveSetStatus::Basic if z > upper => ActiveSetStatus::Upper,
        ActiveSetStatus::Basic if z < lower => ActiveSetStatus::Lower,
        ActiveSetStatus::Basic | ActiveSetStatus::Lower | ActiveSetStatus::Upper => {
            ActiveSetStatus::Basic
        }
    }
}
