//! Solvers of less precision, made use of by those who compute residuals themselves.

use crate::{BlockMatrix, Definiteness, Vec3};

/// An approximate solver of the systems of one pattern, such as a device in single precision.
pub trait Corrector: Send {
    /// Takes the matrix of the next solves, and the positions `q` [m] of its rows.
    ///
    /// # Errors
    /// [`CorrectorError`].
    fn prepare(&mut self, matrix: &BlockMatrix, q: &[Vec3])
    -> Result<Definiteness, CorrectorError>;

    /// Sets `e` to an approximate solution of A e = `r` over the free scalars, zero at the fixed ones,
    /// and returns the number of iterations that it took. `share` is that of the residual that would end the
    /// solve [-]: there is no use in less; it may leave more.
    ///
    /// # Errors
    /// [`CorrectorError`].
    fn correct(&mut self, r: &[Vec3], e: &mut [Vec3], share: f64) -> Result<usize, CorrectorError>;
}

/// Errors of a correction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CorrectorError {
    /// The matrix, or the preconditioner made from it, is not positive definite.
    #[error("{0}")]
    Indefinite(String),
    /// The device that solves does not answer.
    #[error("{0}")]
    Device(String),
}
