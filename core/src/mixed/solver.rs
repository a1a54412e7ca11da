//! The solver of mixed problems: it chooses the solver for S and the method for the impulses, and
//! keeps between problems the data of a matrix, and those of a sequence of problems over the same
//! rows.

use std::sync::Arc;

use crate::Vec3;
use crate::linalg::kkt::{ConstraintPattern, KktReport};
use crate::linalg::{BlockPattern, Corrector};
use crate::mixed::active_sets::ActiveSets;
use crate::mixed::dense::DenseResponse;
use crate::mixed::elimination::serves;
use crate::mixed::interrupt::Interrupt;
use crate::mixed::measure::Measure;
use crate::mixed::progress::Progress;
use crate::mixed::saddle::SaddleSolver;
use crate::mixed::stage::Stage;
use crate::mixed::tuning::DENSE_ITERATIONS;
use crate::mixed::unsymmetric::Unsymmetric;
use crate::mixed::{
    Accuracy, MixedError, MixedOutcome, MixedProblem, MixedSettings, MixedSolution, Solved,
};

/// Solves mixed problems over one pattern of S and of the bilateral rows.
///
/// Call [`Self::begin_sequence`] where other unilateral rows come, and [`Self::matrix_changed`] where S, G, R, N or C
/// have other numbers; between these, problems that differ in right sides alone are solved with the factor at hand.
pub struct MixedSolver {
    /// Scalars that belong to no equation.
    fixed: Vec<[bool; 3]>,
    /// Pattern of the bilateral rows.
    rows: ConstraintPattern,
    saddle: SaddleSolver,
    unsymmetric: Option<Unsymmetric>,
    unsymmetric_factors: usize,
    dense: DenseResponse,
    sets: ActiveSets,
    progress: Progress,
    /// Responses of the unilateral rows to their own impulses [1/kg].
    own: Vec<f64>,
    /// Matrices so far.
    matrix: usize,
    dense_rows: usize,
    measure: Option<Measure>,
}

impl MixedSolver {
    /// For block rows of `pattern` without the scalars that are `fixed`, under bilateral rows of the pattern `rows`;
    /// `bodies` names the first of the two block rows of each rigid body.
    ///
    /// # Errors
    /// [`MixedError::Singular`] where rows name no block row, or memory ends.
    pub fn new(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
        bodies: &[u32],
        settings: &MixedSettings,
    ) -> Result<Self, MixedError> {
        Ok(Self::of(
            SaddleSolver::new(pattern, fixed, rows, bodies, settings)?,
            fixed,
            rows,
            settings,
        ))
    }

    /// The same with S solved for by `corrector` where conjugate gradients serve, whatever the settings say about that.
    pub fn with_corrector(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
        corrector: Box<dyn Corrector>,
        settings: &MixedSettings,
    ) -> Self {
        let saddle = SaddleSolver::with_corrector(pattern, fixed, rows, corrector, settings);
        Self::of(saddle, fixed, rows, settings)
    }

    fn of(
        saddle: SaddleSolver,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
        settings: &MixedSettings,
    ) -> Self {
        Self {
            fixed: fixed.to_vec(),
            rows: rows.clone(),
            saddle,
            unsymmetric: None,
            unsymmetric_factors: 0,
            dense: DenseResponse::default(),
            sets: ActiveSets::default(),
            progress: Progress::default(),
            own: Vec::new(),
            matrix: 0,
            dense_rows: settings.dense_rows,
            measure: settings.measures.then(|| Measure::new(fixed.len())),
        }
    }

    /// Begins a sequence with other unilateral rows: nothing is known of their sets but the guess.
    pub fn begin_sequence(&mut self) {
        self.progress = Progress::default();
        self.sets.begin_sequence();
        self.own.clear();
    }

    /// Takes nothing from the problems before.
    pub fn forget(&mut self) {
        self.saddle.forget();
    }

    /// Gives solutions up, by [`MixedError::Stopped`], where `asks` is true between two of their iterations over unilateral rows.
    pub fn stop_when(&mut self, asks: impl Fn() -> bool + Send + Sync + 'static) {
        self.sets.stop_when(&Interrupt::when(asks));
    }

    /// S, G, R, N or C has other numbers.
    pub fn matrix_changed(&mut self) {
        self.matrix += 1;
    }

