//! Solver for S with the bilateral rows: a sparse factor, or conjugate gradients under multigrid
//! where that is predicted to be cheaper.

use std::sync::Arc;

use crate::Vec3;
use crate::linalg::kkt::{
    ConstrainedCg, ConstrainedCgError, ConstrainedCgLimits, ConstraintPattern, KktError, KktReport,
    KktSolver, KktSystem,
};
use crate::linalg::{BlockJacobi, BlockPattern, Corrector, Definiteness, Multigrid};
use crate::mixed::approximate_inverse::ApproximateInverse;
use crate::mixed::costs::{constrained_cg_seconds, factor_seconds, factored_solve_seconds};
use crate::mixed::tuning::RESPONSE_TOLERANCE;
use crate::mixed::{LinearMethod, MixedError, MixedSettings};

/// Block rows above which no factor is considered where the choice is free: its symbolic part alone takes seconds.
const TOO_LARGE: usize = 60_000;
/// Tolerance of projections onto rows, whose matrix is next to diagonal [-].
const PROJECTION_TOLERANCE: f64 = 1e-13;

/// The solvers of one pattern.
pub(crate) struct SaddleSolver {
    pattern: Arc<BlockPattern>,
    fixed: Vec<[bool; 3]>,
    rows: ConstraintPattern,
    /// Made when it is first needed.
    factor: Option<Box<KktSolver>>,
    iterative: Option<Box<Iterative>>,
    /// True if the latest matrix was taken for iterations.
    iterates: bool,
    /// Number of the matrix in its [`MixedSolver`](super::MixedSolver); none where another asked.
    current: Option<usize>,
    /// Numeric factorizations so far.
    factorizations: usize,
}

/// Conjugate gradients and what preconditions them.
pub(super) struct Iterative {
    cg: ConstrainedCg,
    pub(super) inverse: ApproximateInverse,
    /// Matrices that it took.
    pub(super) updates: usize,
    /// For matrices of masses.
    jacobi: BlockJacobi,
    pub(super) tolerance: f64,
    pub(super) max_iterations: usize,
    /// Norm of the residual before the first solve of the step; 0 before it.
    first: f64,
    /// Norm of the residual before the latest solve.
    latest: f64,
}

/// Report of one solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Solved {
    /// True for iterations, false for a factor.
    pub(crate) iterates: bool,
    /// Iterations; 0 with a factor.
    pub(crate) iterations: usize,
    /// True if the residual was below the tolerance of the step before the solve.
    pub(crate) nothing_left: bool,
    /// True if the residual before the solve was not much smaller than that before the last one.
    pub(crate) slow: bool,
}

/// A solve after which more than this share of the residual is left asks for a new matrix [-].
const CONTRACTION: f64 = 0.5;

impl SaddleSolver {
    pub(crate) fn new(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
        bodies: &[u32],
        settings: &MixedSettings,
    ) -> Result<Self, MixedError> {
        let mut own = Self::without_solvers(pattern, fixed, rows);
        let iterates = match settings.linear {
            LinearMethod::Factor => false,
            LinearMethod::Iterations => true,
            LinearMethod::Auto if pattern.size() > TOO_LARGE => true,
            LinearMethod::Auto => {
                let nnz = own.made_factor()?.factor_nnz();
                let more = settings.responses as f64;
                let factor = factor_seconds(nnz) + more * factored_solve_seconds(nnz);
                (1.0 + more) * constrained_cg_seconds(pattern, rows.count()) < factor
            }
        };
        if iterates {
            let multigrid = Multigrid::with_bodies(pattern, fixed, bodies)?;
            own.iterate_with(ApproximateInverse::Multigrid(Box::new(multigrid)), settings);
        } else {
            own.made_factor()?;
        }
        Ok(own)
    }

    /// One whose solutions are the corrections of `corrector`, under conjugate gradients in double precision; a factor
    /// is made where these fail.
    pub(crate) fn with_corrector(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
        corrector: Box<dyn Corrector>,
        settings: &MixedSettings,
    ) -> Self {
        let mut own = Self::without_solvers(pattern, fixed, rows);
        own.iterate_with(ApproximateInverse::elsewhere(corrector), settings);
        own
    }

    fn without_solvers(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
    ) -> Self {
        Self {
            pattern: pattern.clone(),
            fixed: fixed.to_vec(),
            rows: rows.clone(),
            factor: None,
            iterative: None,
            iterates: false,
            current: None,
            factorizations: 0,
        }
    }

