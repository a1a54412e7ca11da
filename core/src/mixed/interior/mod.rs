//! Unilateral rows whose sets block pivoting does not find: a primal-dual interior point method (Mehrotra1992) on
//! rows and friction together. Redundant rows, which make pivoting wander, do not matter to it, and limits of friction
//! are not lagged: the cone |z_t| <= mu z_n is convex, and Coulomb's law on it that of least work but for a velocity mu
//! |v_t| along the normal (DeSaxceFeng1998, AcaryCadoux2011), which follows the iterate and is nothing at rest.

mod barrier;
pub(super) mod barrier_matrix;
mod change;
mod row_solver;
mod slip;
mod slip_tracking;

use crate::lcp::{ActiveSetStatus, Bound};
use crate::mixed::interrupt::Interrupt;
use crate::mixed::stage::Stage;
use crate::mixed::tuning::{
    AHEAD, BALANCE, COLDEST, COOLING, INTERIOR_COARSE_TOLERANCE, INTERIOR_ITERATIONS,
    INTERIOR_TOLERANCE, LEAST_CENTRE, NARROW, REGULARIZATION, WARM,
};
use crate::mixed::{MixedError, MixedOutcome, MixedSolution};
use barrier::{Barrier, Side};
use slip::Slip;
use slip_tracking::SlipTracking;

pub(super) use row_solver::RowSolver;

/// State of the interior point method over its iterations.
#[derive(Default)]
pub(super) struct InteriorPoint {
    barrier: Barrier,
    slip: Slip,
    pub(super) interrupt: Interrupt,
}

impl InteriorPoint {
    /// Puts impulses and corrections where the rows are satisfied, and rows into the sets that these belong to; `later`
    /// is the number of problems of this sequence that were solved so before.
    pub(super) fn solve(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        by: &mut RowSolver,
        (later, outcome): (usize, &mut MixedOutcome),
    ) -> Result<(), MixedError> {
        self.start(stage, solution, by, later);
        let warm = (WARM * COOLING.powi(later as i32)).max(COLDEST);
        let mut tracking = SlipTracking::default();
        for iterations in 0.. {
            let inner = &mut self.barrier;
            let [gap, unbalanced] = inner.errors();
            if gap > warm {
                inner.keep();
            }
            let last = iterations == INTERIOR_ITERATIONS;
            if (gap <= INTERIOR_TOLERANCE && unbalanced <= BALANCE)
                || (last && gap <= INTERIOR_COARSE_TOLERANCE)
            {
                break;
            }
            if last || !gap.is_finite() {
                return Err(not_converged(iterations, gap));
            }
            // Balance may take longer than complementarity, whose products are not to vanish meanwhile.
            let least =
                (LEAST_CENTRE * INTERIOR_TOLERANCE).max(AHEAD * unbalanced) * inner.starts[0];
            self.predict_and_correct(stage, solution, by, (least, tracking.follows))?;
            outcome.factorizations += by.factorizations();
            if tracking.follows {
                self.barrier.follow_slip();
                tracking.go_on(self.barrier.errors(), iterations);
            }
        }
        outcome.pivots += 1;
        self.finish(stage, solution, by);
        Ok(())
    }

    /// Impulses within their limits, the sets that they belong to, and velocities and multipliers with them.
    fn finish(&mut self, stage: Stage, solution: &mut MixedSolution, by: &mut RowSolver) {
        self.barrier.clamp();
        for (row, place) in solution.statuses.iter_mut().enumerate() {
            *place = self.barrier.place(row, stage.own[row]);
        }
        solution.z.copy_from_slice(&self.barrier.z);
        by.solve_with(stage, solution);
    }

    /// One iteration: a step towards the limits, which tells where to aim, and the step taken.
    fn predict_and_correct(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        by: &mut RowSolver,
        (least, follows): (f64, bool),
    ) -> Result<(), MixedError> {
        self.interrupt.go_on()?;
        let gap = self.barrier.gap(0.0);
        by.factor(stage, &mut self.barrier)?;
        self.barrier.aim_at_limits();
        self.solve_change(stage, by, solution.u, (0.0, false));
        let left = self.barrier.gap(self.barrier.length()) / gap;
        let centre = (left.powi(3) * gap).max(least);
        self.barrier.aim_at_centre(centre);
        self.solve_change(stage, by, solution.u, (centre, follows));
        self.barrier.advance(self.barrier.length());
        self.update_slope(stage, solution, by);
        Ok(())
    }

    /// The iterate to begin with: in the first problem of a sequence impulses inside their limits, with multipliers that
    /// make all products equal, and later one of the problem before.
    fn start(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        by: &mut RowSolver,
        later: usize,
    ) {
        if later > 0 {
            self.barrier.resume();
            self.update_slope(stage, solution, by);
            self.barrier.follow_slip();
            return;
        }
        let start = stage.problem.unilateral.start;
        let largest = start.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        let sides = stage.problem.unilateral.bounds.iter().map(|bound| side_of(bound, largest));
        self.barrier.begin((start, stage.own), sides);
        self.update_slope(stage, solution, by);
        let scale = self.barrier.scale();
        self.barrier.step_inside(scale);
        self.update_slope(stage, solution, by);
        self.barrier.start_multipliers(scale);
        self.barrier.follow_slip();
        self.barrier.measure_start();
    }

    /// Velocities of the rows above their targets under the impulses of the iterate, into its slope.
    fn update_slope(&mut self, stage: Stage, solution: &mut MixedSolution, by: &mut RowSolver) {
        let (Barrier { z, slope, .. }, start) = (&mut self.barrier, stage.problem.unilateral.start);
        by.set_excess(stage, solution, z, slope);
        for (row, slope) in slope.iter_mut().enumerate() {
            *slope += REGULARIZATION * stage.own[row] * (z[row] - start[row]);
        }
    }
}

fn not_converged(iterations: usize, residual: f64) -> MixedError {
    let (method, tolerance) = ("the interior point method for contacts", INTERIOR_TOLERANCE);
    MixedError::NotConverged { method, iterations, residual, tolerance }
}

/// Bounds of the impulse of a row; limits next to nothing apart are one.
fn side_of(bound: &Bound, largest: f64) -> Side {
    match *bound {
        Bound::Unilateral => Side::Fixed([0.0, f64::INFINITY]),
        Bound::Bilateral => Side::Fixed([f64::NEG_INFINITY, f64::INFINITY]),
        Bound::Range { lower, upper } if upper - lower <= NARROW * largest => {
            Side::Fixed([0.5 * (lower + upper); 2])
        }
        Bound::Range { lower, upper } => Side::Fixed([lower, upper]),
        Bound::Friction { normal, coefficient, .. } => Side::Cone { normal, coefficient },
    }
}

impl Barrier {
    /// The set that a row comes nearer to, `push` its response to its own impulse.
    fn place(&self, row: usize, push: f64) -> ActiveSetStatus {
        let [below, above] = self.rooms(row);
        match self.is_free(row) {
            true if self.below[row] > push * below => ActiveSetStatus::Lower,
            true if self.above[row] > push * above => ActiveSetStatus::Upper,
            true => ActiveSetStatus::Basic,
            false => ActiveSetStatus::Lower,
        }
    }
}
