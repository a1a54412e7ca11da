//! The linear system of a step, S x = b with some scalars of x given: by factorization or by
//! conjugate gradients, whichever is predicted to be cheaper.

use std::sync::Arc;
use std::time::Instant;

use super::corrector::{residual_norm, solve_by_corrections};
use super::guess::Guess;
use super::iterative::Iterative;
use super::linear_choice::{Alternative, choose};
use super::reuse::FactorReuse;
use super::settings::{LinearSolver, Preconditioning, SolverSettings};
use crate::Vec3;
use crate::linalg::kkt::KktError;
use crate::linalg::{
    BlockMatrix, BlockPattern, CgLimits, CgOutcome, CgWorkspace, Corrector, Definiteness,
    FactorError, SparseCholesky,
};
use crate::mixed::RESPONSE_TOLERANCE;
use crate::system::StepStats;

/// Refinement is made while the relative residual of a direct solve is above this.
const REFINE_ABOVE: f64 = 1e-12;
/// A direct solve whose relative residual stays above this has failed.
const ACCEPT_BELOW: f64 = 1e-6;

/// Errors of a linear solution.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LinearError {
    Singular(String),
    Saddle(KktError),
    NotConverged { iterations: usize, residual: f64, tolerance: f64 },
    Device(String),
}

impl From<FactorError> for LinearError {
    fn from(e: FactorError) -> Self {
        Self::Singular(e.to_string())
    }
}

/// Solver of a system, with its memory.
pub(super) enum Method {
    Direct {
        factor: Box<SparseCholesky>,
        reuse: Option<Box<FactorReuse>>,
    },
    ConjugateGradients(GuessedGradients),
    /// The systems are solved with their constraint rows: `solve/constrained`.
    WithRows,
    Elsewhere {
        corrector: Box<dyn Corrector>,
        preconditioning: Preconditioning,
        tolerance: f64,
    },
}

/// Conjugate gradients that begin a step near its solution.
pub(super) struct GuessedGradients {
    pub(super) preconditioner: Iterative,
    pub(super) workspace: CgWorkspace,
    pub(super) limits: CgLimits,
    /// Initial guess of steps; updates of Newton's method begin at zero.
    pub(super) guess: Option<Box<Guess>>,
}

impl GuessedGradients {
    /// Solves from the guess, or from `x` where that is better, and remembers the solution.
    fn solve(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &mut [Vec3],
    ) -> CgOutcome {
        let Self { preconditioner, workspace, limits, guess } = self;
        if let Some(guess) = guess {
            guess.improve((matrix, fixed), b, x);
        }
        let outcome = workspace.solve((matrix, fixed), preconditioner.as_dyn(), b, x, *limits);
        if let Some(guess) = guess {
            guess.remember(x);
        }
        outcome
    }

    /// Solves from `x`, to `tolerance` at least, and remembers nothing.
    fn respond(
        &mut self,
        system: (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &mut [Vec3],
        tolerance: f64,
    ) -> (CgOutcome, CgLimits) {
        let Self { preconditioner, workspace, limits, .. } = self;
        let limits = CgLimits { tolerance: limits.tolerance.min(tolerance), ..*limits };
        (workspace.solve(system, preconditioner.as_dyn(), b, x, limits), limits)
    }
}

/// The solver of the systems of one pattern, with all its memory.
pub(super) struct LinearSystem {
    method: Method,
    /// An automatic choice that counts may still change.
    alternative: Option<Box<Alternative>>,
    residual: Vec<Vec3>,
    correction: Vec<Vec3>,
}

impl LinearSystem {
    pub(super) fn new(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        settings: &SolverSettings,
    ) -> Result<Self, LinearError> {
        let zeros = || vec![Vec3::zeros(); pattern.size()];
        let (method, alternative) = choose(pattern, fixed, settings)?;
        Ok(Self { method, alternative, residual: zeros(), correction: zeros() })
    }

    /// One whose systems are solved with constraint rows, and not here.
    pub(super) fn with_rows() -> Self {
        let (residual, correction) = (Vec::new(), Vec::new());
        Self { method: Method::WithRows, alternative: None, residual, correction }
    }

    /// One whose systems of `size` rows are solved by corrections from elsewhere.
    pub(super) fn elsewhere(
        size: usize,
        (corrector, preconditioning): (Box<dyn Corrector>, Preconditioning),
        tolerance: f64,
    ) -> Self {
        let zeros = || vec![Vec3::zeros(); size];
        let method = Method::Elsewhere { corrector, preconditioning, tolerance };
        Self { method, alternative: None, residual: zeros(), correction: zeros() }
    }

    /// Its method.
    pub(super) fn kind(&self) -> LinearSolver {
        match self.method {
            Method::Direct { reuse: None, .. } | Method::WithRows => LinearSolver::Direct,
            Method::Direct { reuse: Some(_), .. } => LinearSolver::Hybrid,
            Method::ConjugateGradients(_) | Method::Elsewhere { .. } => {
                LinearSolver::ConjugateGradients
            }
        }
    }

