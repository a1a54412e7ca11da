//! Keeping a factor for several steps: the old factor preconditions conjugate gradients on the new
//! matrix until that costs more than a new factor would. (ArtiSynth's hybrid solves, with a rule
//! that counts iterations and not seconds, so that a run repeats bit for bit.)

use crate::Vec3;
use crate::linalg::{
    BlockMatrix, BlockPattern, CgLimits, CgOutcome, CgWorkspace, Definiteness, SparseCholesky,
};
use crate::mixed::{factor_seconds, factored_solve_seconds};

/// Relative residual that solves with an old factor reach [-]: near what a direct solve of a large
/// mesh reaches (4e-12 on a femur of 177,594 unknowns), ten times below ArtiSynth's hybrid solves.
const TOLERANCE: f64 = 1e-11;
/// Stored scalars of a factor that is worth keeping: below, a new one takes a millisecond.
const WORTH_KEEPING: usize = 100_000;

/// Costs by which an old factor is kept or replaced [s], and the memory to use it.
pub(super) struct FactorReuse {
    workspace: CgWorkspace,
    factor_cost: f64,
    iteration_cost: f64,
    /// Cost of the factor and of all solves with it so far [s], as predicted.
    total_cost: f64,
    /// Solves with the present factor; 0 without one.
    solves: usize,
    /// Cost of the latest of them.
    last_cost: f64,
    is_new: bool,
}

impl FactorReuse {
    pub(super) fn new(factor: &SparseCholesky, pattern: &BlockPattern) -> Self {
        // A product reads the matrix once, at the rate of a solve.
        let product = 76.0 * pattern.block_count() as f64 / 1.2e10;
        Self {
            workspace: CgWorkspace::new(pattern.size()),
            factor_cost: factor_seconds(factor.factor_nnz()),
            iteration_cost: factored_solve_seconds(factor.factor_nnz()) + product,
            total_cost: 0.0,
            solves: 0,
            last_cost: 0.0,
            is_new: false,
        }
    }

    /// True if an automatic choice should keep the factor over steps at all.
    pub(super) fn pays(factor: &SparseCholesky) -> bool {
        factor.factor_nnz() >= WORTH_KEEPING
    }

    /// True if the next solve should use the factor that is there: as long as one more solve like
    /// the last costs less than the mean so far, the factor's own cost shared among them.
    pub(super) fn keeps(&self) -> bool {
        self.solves > 0 && self.last_cost * self.solves as f64 <= self.total_cost
    }

    /// True if the factor is that of the present matrix.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// A new factor was made. An indefinite one is used once: it is no preconditioner.
    pub(super) fn renew(&mut self, definiteness: Definiteness) {
        self.is_new = true;
        self.total_cost = self.factor_cost + self.iteration_cost;
        self.last_cost = 0.0;
        self.solves = usize::from(definiteness == Definiteness::Positive);
    }

    /// The new factor was used; from here on the matrix moves away from it.
    pub(super) fn used(&mut self) {
        self.is_new = false;
    }

    /// Forgets the factor.
    pub(super) fn forget(&mut self) {
        self.solves = 0;
    }

    /// Improves `x` with the old factor; `None` when a new one is cheaper, or is needed.
    pub(super) fn solve(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        factor: &mut SparseCholesky,
        b: &[Vec3],
        x: &mut [Vec3],
    ) -> Option<(usize, f64)> {
        let affordable = (self.factor_cost / self.iteration_cost).ceil() as usize;
        let limits = CgLimits { tolerance: TOLERANCE, max_iterations: affordable.max(2) };
        match self.workspace.solve((matrix, fixed), factor, b, x, limits) {
            CgOutcome::Converged { iterations, residual } => {
                self.last_cost = (iterations + 1) as f64 * self.iteration_cost;
                self.total_cost += self.last_cost;
                self.solves += 1;
                Some((iterations, residual))
            }
            CgOutcome::IterationLimit { .. } | CgOutcome::Indefinite { .. } => None,
        }
    }
}
