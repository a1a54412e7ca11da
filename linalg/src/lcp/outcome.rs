//! Outcome of the solution of a complementarity problem.

use std::fmt;

/// End of a solver. z holds the last iterate in every case but the last.
#[must_use]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Outcome {
    /// z solves the problem.
    Solved {
        /// Largest |z_i - clamp(z_i - w_i)| relative to the largest |q_i| and |z_i|, all scaled to a
        /// unit diagonal of M [-].
        residual: f64,
        /// Pivots made, a 2 x 2 pivot counted once.
        pivots: usize,
    },
    /// There is no solution, or none that this algorithm can find: it would have to move a variable
    /// without end. `LcpSolver::certificate` shows why where M is positive semidefinite.
    Ray {
        /// The variable whose complement could not be brought to zero.
        variable: usize,
        /// Pivots made before.
        pivots: usize,
    },
    /// Pivoting failed: too many pivots, or a pivot that is degenerate.
    Limit {
        /// Residual of z as in `Solved` [-].
        residual: f64,
        /// Pivots made before.
        pivots: usize,
    },
    /// The problem is none that the solver takes; nothing was written.
    Refused(Refusal),
}

/// A solution has a residual below this.
const ACCEPTED: f64 = 1e-9;

impl Outcome {
    /// Outcome of a finished run: solved, if the residual is small enough.
    pub(super) fn finished(residual: f64, pivots: usize) -> Self {
        if residual <= ACCEPTED {
            Self::Solved { residual, pivots }
        } else {
            Self::Limit { residual, pivots }
        }
    }

    /// The same after as many pivots more, made by another rule before.
    pub(super) fn after(self, before: usize) -> Self {
        match self {
            Self::Solved { residual, pivots } => Self::Solved { residual, pivots: pivots + before },
            Self::Ray { variable, pivots } => Self::Ray { variable, pivots: pivots + before },
            Self::Limit { residual, pivots } => Self::Limit { residual, pivots: pivots + before },
            Self::Refused(refusal) => Self::Refused(refusal),
        }
    }

    /// The same, unless a value of z is too large to be written in the units of the problem.
    pub(super) fn if_finite(self, z: &[f64]) -> Self {
        if self.solved().is_none() || z.iter().all(|z| z.is_finite()) {
            return self;
        }
        Self::Limit { residual: f64::INFINITY, pivots: self.pivots() }
    }

    /// The residual, if the problem was solved [-].
    pub fn solved(&self) -> Option<f64> {
        match *self {
            Self::Solved { residual, .. } => Some(residual),
            _ => None,
        }
    }

    /// Pivots made.
    pub fn pivots(&self) -> usize {
        match *self {
            Self::Solved { pivots, .. } | Self::Ray { pivots, .. } | Self::Limit { pivots, .. } => {
                pivots
            }
            Self::Refused(_) => 0,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solved { residual, pivots } => {
                write!(f, "solved in {pivots} pivots, residual {residual:.1e}")
            }
            Self::Ray { variable, pivots } => write!(
                f,
                "no solution: variable {variable} moves without end after {pivots} pivots; \
                 remove or relax a row that contradicts it"
            ),
            Self::Limit { residual, pivots } => write!(
                f,
                "pivoting failed after {pivots} pivots with residual {residual:.1e}; \
                 try another algorithm, or a matrix that is positive semidefinite"
            ),
            Self::Refused(refusal) => refusal.fmt(f),
        }
    }
}

/// Errors of a problem.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Refusal {
    /// An array is not as long as the number of variables asks.
    Length {
        /// Variables: the length of q.
        variables: usize,
        /// The length that does not fit.
        found: usize,
    },
    /// An entry of M or q, or a bound, is not a number, is infinite where it may not be, or is too
    /// large to be scaled.
    NotFinite {
        /// The variable whose row holds it.
        variable: usize,
    },
    /// A lower bound lies above the upper one, or at infinity.
    Bounds {
        /// The variable.
        variable: usize,
    },
    /// M has a direction of negative curvature, which the algorithm does not take.
    Indefinite {
        /// The variable at which it was found.
        variable: usize,
    },
    /// A friction bound names a row that is not a unilateral one, or a coefficient that is negative.
    Friction {
        /// The row of the bound.
        row: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { variables, found } => write!(
                f,
                "an array has {found} entries where q has {variables}; give n, and n x n of the matrix"
            ),
            Self::NotFinite { variable } => {
                write!(f, "row {variable} holds a number that is not finite; correct it")
            }
            Self::Bounds { variable } => {
                write!(
                    f,
                    "the bounds of variable {variable} hold no number; exchange or widen them"
                )
            }
            Self::Indefinite { variable } => write!(
                f,
                "the matrix is not positive semidefinite at variable {variable}; use Lemke's method"
            ),
            Self::Friction { row } => write!(
                f,
                "friction row {row} must name a unilateral row as its normal, a friction row as its \
                 partner, and a coefficient that is not negative"
            ),
        }
    }
}

impl std::error::Error for Refusal {}