    fn iterate_with(&mut self, inverse: ApproximateInverse, settings: &MixedSettings) {
        self.iterative = Some(Box::new(Iterative {
            cg: ConstrainedCg::new(&self.fixed, self.rows.clone()),
            tolerance: inverse.tolerance(settings.tolerance),
            inverse,
            updates: 0,
            jacobi: BlockJacobi::new(self.pattern.size()),
            max_iterations: settings.max_iterations,
            first: 0.0,
            latest: f64::INFINITY,
        }));
    }

    /// Fails where a solver elsewhere does not answer any more.
    pub(super) fn check_answers(&self) -> Result<(), MixedError> {
        match self.iterative.as_ref().and_then(|own| own.inverse.lost()) {
            Some(detail) => Err(MixedError::Device(detail.to_owned())),
            None => Ok(()),
        }
    }

    /// Numeric factorizations so far.
    pub(super) fn factorizations(&self) -> usize {
        self.factorizations
    }

    fn made_factor(&mut self) -> Result<&mut KktSolver, KktError> {
        if self.factor.is_none() {
            let factor = KktSolver::new(&self.pattern, &self.fixed, self.rows.clone())?;
            self.factor = Some(Box::new(factor));
        }
        Ok(self.factor.as_mut().expect("it was made"))
    }

    fn present_factor(&mut self) -> &mut KktSolver {
        self.factor.as_mut().expect("a matrix was factored")
    }

    /// Takes nothing from the matrices before.
    pub(super) fn forget(&mut self) {
        self.iterative.iter_mut().for_each(|own| own.cg.forget());
    }

    /// Forgets the residual that tolerances refer to: solves are to be made to `tolerance` from here on [-].
    pub(super) fn begin(&mut self, tolerance: f64) {
        if let Some(own) = &mut self.iterative {
            (own.first, own.latest) = (0.0, f64::INFINITY);
            own.tolerance = own.inverse.tolerance(tolerance);
        }
    }

    /// Conjugate gradients with their multigrid, where preferred, for another matrix than the one
    /// taken last.
    pub(super) fn iterative_mut(&mut self) -> Option<&mut Iterative> {
        let iterative = self.iterative.as_deref_mut()?;
        if self.iterates {
            self.current = None;
        }
        Some(iterative)
    }

    /// True if solves iterate with the matrix taken last.
    pub(crate) fn iterates(&self) -> bool {
        self.iterates
    }

    /// True if matrices without unilateral rows are solved by iterations.
    pub(crate) fn prefers_iterations(&self) -> bool {
        self.iterative.is_some()
    }

    /// Stored scalars of the factor; 0 where none was needed.
    pub(crate) fn factor_nnz(&self) -> usize {
        self.factor.as_ref().filter(|_| !self.iterates).map_or(0, |factor| factor.factor_nnz())
    }

    /// True if the last factor had rows that may depend on others.
    pub(crate) fn has_dependent_rows(&self) -> bool {
        self.factor.as_ref().is_some_and(|factor| factor.has_dependent_rows())
    }

    /// Takes matrix number `matrix` at positions `q` [m] for [`Self::solve_once`], unless it has it: into the
    /// preconditioner where iterations are preferred, else into a factor.
    pub(super) fn prepare(
        &mut self,
        system: KktSystem,
        q: &[Vec3],
        matrix: usize,
    ) -> Result<(), KktError> {
        if self.current == Some(matrix) {
            return Ok(());
        }
        if let Some(Iterative { cg, inverse, updates, latest, .. }) = self.iterative.as_deref_mut()
            && inverse.update(system.s, q, &[])
        {
            *updates += 1;
            cg.update(system, inverse);
            *latest = f64::INFINITY;
            (self.iterates, self.current) = (true, Some(matrix));
            return Ok(());
        }
        self.factor_as(system, matrix)
    }

    /// Takes matrix number `matrix` into a factor, unless it is there.
    pub(super) fn factor_as(&mut self, system: KktSystem, matrix: usize) -> Result<(), KktError> {
        if self.current != Some(matrix) || self.iterates {
            self.factor(system)?;
            self.current = Some(matrix);
        }
        Ok(())
    }

    /// Takes a matrix into a factor.
    pub(crate) fn factor(&mut self, system: KktSystem) -> Result<Definiteness, KktError> {
        (self.iterates, self.current) = (false, None);
        self.factorizations += 1;
        self.made_factor()?.factor(system)
    }

