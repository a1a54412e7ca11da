//! Errors of mixed problems.

use crate::lcp::ContactOutcome;
use crate::linalg::FactorError;
use crate::linalg::kkt::KktError;

/// Errors of the solution of a mixed problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MixedError {
    /// An array does not fit the solver.
    #[error("`{array}` has length {found}, and the solver was made for {expected}")]
    Length {
        /// Name of the array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// Length that it must have.
        expected: usize,
    },
    /// A row of friction stands before its normal, or acts on other block rows.
    #[error("friction row {row} must stand after its normal and name the same block rows")]
    Friction {
        /// The row.
        row: usize,
    },
    /// A unilateral row names no block row of the matrix.
    #[error("a unilateral row names a block row that a matrix of {size} does not have")]
    BlockRow {
        /// Block rows of the matrix.
        size: usize,
    },
    /// A linear system has no solution.
    #[error("{0}")]
    Singular(String),
    /// S is not positive definite, so that no impulses are the best.
    #[error(
        "the response of {rows} rows of contacts is not positive definite: the matrix of the step \
         has lost its stiffness, as that of tissue that turns over may; take a shorter step"
    )]
    Indefinite {
        /// Number of unilateral rows.
        rows: usize,
    },
    /// A saddle point has no solution, or none that was found.
    #[error("{0}")]
    Saddle(KktError),
    /// It was asked to end.
    #[error("the solution was given up, as was asked")]
    Stopped,
    /// The device that solves does not answer.
    #[error("{0}")]
    Device(String),
    /// The impulses of the unilateral rows were not found.
    #[error("{0}")]
    Cones(ContactOutcome),
    /// An iteration came to its end before its tolerance.
    #[error("{method}: {iterations} iterations left {residual:.1e}, tolerance {tolerance:.1e}")]
    NotConverged {
        /// Name of the method.
        method: &'static str,
        /// Iterations made.
        iterations: usize,
        /// Residual [-].
        residual: f64,
        /// Tolerance [-].
        tolerance: f64,
    },
}

impl From<KktError> for MixedError {
    fn from(error: KktError) -> Self {
        Self::Saddle(error)
    }
}

impl From<FactorError> for MixedError {
    fn from(error: FactorError) -> Self {
        Self::Singular(error.to_string())
    }
}
