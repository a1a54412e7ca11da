//! Errors of saddle-point systems, and names of their unknowns.

use std::fmt;

/// An unknown of the system, as the caller numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A scalar of a velocity.
    Velocity {
        /// Block row.
        row: usize,
        /// 0 to 2.
        axis: usize,
    },
    /// The multiplier of a constraint row.
    Multiplier {
        /// Constraint row.
        row: usize,
    },
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Velocity { row, axis } => write!(f, "component {axis} of block row {row}"),
            Self::Multiplier { row } => write!(f, "the multiplier of constraint row {row}"),
        }
    }
}

/// Errors of a saddle-point system.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KktError {
    /// Row starts do not enclose the entries.
    #[error("row starts of the constraints must rise from 0 to the {entries} entries")]
    Offsets {
        /// Entries given.
        entries: usize,
    },
    /// An entry names a block row that does not exist.
    #[error("constraint row {row} names block row {block} of a system of {size}")]
    BlockRow {
        /// Constraint row.
        row: usize,
        /// The block row it names.
        block: u32,
        /// Block rows of the system.
        size: usize,
    },
    /// A compliance is negative or not a number.
    #[error("constraint row {row} has compliance {value}: it must be finite and not negative")]
    Compliance {
        /// Constraint row.
        row: usize,
        /// Given value.
        value: f64,
    },
    /// The matrix is singular, even with its constraints.
    #[error(
        "the system is singular at {0}: nothing resists its motion (hold it, or add mass, stiffness or a constraint)"
    )]
    Singular(Unknown),
    /// The matrix or a right side contains an infinity or no number.
    #[error("{0} is or becomes infinite or not a number: check the matrix and the right sides")]
    NotFinite(Unknown),
    /// The factor does not fit into memory.
    #[error("the factor of {unknowns} unknowns does not fit into memory")]
    OutOfMemory {
        /// Unknowns of the system.
        unknowns: usize,
    },
    /// Refinement ended far from a solution.
    #[error(
        "relative residuals {residual:?} after {iterations} iterations of refinement, worst at {worst}: the system is singular or nearly so"
    )]
    NotConverged {
        /// Iterations of refinement.
        iterations: usize,
        /// Of the equations of motion and of the constraints [-].
        residual: [f64; 2],
        /// The equation with the largest residual.
        worst: Unknown,
    },
}
