//! Unilateral rows under conjugate gradients: what active rows of points take away is eliminated, other active rows join
//! the bilateral ones in the projection, and multigrid, or a device, works on the motions that are left. Sets are looked at whenever
//! the residual has fallen, so that a problem takes hardly more iterations than one without contacts
//! (docs/theory/mixed.md).

use crate::Vec3;
use crate::lcp::{ActiveSetStatus, FrictionModel};
use crate::linalg::kkt::{
    ConstrainedCg, ConstrainedCgLimits, ConstrainedCgReport, ConstraintPattern, KktSystem,
};
use crate::linalg::{BlockMatrix, Preconditioner};
use crate::mixed::active_sets::{find_wrong, moved, slacks};
use crate::mixed::approximate_inverse::ApproximateInverse;
use crate::mixed::friction_limits::FrictionLimits;
use crate::mixed::point_rows::{PointRows, free_entry};
use crate::mixed::saddle::Iterative;
use crate::mixed::stage::Stage;
use crate::mixed::tuning::{LIMIT_PIVOTS, MAX_PIVOTS, PATIENCE, PROJECTED_ROWS, REFRESH};
use crate::mixed::{Accuracy, ConeMethod, MixedOutcome, MixedProblem, MixedSolution, Solved};

/// Share of the residual that is left when sets are looked at [-].
const LOOK: f64 = 0.05;
/// Error of an impulse or of the velocity of a row that is looked for, over the largest change and the share of the residual
/// that is left [-].
const TRUST: f64 = 0.01;

/// The solver, with all its memory.
#[derive(Default)]
pub(super) struct Elimination {
    points: PointRows,
    projected: ProjectedRows,
    cg: Option<ConstrainedCg>,
    /// T S T, the number of the matrix it is of, and that of the hierarchy.
    matrix: Option<BlockMatrix>,
    taken: Option<[usize; 2]>,
    /// Block rows that changed since the hierarchy was made.
    stale: usize,
    /// Norms of the residual at the first problem since the tolerance was set, and at the latest.
    first: f64,
    latest: f64,
    work: Work,
}

/// The rows in the projection: the bilateral ones, then the unilateral ones that are not of points.
#[derive(Default)]
struct ProjectedRows {
    pattern: ConstraintPattern,
    known: ConstraintPattern,
    others: Vec<u32>,
    values: Vec<Vec3>,
    compliance: Vec<f64>,
    right: Vec<f64>,
}

/// Vectors of one entry a block row.
#[derive(Default)]
struct Work {
    /// S u.
    product: Vec<Vec3>,
    /// Residual of the balance but for eliminated rows, b - S u + Gᵀλ + Nᵀ(z - z₀); `right` is the
    /// same without the motions that they take away.
    left: Vec<Vec3>,
    right: Vec<Vec3>,
    step: Vec<Vec3>,
    row_step: Vec<f64>,
    excess: Vec<f64>,
    wrong: Vec<u32>,
}

/// Pivots without fewer wrong rows that are waited for.
struct Patience {
    fewest: usize,
    left: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self { fewest: usize::MAX, left: PATIENCE }
    }
}

impl Patience {
    /// Counts the wrong rows of a set; true if it was waited for long enough. While limits of friction follow, sets follow
    /// them, and more wrong rows than before say nothing.
    fn ends(&mut self, wrong: usize, settled: bool) -> bool {
        if wrong < self.fewest || !settled {
            *self = Self { fewest: wrong, left: PATIENCE };
        } else {
            self.left = self.left.saturating_sub(1);
        }
        self.left == 0 && wrong > 0
    }
}

/// Records that the sets were found.
fn report_found(linear: Solved, outcome: &mut MixedOutcome) {
    outcome.iterations += linear.iterations;
    (outcome.method, outcome.linear) = (ConeMethod::Elimination, linear);
}

/// Moves wrong rows into the sets that they belong to.
fn move_wrong(solution: &mut MixedSolution, friction: &mut FrictionLimits, wrong: &[u32]) {
    if !wrong.is_empty() {
        friction.mixing.begin();
    }
    for row in wrong.iter().map(|&row| row as usize) {
        let limits = friction.limits[row];
        solution.statuses[row] = moved(solution.statuses[row], solution.z[row], limits);
    }
}