    /// The preconditioner of conjugate gradients; `None` with a factor.
    pub(super) fn preconditioning(&self) -> Option<Preconditioning> {
        match &self.method {
            Method::Direct { .. } | Method::WithRows => None,
            Method::Elsewhere { preconditioning, .. } => Some(*preconditioning),
            Method::ConjugateGradients(own) => Some(match own.preconditioner {
                Iterative::BlockJacobi(_) => Preconditioning::BlockJacobi,
                Iterative::Multigrid(_) => Preconditioning::Multigrid,
            }),
        }
    }

    /// Makes the next solve start from a new factor, and from nothing but what it is given.
    pub(super) fn forget(&mut self) {
        if let Some(own) = &mut self.alternative {
            own.forget(&mut self.method);
        }
        match &mut self.method {
            Method::Direct { reuse: Some(reuse), .. } => reuse.forget(),
            Method::ConjugateGradients(own) => {
                own.guess.iter_mut().for_each(|guess| guess.forget())
            }
            Method::Direct { reuse: None, .. } | Method::WithRows | Method::Elsewhere { .. } => {}
        }
    }

    /// Factors `matrix` unless an old factor will do, or renews the preconditioner, which may want
    /// the positions `q` [m]. A negative pivot is no error here.
    pub(super) fn prepare(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        q: &[Vec3],
        stats: &mut StepStats,
    ) -> Result<Definiteness, LinearError> {
        let start = Instant::now();
        if let Some(own) = &mut self.alternative {
            own.change(&mut self.method);
        }
        let definiteness = match &mut self.method {
            Method::Direct { reuse: Some(reuse), .. } if reuse.keeps() => Definiteness::Positive,
            Method::Direct { factor, reuse } => {
                factor_anew(factor, reuse.as_deref_mut(), matrix, stats)?
            }
            Method::ConjugateGradients(own) => own.preconditioner.update((matrix, fixed), q)?,
            Method::Elsewhere { corrector, .. } => corrector.prepare(matrix, q)?,
            Method::WithRows => Definiteness::Positive,
        };
        stats.phases.factor += start.elapsed();
        Ok(definiteness)
    }

    /// Solves for the free scalars of `x`; the fixed ones are given. Conjugate gradients start from
    /// the `x` that they find.
    pub(super) fn solve(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &mut [Vec3],
        stats: &mut StepStats,
    ) -> Result<(), LinearError> {
        let (start, factored) = (Instant::now(), stats.phases.factor);
        stats.linear_solves += 1;
        stats.matrix_blocks = matrix.pattern().block_count();
        let result = match &mut self.method {
            Method::Direct { .. } => self.solve_with_factor((matrix, fixed), b, x, stats),
            Method::WithRows => Err(LinearError::Singular("it has constraint rows".into())),
            Method::ConjugateGradients(own) => {
                let outcome = own.solve((matrix, fixed), b, x);
                if let (CgOutcome::Converged { iterations, .. }, Some(other)) =
                    (outcome, &mut self.alternative)
                {
                    other.review(iterations);
                }
                record_cg(outcome, own.limits, stats)
            }
            Method::Elsewhere { corrector, tolerance, .. } => solve_by_corrections(
                &mut **corrector,
                (matrix, fixed),
                (b, x),
                (&mut self.residual, &mut self.correction),
                *tolerance,
                stats,
            ),
        };
        // A factor that had to be renewed meanwhile has its own phase.
        stats.phases.solve += start.elapsed().saturating_sub(stats.phases.factor - factored);
        result
    }

    /// Solves with the matrix prepared last for a right side of its own, from zero and to [`RESPONSE_TOLERANCE`] at least:
    /// neither the guess of the next step nor the choice of the method know of it. `x` is zero where it is fixed.
    pub(super) fn respond(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &mut [Vec3],
        stats: &mut StepStats,
    ) -> Result<(), LinearError> {
        x.fill(Vec3::zeros());
        match &mut self.method {
            Method::Direct { .. } => self.solve_with_factor((matrix, fixed), b, x, stats),
            Method::WithRows => Err(LinearError::Singular("it has constraint rows".into())),
            Method::ConjugateGradients(own) => {
                let (outcome, limits) = own.respond((matrix, fixed), b, x, RESPONSE_TOLERANCE);
                record_cg(outcome, limits, stats)
            }
            Method::Elsewhere { corrector, tolerance, .. } => solve_by_corrections(
                &mut **corrector,
                (matrix, fixed),
                (b, x),
                (&mut self.residual, &mut self.correction),
                tolerance.min(RESPONSE_TOLERANCE),
                stats,
            ),
        }
    }

