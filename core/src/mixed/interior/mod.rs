//! Unilateral rows whose sets block pivoting does not find: a primal-dual interior point method (Mehrotra1992) on
//! rows and friction together. Redundant rows, which make pivoting wander, do not matter to it, and limits of friction
//! are not lagged: the cone |z_t| <= mu z_n is convex, and Coulomb's law on it that of least work but for a velocity mu
//! |v_t| along the normal (DeSaxceFeng1998, AcaryCadoux2011), which follows the iterate and is nothing at rest.

mod barrier;
mod change;
mod slip;
mod slip_tracking;

use crate::lcp::{ActiveSetStatus, Bound};
use crate::mixed::row_system::RowSystem;
use crate::mixed::saddle::SaddleSolver;
use crate::mixed::stage::Stage;
use crate::mixed::tuning::{
    AHEAD, BALANCE, COLDEST, COOLING, INTERIOR_COARSE_TOLERANCE, INTERIOR_ITERATIONS,
    INTERIOR_TOLERANCE, LEAST_CENTRE, NARROW, REGULARIZATION, WARM,
};
use crate::mixed::{MixedError, MixedOutcome, MixedSolution};
use barrier::{Barrier, Side};
use slip::Slip;
use slip_tracking::SlipTracking;

/// State of the interior point method over its iterations.
#[derive(Default)]
pub(super) struct InteriorPoint {
    barrier: Barrier,
    slip: Slip,
    /// Right side with the impulses of the iterate.
    pushed: Vec<crate::Vec3>,
}

/// Solvers of the iterations: S with the bilateral rows, factored, and with all rows.
type Solvers<'a> = (&'a mut SaddleSolver, &'a mut RowSystem);

impl InteriorPoint {
    /// Puts impulses and corrections where the rows are satisfied, and rows into the sets that these belong to; `later`
    /// is the number of problems of this sequence that were solved so before.
    pub(super) fn solve(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (saddle, system): Solvers,
        (later, outcome): (usize, &mut MixedOutcome),
    ) -> Result<(), MixedError> {
        self.start(stage, solution, saddle, later);
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
                let method = "the interior point method for contacts";
                let (residual, tolerance) = (gap, INTERIOR_TOLERANCE);
                return Err(MixedError::NotConverged { method, iterations, residual, tolerance });
            }
            // Balance may take longer than complementarity, whose products are not to vanish meanwhile.
            let least =
                (LEAST_CENTRE * INTERIOR_TOLERANCE).max(AHEAD * unbalanced) * inner.starts[0];
            let aim = (least, tracking.follows);
            self.predict_and_correct(stage, solution, (saddle, system), aim)?;
            outcome.factorizations += 1;
            if tracking.follows {
                self.barrier.follow_slip();
                tracking.go_on(self.barrier.errors(), iterations);
            }
        }
        outcome.pivots += 1;
        self.barrier.clamp();
        for (row, place) in solution.statuses.iter_mut().enumerate() {
            *place = self.barrier.place(row, stage.own[row]);
        }
        self.update_slope(stage, solution, saddle);
        solution.z.copy_from_slice(&self.barrier.z);
        Ok(())
    }

    /// Velocities and multipliers with the impulses as they are.
    pub(super) fn keep(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        saddle: &mut SaddleSolver,
    ) {
        let (rows, (b, b_g)) = (&stage.problem.unilateral, stage.problem.sides());
        self.pushed.clear();
        self.pushed.extend_from_slice(b);
        for (row, z) in solution.z.iter().enumerate() {
            rows.push(row, z - rows.start[row], &mut self.pushed);
        }
        saddle.solve_factored((&self.pushed, b_g), (solution.u, solution.lambda));
    }

    /// One iteration: a step towards the limits, which tells where to aim, and the step taken.
    fn predict_and_correct(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (saddle, system): Solvers,
        (least, follows): (f64, bool),
    ) -> Result<(), MixedError> {
        let gap = self.barrier.gap(0.0);
        self.factor(stage, system)?;
        self.barrier.aim_at_limits();
        self.solve_change(stage, system, solution.u, (0.0, false));
        let left = self.barrier.gap(self.barrier.length()) / gap;
        let centre = (left.powi(3) * gap).max(least);
        self.barrier.aim_at_centre(centre);
        self.solve_change(stage, system, solution.u, (centre, follows));
        self.barrier.advance(self.barrier.length());
        self.update_slope(stage, solution, saddle);
        Ok(())
    }

    /// The iterate to begin with: in the first problem of a sequence impulses inside their limits, with multipliers that
    /// make all products equal, and later one of the problem before.
    fn start(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        saddle: &mut SaddleSolver,
        later: usize,
    ) {
        if later > 0 {
            self.barrier.resume();
            self.update_slope(stage, solution, saddle);
            self.barrier.follow_slip();
            return;
        }
        let start = stage.problem.unilateral.start;
        let largest = start.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        let sides = stage.problem.unilateral.bounds.iter().map(|bound| side_of(bound, largest));
        self.barrier.begin((start, stage.own), sides);
        self.update_slope(stage, solution, saddle);
        let scale = self.barrier.scale();
        self.barrier.step_inside(scale);
        self.update_slope(stage, solution, saddle);
        self.barrier.start_multipliers(scale);
        self.barrier.follow_slip();
        self.barrier.measure_start();
    }

    /// Factors the matrix with the stiffness of the limits on the diagonal of the rows. Those of friction couple a
    /// normal with its tangents; with the shares of these taken off the normal the stiffness is diagonal.
    fn factor(&mut self, stage: Stage, system: &mut RowSystem) -> Result<(), MixedError> {
        let (rows, bilateral) = (&stage.problem.unilateral, stage.rows.count());
        let (inner, entries) = (&mut self.barrier, stage.rows.entry_count());
        system.values[..entries].copy_from_slice(stage.problem.bilateral.values);
        system.values[entries..].copy_from_slice(rows.values);
        let compliance = |row: usize| rows.compliance[row] + REGULARIZATION * stage.own[row];
        inner.set_stiffness(&mut system.compliance[bilateral..], compliance);
        for (row, side) in inner.sides.iter().enumerate() {
            let range = rows.pattern.entries(row);
            match *side {
                Side::Fixed([lower, upper]) if lower >= upper => {
                    system.values[entries + range.start..entries + range.end]
                        .fill(crate::Vec3::zeros());
                }
                Side::Fixed(_) => {}
                Side::Cone { normal, .. } => {
                    let along = rows.pattern.entries(normal);
                    for (to, from) in along.zip(range) {
                        system.values[entries + to] -= rows.values[from] * inner.share[row];
                    }
                }
            }
        }
        system.factor(stage)
    }

    /// Velocities of the rows above their targets under the impulses of the iterate, into its slope; velocities and
    /// multipliers with these impulses into `solution`.
    fn update_slope(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        saddle: &mut SaddleSolver,
    ) {
        let Self { barrier: Barrier { z, slope, .. }, pushed, .. } = self;
        let (rows, (b, b_g)) = (&stage.problem.unilateral, stage.problem.sides());
        pushed.clear();
        pushed.extend_from_slice(b);
        for (row, z) in z.iter().enumerate() {
            rows.push(row, z - rows.start[row], pushed);
        }
        saddle.solve_factored((pushed, b_g), (solution.u, solution.lambda));
        slope.clear();
        for (row, z) in z.iter().enumerate() {
            let compliance = REGULARIZATION * stage.own[row] * (z - rows.start[row]);
            slope.push(rows.excess(row, solution.u, *z) + compliance);
        }
    }
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