/// True if a problem can be solved by elimination.
pub(super) fn serves(problem: &MixedProblem, fixed: &[[bool; 3]]) -> bool {
    let rows = &problem.unilateral;
    let others = (0..rows.count()).filter(|&row| free_entry(rows, row, fixed).is_none()).count();
    problem.accuracy == Accuracy::Single
        && problem.bilateral.end_values.is_none()
        && problem.friction == FrictionModel::Box
        && others <= PROJECTED_ROWS
}

impl Elimination {
    /// Tolerances refer to the next problem.
    pub(super) fn begin(&mut self) {
        (self.first, self.latest) = (0.0, f64::INFINITY);
    }

    /// Impulses, velocities and multipliers. False where they are not found: sets come and go, or S is not positive
    /// definite.
    pub(super) fn solve(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (iterative, friction, follows): (&mut Iterative, &mut FrictionLimits, bool),
        outcome: &mut MixedOutcome,
    ) -> bool {
        self.begin_at(stage, solution);
        let (mut patience, mut followed) = (Patience::default(), 0);
        let mut linear = Solved { iterates: true, nothing_left: true, ..Solved::default() };
        for pivots in 0..MAX_PIVOTS {
            if !self.take_sets(stage, solution.statuses, iterative) {
                return false;
            }
            self.set_known(stage, solution, &friction.limits);
            let Some(report) = self.iterate(stage, solution, iterative) else { return false };
            linear.iterations += iterative.inverse.iterations_for(report.iterations);
            let left = self.record(&report, pivots == 0, &mut linear);
            let slacks = slacks(stage, solution, TRUST * left);
            let settled = !follows
                || followed > LIMIT_PIVOTS
                || friction.follow(&stage.problem.unilateral, solution.z, slacks[0]);
            followed += usize::from(!settled);
            let Work { excess, wrong, .. } = &mut self.work;
            find_wrong(solution, (&friction.limits, excess), slacks, wrong);
            if settled && wrong.is_empty() && report.norms[1] <= iterative.tolerance * self.first {
                clamp(solution.z, &friction.limits);
                report_found(linear, outcome);
                return true;
            }
            linear.nothing_left &= wrong.is_empty();
            outcome.pivots += wrong.len();
            if patience.ends(wrong.len(), settled) {
                return false;
            }
            move_wrong(solution, friction, wrong);
        }
        false
    }

    /// Memory for a problem, and its solution at the start.
    fn begin_at(&mut self, stage: Stage, solution: &mut MixedSolution) {
        self.adapt(stage);
        solution.u.fill(Vec3::zeros());
        solution.lambda.fill(0.0);
        solution.z.copy_from_slice(stage.problem.unilateral.start);
        self.work.product.fill(Vec3::zeros());
    }

    /// Takes the norms of conjugate gradients, with the first or later sets of a problem; the share of the residual that is
    /// left [-].
    fn record(&mut self, report: &ConstrainedCgReport, is_first: bool, linear: &mut Solved) -> f64 {
        if is_first {
            linear.slow = report.norms[0] > 0.5 * self.latest;
            self.latest = report.norms[0];
        }
        self.first = self.first.max(report.norms[0]);
        linear.nothing_left &= report.iterations == 0;
        linear.slow &= !linear.nothing_left;
        report.norms[1] / self.first.max(f64::MIN_POSITIVE)
    }

    /// Memory and patterns for the rows of a problem.
    fn adapt(&mut self, stage: Stage) {
        let (rows, size) = (&stage.problem.unilateral, stage.problem.b.len());
        let Work { product, left, right, step, .. } = &mut self.work;
        for vectors in [product, left, right, step] {
            vectors.resize(size, Vec3::zeros());
        }
        self.points.adapt(rows, stage.fixed);
        if self.projected.adapt(stage) || self.cg.is_none() {
            let pattern = self.projected.pattern.clone();
            self.cg = Some(ConstrainedCg::new(stage.fixed, pattern));
        }
        self.work.row_step.resize(self.projected.pattern.count(), 0.0);
        let pattern = stage.problem.s.pattern();
        self.matrix.get_or_insert_with(|| BlockMatrix::zeros(pattern.clone()));
        if self.points.take_news() {
            self.taken = None;
        }
    }