    /// With an old factor as preconditioner, or directly with a new one.
    fn solve_with_factor(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &mut [Vec3],
        stats: &mut StepStats,
    ) -> Result<(), LinearError> {
        if let Method::Direct { factor, reuse: Some(reuse) } = &mut self.method {
            stats.factor_nnz = factor.factor_nnz();
            if !reuse.is_new() {
                if let Some((iterations, residual)) = reuse.solve((matrix, fixed), factor, b, x) {
                    stats.cg_iterations += iterations;
                    stats.residual = residual;
                    return Ok(());
                }
                let start = Instant::now();
                factor_anew(factor, Some(reuse), matrix, stats)?;
                stats.phases.factor += start.elapsed();
            }
        }
        self.solve_direct((matrix, fixed), b, x, stats)?;
        if let Method::Direct { reuse: Some(reuse), .. } = &mut self.method {
            reuse.used();
        }
        Ok(())
    }

    /// Starts from the fixed scalars alone and corrects until the residual is down to rounding.
    fn solve_direct(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &mut [Vec3],
        stats: &mut StepStats,
    ) -> Result<(), LinearError> {
        let Self { method: Method::Direct { factor, .. }, residual, correction, .. } = self else {
            return Ok(());
        };
        for (x, fixed) in x.iter_mut().zip(fixed) {
            (0..3).filter(|&a| !fixed[a]).for_each(|a| x[a] = 0.0);
        }
        let mut scale = 0.0;
        for refinement in 0..4 {
            let size = residual_norm((matrix, fixed), b, x, residual);
            if refinement == 0 {
                scale = size;
            }
            stats.residual = if scale > 0.0 { size / scale } else { size };
            if !stats.residual.is_finite() {
                return Err(LinearError::Singular("its solution is not finite".into()));
            }
            if stats.residual <= REFINE_ABOVE || refinement == 3 {
                break;
            }
            correction.fill(Vec3::zeros());
            factor.solve(residual, correction);
            x.iter_mut().zip(correction.iter()).for_each(|(x, c)| *x += c);
        }
        if stats.residual > ACCEPT_BELOW {
            let detail = format!("residual {:.1e} after refinement", stats.residual);
            return Err(LinearError::Singular(detail));
        }
        Ok(())
    }
}

fn factor_anew(
    factor: &mut SparseCholesky,
    mut reuse: Option<&mut FactorReuse>,
    matrix: &BlockMatrix,
    stats: &mut StepStats,
) -> Result<Definiteness, LinearError> {
    stats.factorizations += 1;
    stats.factor_nnz = factor.factor_nnz();
    // Whatever comes of it, the old factor is gone.
    if let Some(reuse) = &mut reuse {
        reuse.forget();
    }
    let definiteness = factor.factor(matrix)?;
    if let Some(reuse) = reuse {
        reuse.renew(definiteness);
    }
    Ok(definiteness)
}

fn record_cg(
    outcome: CgOutcome,
    limits: CgLimits,
    stats: &mut StepStats,
) -> Result<(), LinearError> {
    match outcome {
        CgOutcome::Converged { iterations, residual } => {
            stats.cg_iterations += iterations;
            stats.residual = residual;
            Ok(())
        }
        CgOutcome::IterationLimit { residual } => {
            let (iterations, tolerance) = (limits.max_iterations, limits.tolerance);
            Err(LinearError::NotConverged { iterations, residual, tolerance })
        }
        CgOutcome::Indefinite { iteration } => {
            let detail = format!("negative curvature at iteration {iteration}");
            Err(LinearError::Singular(detail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::review::Review;

    #[test]
    fn a_matrix_stays_with_the_method_that_took_it() {
        let pattern = Arc::new(BlockPattern::from_neighbours(4, |_| &[]));
        let fixed = vec![[false; 3]; 4];
        let linear_solver = LinearSolver::ConjugateGradients;
        let settings = SolverSettings { linear_solver, ..SolverSettings::default() };
        let mut own = LinearSystem::new(&pattern, &fixed, &settings).expect("it fits");
        let factor = Box::new(SparseCholesky::new(&pattern, &fixed).expect("it fits"));
        // A factor that costs nothing is preferred as soon as solves are counted.
        let review = Review::new(&pattern, false, [0.0, 1.0]).expect("a close choice");
        let other = Method::Direct { factor, reuse: None };
        own.alternative = Some(Box::new(Alternative::new(review, other)));
        let mut matrix = BlockMatrix::zeros(pattern);
        (0..12).for_each(|k| matrix.values_mut()[9 * (k / 3) + 4 * (k % 3)] = 2.0);
        let (b, mut stats) = (vec![Vec3::repeat(4.0); 4], StepStats::default());
        let mut solve_some = |own: &mut LinearSystem| {
            own.prepare((&matrix, &fixed), &b, &mut stats).expect("it is definite");
            for _ in 0..6 {
                let mut x = vec![Vec3::zeros(); 4];
                own.solve((&matrix, &fixed), &b, &mut x, &mut stats).expect("it is definite");
                assert!(x.iter().all(|x| (x - Vec3::repeat(2.0)).norm() < 1e-12), "{x:?}");
            }
            own.kind()
        };
        assert_eq!(solve_some(&mut own), LinearSolver::ConjugateGradients);
        assert_eq!(solve_some(&mut own), LinearSolver::Direct);
    }
}
