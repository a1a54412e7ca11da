//! What the parts of a solver see of a problem.

use crate::linalg::kkt::ConstraintPattern;
use crate::mixed::MixedProblem;

/// What a solution of a problem over S and the bilateral rows is made with.
#[derive(Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) problem: &'a MixedProblem<'a>,
    /// Scalars that belong to no equation.
    pub(super) fixed: &'a [[bool; 3]],
    /// Pattern of the bilateral rows.
    pub(super) rows: &'a ConstraintPattern,
    /// Responses of the unilateral rows to their own impulses.
    pub(super) own: &'a [f64],
    /// Number of the matrix.
    pub(super) matrix: usize,
}