    /// Takes the active rows into the matrix, and into the hierarchy where that is too old; false where S is indefinite.
    fn take_sets(
        &mut self,
        stage: Stage,
        statuses: &[ActiveSetStatus],
        iterative: &mut Iterative,
    ) -> bool {
        let Self { points, projected, cg, matrix, taken, stale, .. } = self;
        let problem = stage.problem;
        points.update(&problem.unilateral, statuses, stage.fixed);
        let matrix = matrix.as_mut().expect("it was made");
        let is_new = *taken != Some([stage.matrix, iterative.updates]);
        if is_new {
            matrix.values_mut().copy_from_slice(problem.s.values());
            points.restricted().for_each(|block| points.update_matrix(problem, block, matrix));
        } else {
            let changed = points.changed().iter();
            changed.for_each(|&block| points.update_matrix(problem, block, matrix));
        }
        *stale += points.changed().len();
        let refreshes = is_new || *stale as f64 > REFRESH * points.count() as f64;
        if refreshes {
            let projections = points.projections();
            if !iterative.inverse.update(matrix, problem.positions, projections) {
                return false;
            }
            *stale = 0;
            iterative.updates += 1;
            *taken = Some([stage.matrix, iterative.updates]);
        }
        if projected.update(stage, statuses, points) || refreshes || !points.changed().is_empty() {
            let mut preconditioner = Projected { inverse: &mut iterative.inverse, points };
            let system = projected.system(matrix);
            cg.as_mut().expect("it was made").update(system, &mut preconditioner);
        }
        true
    }

    /// Impulses at their limits, velocities of eliminated rows at their targets, and what that leaves.
    fn set_known(&mut self, stage: Stage, solution: &mut MixedSolution, limits: &[[f64; 2]]) {
        let rows = &stage.problem.unilateral;
        for (row, &[lower, upper]) in limits.iter().enumerate() {
            solution.z[row] = match solution.statuses[row] {
                ActiveSetStatus::Lower => lower,
                ActiveSetStatus::Upper => upper,
                // One that depends on others at its point.
                ActiveSetStatus::Basic if self.depends(stage, row) => 0.0,
                ActiveSetStatus::Basic => solution.z[row],
            };
        }
        self.points.set_velocities(rows, solution.u);
        stage.problem.s.mul(solution.u, &mut self.work.product);
        self.update_left(stage, solution);
    }

    /// True if an active row of a point depends on the directions of the other rows there.
    fn depends(&self, stage: Stage, row: usize) -> bool {
        !self.points.is_eliminated(row)
            && free_entry(&stage.problem.unilateral, row, stage.fixed).is_some()
    }

    /// `work.left` = b - S u + Gᵀλ + Nᵀ(z - z₀), but for eliminated rows.
    fn update_left(&mut self, stage: Stage, solution: &MixedSolution) {
        let Work { product, left, .. } = &mut self.work;
        let rows = &stage.problem.unilateral;
        for (left, (b, su)) in left.iter_mut().zip(stage.problem.b.iter().zip(&*product)) {
            *left = b - su;
        }
        stage.rows.add_transposed(stage.problem.bilateral.values, solution.lambda, left);
        for (row, (z, start)) in solution.z.iter().zip(rows.start).enumerate() {
            if z != start && !self.points.is_eliminated(row) {
                rows.push(row, z - start, left);
            }
        }
    }

    /// Iterates with the sets as they are until little of the residual is left; none where that fails.
    fn iterate(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        iterative: &mut Iterative,
    ) -> Option<ConstrainedCgReport> {
        let Self { points, projected, cg, matrix, work, .. } = self;
        work.right.copy_from_slice(&work.left);
        points.project(&mut work.right);
        projected.fill_right(stage, solution);
        let limits = ConstrainedCgLimits {
            relative: LOOK,
            absolute: iterative.tolerance * self.first,
            max_iterations: iterative.max_iterations,
        };
        let mut preconditioner = Projected { inverse: &mut iterative.inverse, points };
        let system = projected.system(matrix.as_ref().expect("it was made"));
        let sides = (&work.right[..], &projected.right[..]);
        let steps = (&mut work.step[..], &mut work.row_step[..]);
        let cg = cg.as_mut().expect("it was made");
        let report = cg.solve(system, &mut preconditioner, sides, steps, limits).ok()?;
        solution.u.iter_mut().zip(&work.step).for_each(|(u, step)| *u += step);
        let (bilateral, others) = work.row_step.split_at(stage.rows.count());
        solution.lambda.iter_mut().zip(bilateral).for_each(|(lambda, step)| *lambda += step);
        for (&row, step) in projected.others.iter().zip(others) {
            solution.z[row as usize] += step;
        }
        stage.problem.s.mul(solution.u, &mut work.product);
        self.update_left(stage, solution);
        let rows = &stage.problem.unilateral;
        self.points.set_impulses(rows, &self.work.left, solution.z);
        let excess = |row: usize| rows.excess(row, solution.u, solution.z[row]);
        self.work.excess.clear();
        self.work.excess.extend((0..rows.count()).map(excess));
        Some(report)
    }
}

