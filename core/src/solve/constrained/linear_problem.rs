//! The mixed problem of an iteration, from the parts of a step, and its solution into them.

use crate::Vec3;
use crate::lcp::FrictionModel;
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::ConstraintPattern;
use crate::mixed::{
    Accuracy, BilateralRows, MixedOutcome, MixedProblem, MixedSolution, UnilateralRows,
};
use crate::solve::constrained::iterate::Trial;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::reduction::Reduction;
use crate::solve::constrained::substep::{Matrix, Substep};
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::work::LinearStep;
use crate::solve::failure::Failure;

/// Settings of one mixed problem: model of friction, accuracy, form of its matrix.
#[derive(Clone, Copy)]
pub(super) struct Request {
    pub(super) friction: FrictionModel,
    pub(super) accuracy: Accuracy,
    /// True if the second line takes the row vectors at the end of the substep, so that the matrix
    /// is unsymmetric.
    pub(super) unsymmetric: bool,
    /// Length of the step [s].
    pub(super) h: f64,
}

impl Request {
    /// For the iterations of a substep.
    pub(super) fn of(substep: Substep) -> Self {
        let accuracy = match substep.matrix {
            // Backward Euler damps far more than what one back-solve leaves.
            Matrix::Symmetric if substep.weight() == 1.0 => Accuracy::Single,
            Matrix::Symmetric => Accuracy::Refined,
            Matrix::Unsymmetric => Accuracy::Single,
            Matrix::Nearest => Accuracy::Nearest,
        };
        let unsymmetric = substep.matrix == Matrix::Unsymmetric;
        Self { friction: substep.friction, accuracy, unsymmetric, h: substep.h }
    }

    /// For corrections by the masses, in boxes of friction.
    pub(super) fn by_masses(friction: FrictionModel, h: f64) -> Self {
        Self { friction, accuracy: Accuracy::Refined, unsymmetric: false, h }
    }
}

/// Data of the linear system of an iteration: right side, bilateral rows, inertia.
pub(super) struct Known<'a> {
    b: &'a [Vec3],
    bilateral: BilateralRows<'a>,
    inertia: &'a [Vec3],
    positions: &'a [Vec3],
}

impl<'a> Known<'a> {
    /// The linear system, and the slices that its solution is written to.
    pub(super) fn of(
        linear: &'a mut LinearStep,
        trial: &'a Trial,
        reduction: &'a Reduction,
        request: Request,
    ) -> (Self, &'a mut [Vec3], &'a mut [f64]) {
        let LinearStep { step, row_step, right, row_right, compliance, end_values } = linear;
        let bilateral = BilateralRows {
            values: &trial.reduced,
            end_values: request.unsymmetric.then_some(&end_values[..]),
            compliance,
            target: row_right,
        };
        let known =
            Self { b: right, bilateral, inertia: &reduction.masses, positions: &trial.mean_q };
        (known, step, row_step)
    }

    pub(super) fn problem(
        &self,
        s: &'a BlockMatrix,
        unilateral: UnilateralRows<'a>,
        Request { friction, accuracy, .. }: Request,
    ) -> MixedProblem<'a> {
        let Self { b, bilateral, inertia, positions } = *self;
        MixedProblem { s, b, inertia, positions, bilateral, unilateral, friction, accuracy }
    }
}

/// Takes the matrix for solutions with the impulses as they are.
pub(super) fn prepare(
    parts: &mut Parts,
    matrix: &BlockMatrix,
    rows: Option<&mut Unilateral>,
    request: Request,
) -> Result<(), Failure> {
    let Parts { mixed, linear, trial, reduction, .. } = parts;
    let none = ConstraintPattern::default();
    let (known, ..) = Known::of(linear, trial, reduction, request);
    let rows = rows
        .map_or_else(|| UnilateralRows::none(&none), |rows| rows.set.state_about(&trial.y, 0.0).0);
    Ok(mixed.prepare(&known.problem(matrix, rows, request))?)
}

/// `parts.linear.step` and `parts.linear.row_step` from `parts.linear.right` and `parts.linear.row_right`, in the frame
/// half way; with the impulses of unilateral rows, which are about the velocities of the iterate.
pub(super) fn solve_problem(
    parts: &mut Parts,
    matrix: &BlockMatrix,
    rows: Option<&mut Unilateral>,
    request: Request,
) -> Result<MixedOutcome, Failure> {
    let Parts { mixed, linear, trial, reduction, .. } = parts;
    let mut outcome = MixedOutcome::default();
    let (known, u, lambda) = Known::of(linear, trial, reduction, request);
    let Some(Unilateral { set, status, settings, .. }) = rows else {
        let none = ConstraintPattern::default();
        let problem = known.problem(matrix, UnilateralRows::none(&none), request);
        let solution = &mut MixedSolution { u, lambda, z: &mut [], statuses: &mut [] };
        mixed.solve(&problem, solution, &mut outcome)?;
        return Ok(outcome);
    };
    let (unilateral, z, statuses) = set.state_about(&trial.y, status.tolerance(request.h));
    let problem = known.problem(matrix, unilateral, request);
    mixed.solve(&problem, &mut MixedSolution { u, lambda, z, statuses }, &mut outcome)?;
    settings.count(&outcome);
    status.latest = outcome;
    Ok(outcome)
}

/// The same with the impulses as they are, by iterations where these take the rows.
pub(super) fn solve_free(
    parts: &mut Parts,
    matrix: &BlockMatrix,
    rows: &mut Unilateral,
    request: Request,
) -> Result<MixedOutcome, Failure> {
    let Parts { mixed, linear, trial, reduction, .. } = parts;
    let mut outcome = MixedOutcome::default();
    let (known, u, lambda) = Known::of(linear, trial, reduction, request);
    let none = ConstraintPattern::default();
    let unilateral = match rows.iterates() {
        true => UnilateralRows::none(&none),
        false => rows.set.state_about(&trial.y, 0.0).0,
    };
    let problem = known.problem(matrix, unilateral, request);
    mixed.solve_bilateral(&problem, (u, lambda), &mut outcome)?;
    Ok(outcome)
}