    /// One solution with the matrix taken last, for those who correct it themselves. Where iterations fail, a factor
    /// takes their place.
    pub(super) fn solve_once(
        &mut self,
        system: KktSystem,
        sides: (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) -> Result<Solved, KktError> {
        if self.iterates {
            let own = self.iterative.as_deref_mut().expect("it took the matrix");
            if let Ok(solved) = own.solve_once(system, sides, (&mut *u, &mut *lambda)) {
                return Ok(solved);
            }
            let current = self.current;
            self.factor(system)?;
            self.current = current;
        }
        self.present_factor().solve_once(sides, (u, lambda));
        Ok(Solved::default())
    }

    /// One solution with the factor.
    pub(super) fn solve_factored(
        &mut self,
        sides: (&[Vec3], &[f64]),
        solution: (&mut [Vec3], &mut [f64]),
    ) {
        self.present_factor().solve_once(sides, solution);
    }

    /// The refined solution with the factor.
    pub(crate) fn solve(
        &mut self,
        system: KktSystem,
        sides: (&[Vec3], &[f64]),
        solution: (&mut [Vec3], &mut [f64]),
    ) -> Result<KktReport, KktError> {
        self.present_factor().solve(system, sides, solution)
    }

    /// Responses of velocities and multipliers to a unit impulse on each row of a pattern, with the factor.
    pub(super) fn respond_once(
        &mut self,
        rows: (&ConstraintPattern, &[Vec3]),
        responses: (&mut [Vec3], &mut [f64]),
    ) {
        self.present_factor().respond_once(rows, responses);
    }

    /// Responses of velocities and multipliers to impulses on the block rows, column after column, with the matrix taken
    /// last.
    pub(super) fn respond_to(
        &mut self,
        system: KktSystem,
        impulses: &[Vec3],
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) -> Result<(), KktError> {
        if !self.iterates {
            self.present_factor().respond_to(impulses, (u, lambda));
            return Ok(());
        }
        let (size, rows) = (self.fixed.len(), self.rows.count());
        let rest = vec![0.0; rows];
        u.fill(Vec3::zeros());
        for (j, impulses) in impulses.chunks_exact(size.max(1)).enumerate() {
            // Each column is solved to the tolerance of its own right side.
            self.begin(RESPONSE_TOLERANCE);
            let u = &mut u[j * size..(j + 1) * size];
            let lambda = &mut lambda[j * rows..(j + 1) * rows];
            self.solve_once(system, (impulses, &rest), (u, lambda))?;
        }
        Ok(())
    }

    /// The least motion in the metric of the masses `system.s` that gives the rows the rates `b_g`.
    pub(crate) fn least_motion(
        &mut self,
        system: KktSystem,
        sides: (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) -> Result<(), KktError> {
        self.current = None;
        if let Some(own) = self.iterative.as_deref_mut() {
            let solved = own.least_motion(system, &self.fixed, sides, (&mut *u, &mut *lambda));
            if solved.is_ok() {
                return Ok(());
            }
        }
        self.factor(system)?;
        self.solve(system, sides, (u, lambda)).map(|_| ())
    }
}

impl Iterative {
    fn solve_once(
        &mut self,
        system: KktSystem,
        sides: (&[Vec3], &[f64]),
        solution: (&mut [Vec3], &mut [f64]),
    ) -> Result<Solved, ConstrainedCgError> {
        let is_first = self.first == 0.0;
        let limits = ConstrainedCgLimits {
            relative: if is_first { self.tolerance } else { 0.0 },
            absolute: self.tolerance * self.first,
            max_iterations: self.max_iterations,
        };
        let report = self.cg.solve(system, &mut self.inverse, sides, solution, limits)?;
        let slow = report.norms[0] > CONTRACTION * self.latest;
        self.latest = report.norms[0];
        self.first = self.first.max(report.norms[0]);
        let nothing_left = report.iterations == 0;
        let iterations = self.inverse.iterations_for(report.iterations);
        Ok(Solved { iterates: true, iterations, nothing_left, slow })
    }

    fn least_motion(
        &mut self,
        system: KktSystem,
        fixed: &[[bool; 3]],
        sides: (&[Vec3], &[f64]),
        solution: (&mut [Vec3], &mut [f64]),
    ) -> Result<(), ConstrainedCgError> {
        self.jacobi.update(system.s, fixed);
        self.cg.update(system, &mut self.jacobi);
        let limits = ConstrainedCgLimits {
            relative: PROJECTION_TOLERANCE,
            absolute: 0.0,
            max_iterations: self.max_iterations,
        };
        self.cg.solve(system, &mut self.jacobi, sides, solution, limits).map(|_| ())
    }
}