impl ProjectedRows {
    /// Takes the pattern of the rows; whether it is another.
    fn adapt(&mut self, stage: Stage) -> bool {
        let rows = &stage.problem.unilateral;
        self.pattern.clear();
        self.others.clear();
        let is_other = |&row: &u32| free_entry(rows, row as usize, stage.fixed).is_none();
        self.others.extend((0..rows.count() as u32).filter(is_other));
        let mut push = |pattern: &ConstraintPattern, row: usize| {
            pattern.blocks()[pattern.entries(row)].iter().for_each(|&b| self.pattern.push_entry(b));
            self.pattern.end_row();
        };
        (0..stage.rows.count()).for_each(|row| push(stage.rows, row));
        self.others.iter().for_each(|&row| push(rows.pattern, row as usize));
        let (entries, count) = (self.pattern.entry_count(), self.pattern.count());
        self.values.clear();
        self.values.resize(entries, Vec3::zeros());
        for list in [&mut self.compliance, &mut self.right] {
            list.clear();
            list.resize(count, 0.0);
        }
        let is_other = self.pattern != self.known;
        self.known.clone_from(&self.pattern);
        is_other
    }

    /// Takes the vectors of the rows that are active, without the motions that are taken away; whether they are others.
    fn update(&mut self, stage: Stage, statuses: &[ActiveSetStatus], points: &PointRows) -> bool {
        let (rows, bilateral) = (&stage.problem.unilateral, stage.rows.count());
        let mut is_other = false;
        let mut set = |target: &mut Vec3, block: u32, value: Vec3| {
            let value = points.projections()[block as usize] * value;
            is_other |= *target != value;
            *target = value;
        };
        let entries = stage.rows.entry_count();
        let known = stage.rows.blocks().iter().zip(stage.problem.bilateral.values);
        for (target, (&block, value)) in self.values[..entries].iter_mut().zip(known) {
            set(target, block, *value);
        }
        self.compliance[..bilateral].copy_from_slice(stage.problem.bilateral.compliance);
        for (k, &row) in self.others.iter().enumerate() {
            let row = row as usize;
            let is_active = statuses[row] == ActiveSetStatus::Basic;
            for (to, from) in self.pattern.entries(bilateral + k).zip(rows.pattern.entries(row)) {
                let value = if is_active { rows.values[from] } else { Vec3::zeros() };
                set(&mut self.values[to], rows.pattern.blocks()[from], value);
            }
            self.compliance[bilateral + k] = if is_active { rows.compliance[row] } else { 1.0 };
        }
        is_other
    }

    /// Residuals of the projected rows at the velocities and multipliers of a solution.
    fn fill_right(&mut self, stage: Stage, solution: &MixedSolution) {
        let (problem, bilateral) = (stage.problem, stage.rows.count());
        let rows = &problem.unilateral;
        for row in 0..bilateral {
            let velocity = stage.rows.velocity(row, problem.bilateral.values, solution.u);
            let given = problem.bilateral.compliance[row] * solution.lambda[row];
            self.right[row] = problem.bilateral.target[row] - velocity - given;
        }
        for (right, &row) in self.right[bilateral..].iter_mut().zip(&self.others) {
            let row = row as usize;
            *right = match solution.statuses[row] {
                ActiveSetStatus::Basic => -rows.excess(row, solution.u, solution.z[row]),
                ActiveSetStatus::Lower | ActiveSetStatus::Upper => 0.0,
            };
        }
    }

    fn system<'a>(&'a self, matrix: &'a BlockMatrix) -> KktSystem<'a> {
        KktSystem { s: matrix, g: &self.values, r: &self.compliance }
    }
}

/// The approximate inverse on the motions that are left.
struct Projected<'a> {
    inverse: &'a mut ApproximateInverse,
    points: &'a PointRows,
}

impl Preconditioner for Projected<'_> {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        self.inverse.apply(r, z);
        // It may be that of other sets.
        self.points.project(z);
    }
}

/// Impulses within their limits, from which they differ by what iterations left.
fn clamp(z: &mut [f64], limits: &[[f64; 2]]) {
    z.iter_mut().zip(limits).for_each(|(z, &[lower, upper])| *z = z.clamp(lower, upper));
}
