//! Outcome of the solution of a contact problem.

use std::fmt;

use super::{FrictionModel, Outcome};

/// End of a contact solver.
#[must_use]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ContactOutcome {
    /// z solves the problem.
    Solved {
        /// As in [`Outcome::Solved`] [-].
        residual: f64,
        /// The model that was solved: a box, where the cone could not be.
        model: FrictionModel,
        /// Complementarity problems solved.
        iterations: usize,
        /// Pivots of all iterations.
        pivots: usize,
    },
    /// z is complementary with friction limits that do not quite belong to its normal impulses.
    Unsettled {
        /// Largest difference between the normal impulses of the limits and those found, relative to
        /// the largest impulse, both scaled to a unit diagonal [-].
        change: f64,
        /// The model that was solved.
        model: FrictionModel,
        /// Complementarity problems solved.
        iterations: usize,
        /// Pivots of all iterations.
        pivots: usize,
    },
    /// One of the complementarity problems has no solution, or was refused.
    Failed(Outcome),
}

impl fmt::Display for ContactOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solved { residual, model, iterations, pivots } => write!(
                f,
                "solved ({model:?}) in {iterations} iterations, {pivots} pivots, residual {residual:.1e}"
            ),
            Self::Unsettled { change, model, iterations, .. } => write!(
                f,
                "limits of friction ({model:?}) still change by {change:.1e} after {iterations} iterations; \
                 use a cone, a smaller coefficient, or go on in the next step"
            ),
            Self::Failed(outcome) => outcome.fmt(f),
        }
    }
}
