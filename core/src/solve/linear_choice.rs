//! Choice of the method of a linear system: a factor, or conjugate gradients with a factor in waiting, by what they are
//! predicted to cost.

use std::sync::Arc;

use super::guess::Guess;
use super::iterative::{Iterative, cg_seconds, takes_multigrid};
use super::linear::{GuessedGradients, LinearError, Method};
use super::reuse::FactorReuse;
use super::review::Review;
use super::settings::{LinearSolver, SolverSettings};
use crate::linalg::{BlockPattern, CgLimits, CgWorkspace, SparseCholesky};
use crate::mixed::{RESPONSE_TOLERANCE, factor_seconds, factored_solve_seconds};

/// Mean cost of a step with an old factor, in factorizations: 0.5 to 0.7 measured on beams and on the
/// femur at h = 10 ms.
const REUSE_SHARE: f64 = 0.65;

/// A factor in waiting, while conjugate gradients solve; these, once it has taken over.
pub(super) struct Alternative {
    review: Review,
    other: Method,
    /// True if the next matrix goes to the factor. The present one stays with what was prepared for it.
    is_due: bool,
    has_changed: bool,
}

impl Alternative {
    pub(super) fn new(review: Review, other: Method) -> Self {
        Self { review, other, is_due: false, has_changed: false }
    }

    /// Takes the iterations of a solve by conjugate gradients, and gives the next matrix to the factor where it is cheaper.
    pub(super) fn review(&mut self, iterations: usize) {
        self.is_due = self.is_due || self.review.prefers_factor(iterations);
    }

    /// Changes the method where that is due, before a matrix is prepared.
    pub(super) fn change(&mut self, method: &mut Method) {
        if std::mem::take(&mut self.is_due) {
            std::mem::swap(method, &mut self.other);
            self.has_changed = true;
        }
    }

    /// Begins with conjugate gradients again.
    pub(super) fn forget(&mut self, method: &mut Method) {
        self.review.forget();
        self.is_due = false;
        if std::mem::take(&mut self.has_changed) {
            std::mem::swap(method, &mut self.other);
        }
    }
}

/// A method, and what may take over from it.
pub(super) type Chosen = (Method, Option<Box<Alternative>>);

/// The method that the settings ask for, or the cheaper one.
pub(super) fn choose(
    pattern: &Arc<BlockPattern>,
    fixed: &[[bool; 3]],
    settings: &SolverSettings,
) -> Result<Chosen, LinearError> {
    let reuses = match settings.linear_solver {
        LinearSolver::ConjugateGradients => {
            return Ok((conjugate_gradients(pattern, fixed, settings)?, None));
        }
        LinearSolver::Direct => false,
        // Newton iterations gain more from the exact factor than from its age.
        LinearSolver::Hybrid => settings.integrator.is_linearized(),
        LinearSolver::Auto => return choose_cheaper(pattern, fixed, settings),
    };
    Ok((direct(SparseCholesky::new(pattern, fixed)?, pattern, reuses), None))
}

/// The method that is predicted to cost less; of conjugate gradients with a factor in waiting where that is close.
fn choose_cheaper(
    pattern: &Arc<BlockPattern>,
    fixed: &[[bool; 3]],
    settings: &SolverSettings,
) -> Result<Chosen, LinearError> {
    let Ok(factor) = SparseCholesky::new(pattern, fixed) else {
        return Ok((conjugate_gradients(pattern, fixed, settings)?, None));
    };
    // Responses are to the matrix of the step, and want its own factor.
    let reuses = settings.integrator.is_linearized()
        && settings.responses == 0
        && FactorReuse::pays(&factor);
    let costs = costs(&factor, pattern, settings, reuses);
    if costs[0] <= costs[1] {
        return Ok((direct(factor, pattern, reuses), None));
    }
    let is_multigrid = takes_multigrid(pattern, settings.preconditioner);
    let alternative = Review::new(pattern, is_multigrid, costs)
        .map(|review| Box::new(Alternative::new(review, direct(factor, pattern, reuses))));
    Ok((conjugate_gradients(pattern, fixed, settings)?, alternative))
}

/// Time of a step and its responses by a factor, and by conjugate gradients [s].
fn costs(
    factor: &SparseCholesky,
    pattern: &BlockPattern,
    settings: &SolverSettings,
    reuses: bool,
) -> [f64; 2] {
    let more = settings.responses as f64;
    let share = if reuses { REUSE_SHARE } else { 1.0 };
    let nnz = factor.factor_nnz();
    [
        share * factor_seconds(nnz) + more * factored_solve_seconds(nnz),
        cg_seconds(pattern, settings) * (1.0 + more * response_share(settings)),
    ]
}

/// Iterations of a response over those of the solve of a step [-]: as many for every digit.
fn response_share(settings: &SolverSettings) -> f64 {
    (RESPONSE_TOLERANCE.log10() / settings.solve_tolerance().log10().min(-1.0)).max(1.0)
}

fn conjugate_gradients(
    pattern: &Arc<BlockPattern>,
    fixed: &[[bool; 3]],
    settings: &SolverSettings,
) -> Result<Method, LinearError> {
    let guesses = settings.integrator.is_linearized();
    Ok(Method::ConjugateGradients(GuessedGradients {
        preconditioner: Iterative::new(pattern, fixed, settings)?,
        workspace: CgWorkspace::new(pattern.size()),
        limits: CgLimits {
            tolerance: settings.solve_tolerance(),
            max_iterations: settings.cg_max_iterations,
        },
        guess: guesses.then(|| Box::new(Guess::new(pattern.size()))),
    }))
}

fn direct(factor: SparseCholesky, pattern: &Arc<BlockPattern>, reuses: bool) -> Method {
    let reuse = reuses.then(|| Box::new(FactorReuse::new(&factor, pattern)));
    Method::Direct { factor: Box::new(factor), reuse }
}
