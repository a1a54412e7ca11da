//! Inputs of the parts of a solver.

use crate::linalg::kkt::ConstraintPattern;
use crate::mixed::MixedProblem;

/// Problem and matrix of a solution over S and the bilateral rows.
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
