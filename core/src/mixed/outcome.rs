//! Report of a solution of a mixed problem: methods, counts, residuals.

use crate::lcp::FrictionModel;

/// Method, counts and quality of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MixedOutcome {
    /// Method that found the impulses of the unilateral rows.
    pub method: ConeMethod,
    /// Model of friction that was solved: a box, where the cone asked for could not be.
    pub friction: FrictionModel,
    /// Iterations of conjugate gradients.
    pub iterations: usize,
    /// Numeric factorizations.
    pub factorizations: usize,
    /// Pivots, and rows that were found in the wrong set.
    pub pivots: usize,
    /// Methods that did not find the impulses, after each of which another took over.
    pub fallbacks: usize,
    /// True if bilateral rows contradict each other; known for
    /// [`Accuracy::Nearest`](super::Accuracy::Nearest) alone.
    pub conflict: bool,
    /// Residual of each part; zeros unless the settings ask for it.
    pub residual: MixedResidual,
    /// Report of the last linear solve.
    pub(crate) linear: super::Solved,
}

/// Methods for the impulses of the unilateral rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConeMethod {
    /// There are none.
    #[default]
    None,
    /// Pivoting on the dense response of all rows (Keller, Lemke).
    Dense,
    /// Block pivoting on the response of the few block rows that are touched.
    Condensed,
    /// Block pivoting under conjugate gradients, active rows of points eliminated.
    Elimination,
    /// Block pivoting, with a sparse factorization of each set.
    ActiveSets,
    /// The interior point method on the cone.
    InteriorPoint,
    /// Impulses stay as they were: an interior point method brings the rows no nearer.
    Kept,
}

/// Residuals of a solution, one for each part of the problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MixedResidual {
    /// Largest |S u - Gᵀλ - Nᵀ(z - z₀) - b| over the largest of its terms [-].
    pub balance: f64,
    /// Largest |G u + R λ - b_g| [m/s].
    pub rows: f64,
    /// Largest error of the unilateral rows [m/s]: the impulse that one lacks to be at its limit or
    /// to meet its target, times its response to it.
    pub cones: f64,
}