    /// Forgets the residual that tolerances of conjugate gradients refer to: from here on they are `tolerance` times
    /// that of the next problem [-].
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.saddle.begin(tolerance);
        self.sets.begin_tolerance();
    }

    /// Solves `problem` from the guess in `solution`.
    ///
    /// # Errors
    /// [`MixedError`]; `solution` is then of no use, but for the impulses, which are those of the start.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        solution: &mut MixedSolution,
        outcome: &mut MixedOutcome,
    ) -> Result<(), MixedError> {
        let sizes = [self.fixed.len(), self.rows.count(), self.rows.entry_count()];
        problem.check(sizes, solution)?;
        let factorizations = self.factorizations();
        *outcome = MixedOutcome::default();
        let solved = self.solve_checked(problem, solution, outcome);
        let solved = solved.and_then(|()| self.saddle.check_answers());
        outcome.factorizations += self.factorizations() - factorizations;
        if let Err(error) = solved {
            solution.z.copy_from_slice(problem.unilateral.start);
            return Err(error);
        }
        if let Some(measure) = &mut self.measure {
            let known = (&self.fixed[..], &self.rows, &self.own[..]);
            outcome.residual = measure.of(problem, solution, known);
        }
        Ok(())
    }

    /// By conjugate gradients, by the dense matrix of few rows, and else by active sets.
    fn solve_checked(
        &mut self,
        problem: &MixedProblem,
        solution: &mut MixedSolution,
        outcome: &mut MixedOutcome,
    ) -> Result<(), MixedError> {
        let count = problem.unilateral.count();
        if count == 0 {
            return self.solve_bilateral(problem, (solution.u, solution.lambda), outcome);
        }
        self.progress.iteration += 1;
        let iterates = !self.progress.iterations_failed && serves(problem, &self.fixed);
        if let Some(iterative) = self.saddle.iterative_mut().filter(|_| iterates) {
            estimate_responses(problem, &mut self.own);
            let (own, matrix) = (&self.own[..], self.matrix);
            let stage = Stage { problem, fixed: &self.fixed, rows: &self.rows, own, matrix };
            let by = (iterative, &mut self.progress);
            if self.sets.solve_by_iterations(stage, solution, by, outcome) {
                return Ok(());
            }
        }
        let is_dense = count <= self.dense_rows
            && !self.progress.dense_failed
            && self.progress.iteration <= DENSE_ITERATIONS + 1;
        if is_dense && self.solve_densely(problem, solution, outcome)? {
            return Ok(());
        }
        estimate_responses(problem, &mut self.own);
        let Self { saddle, sets, progress, own, matrix, fixed, rows, .. } = self;
        let stage = Stage { problem, fixed, rows, own, matrix: *matrix };
        let condensed = sets.condense(stage, solution, progress, outcome)?;
        if condensed {
            sets.condensed_responses(own);
        }
        let stage = Stage { problem, fixed, rows, own, matrix: *matrix };
        sets.solve(stage, solution, (saddle, progress, condensed), outcome)
    }

    /// By the matrix of the responses of all unilateral rows; `false` where that finds no impulses.
    fn solve_densely(
        &mut self,
        problem: &MixedProblem,
        solution: &mut MixedSolution,
        outcome: &mut MixedOutcome,
    ) -> Result<bool, MixedError> {
        self.solve_bilateral(problem, (solution.u, solution.lambda), outcome)?;
        self.update_response(problem)?;
        self.own.clear();
        self.own.extend_from_slice(self.dense.own());
        if self.dense.solve(problem, solution, outcome).is_ok() {
            return Ok(true);
        }
        // Active sets give every row a little compliance, and go on where this does not.
        solution.z.copy_from_slice(problem.unilateral.start);
        self.progress.dense_failed = true;
        outcome.fallbacks += 1;
        Ok(false)
    }

    /// Velocities and multipliers with the impulses as they are at the start.
    pub(crate) fn solve_bilateral(
        &mut self,
        problem: &MixedProblem,
        (u, lambda): (&mut [Vec3], &mut [f64]),
        outcome: &mut MixedOutcome,
    ) -> Result<(), MixedError> {
        self.prepare(problem)?;
        u.fill(Vec3::zeros());
        let report = self.apply(problem, problem.sides(), (u, lambda))?;
        outcome.linear = report.linear;
        outcome.iterations += report.linear.iterations;
        outcome.conflict = report.conflict;
        Ok(())
    }

    /// Takes the matrix of `problem` for solutions with the bilateral rows, unless it is there: into the preconditioner
    /// of conjugate gradients where these are preferred and no unilateral rows ask for responses.
    pub(crate) fn prepare(&mut self, problem: &MixedProblem) -> Result<(), MixedError> {
        let (kkt, matrix) = (problem.kkt(), self.matrix);
        if problem.bilateral.end_values.is_some() {
            if self.unsymmetric.as_ref().is_none_or(|factor| factor.matrix != matrix) {
                let factor = Unsymmetric::new(problem, &self.fixed, &self.rows, matrix)?;
                self.unsymmetric = Some(factor);
                self.unsymmetric_factors += 1;
            }
            return Ok(());
        }
        if problem.unilateral.count() > 0 || problem.accuracy == Accuracy::Nearest {
            self.saddle.factor_as(kkt, matrix)?;
        } else {
            self.saddle.prepare(kkt, problem.positions, matrix)?;
        }
        Ok(())
    }

    /// The same for responses, with a preconditioner where iterations are preferred.
    pub(super) fn prepare_response(&mut self, problem: &MixedProblem) -> Result<(), MixedError> {
        if self.saddle.prefers_iterations() {
            self.saddle.prepare(problem.kkt(), problem.positions, self.matrix)?;
            return Ok(());
        }
        self.prepare(problem)
    }

    /// One solution for other right sides with the matrix that was prepared.
    fn apply(
        &mut self,
        problem: &MixedProblem,
        sides: (&[Vec3], &[f64]),
        solution: (&mut [Vec3], &mut [f64]),
    ) -> Result<Applied, MixedError> {
        let mut applied = Applied::default();
        if problem.bilateral.end_values.is_some() {
            let factor = self.unsymmetric.as_ref().expect("the matrix was prepared");
            factor.solve(sides, solution);
            return Ok(applied);
        }
        let refines = match problem.accuracy {
            Accuracy::Single => false,
            Accuracy::Refined => !self.saddle.iterates(),
            Accuracy::Nearest => true,
        };
        if refines {
            let KktReport { conflict, .. } = self.saddle.solve(problem.kkt(), sides, solution)?;
            applied.conflict = conflict.is_some() && problem.accuracy == Accuracy::Nearest;
        } else {
            applied.linear = self.saddle.solve_once(problem.kkt(), sides, solution)?;
        }
        Ok(applied)
    }

    /// Responses to a unit impulse on each unilateral row, where those at hand are of another matrix.
    fn update_response(&mut self, problem: &MixedProblem) -> Result<(), MixedError> {
        let (rows, count) = (&problem.unilateral, problem.unilateral.count());
        if self.dense.is_of(self.matrix, count) {
            return Ok(());
        }
        let (size, bilateral) = (problem.b.len(), problem.bilateral.target.len());
        self.dense.resize(count, size, bilateral);
        if problem.bilateral.end_values.is_none() && problem.accuracy != Accuracy::Nearest {
            let DenseResponse { velocities, multipliers, .. } = &mut self.dense;
            self.saddle.respond_once((rows.pattern, rows.values), (velocities, multipliers));
        } else {
            let (mut push, rest) = (vec![Vec3::zeros(); size], vec![0.0; bilateral]);
            let (mut u, mut lambda) = (vec![Vec3::zeros(); size], vec![0.0; bilateral]);
            for row in 0..count {
                push.fill(Vec3::zeros());
                rows.push(row, 1.0, &mut push);
                u.fill(Vec3::zeros());
                self.apply(problem, (&push, &rest), (&mut u, &mut lambda))?;
                self.dense.velocities[row * size..][..size].copy_from_slice(&u);
                self.dense.multipliers[row * bilateral..][..bilateral].copy_from_slice(&lambda);
            }
        }
        self.dense.update(problem, self.matrix);
        Ok(())
    }

    /// As if pivoting had not found the sets.
    #[cfg(test)]
    pub(super) fn fail_pivoting(&mut self) {
        self.progress.pivoting_failed = true;
        self.progress.failed_since = self.progress.iteration + 1;
    }

    /// Solver for S with the bilateral rows, for tasks without unilateral ones.
    pub(crate) fn saddle_mut(&mut self) -> &mut SaddleSolver {
        &mut self.saddle
    }

    /// The same, to be looked at.
    pub(crate) fn saddle(&self) -> &SaddleSolver {
        &self.saddle
    }

    /// Numeric factorizations of the matrix with the bilateral rows so far.
    pub(crate) fn factorizations(&self) -> usize {
        self.saddle.factorizations() + self.unsymmetric_factors
    }

    /// Responses of the unilateral rows to their own impulses [1/kg], as far as they are known.
    pub(crate) fn own_responses(&self) -> &[f64] {
        &self.own
    }

    /// Limits of the impulses that stay for the rest of the sequence; none while limits of friction follow.
    pub(crate) fn settled_limits(&self) -> Option<&[[f64; 2]]> {
        self.sets.settled_limits(&self.progress)
    }
}

/// Report of the solution for right sides.
#[derive(Clone, Copy, Default)]
struct Applied {
    linear: Solved,
    conflict: bool,
}

/// Response of each unilateral row to its own impulse, by the diagonal of S alone.
fn estimate_responses(problem: &MixedProblem, own: &mut Vec<f64>) {
    let MixedProblem { s, inertia, unilateral: rows, .. } = problem;
    own.clear();
    for row in 0..rows.count() {
        let share = |entry: usize| {
            let block = rows.pattern.blocks()[entry] as usize;
            let diagonal = s.block(s.pattern().diagonal(block)).diagonal().abs();
            let vector = rows.values[entry];
            (0..3)
                .map(|axis| vector[axis].powi(2) / diagonal[axis].max(inertia[block][axis]))
                .sum::<f64>()
        };
        let sum: f64 = rows.pattern.entries(row).map(share).sum();
        own.push(if sum > 0.0 { sum } else { 1.0 });
    }
}
