//! Errors of worlds: each names the part.

use crate::interactive::graph::GraphError;
use crate::lcp::Outcome;
use crate::mixed::MixedError;

/// An edit or step that is refused. The world is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// A fault of the graph of blocks.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A part that was removed, or a result that an edit has made stale.
    #[error("the {0} is not there any more")]
    Gone(&'static str),
    /// Two parts of one name.
    #[error("the name '{name}' is that of another {part}; use another one")]
    Taken {
        /// Kind of part.
        part: &'static str,
        /// The name.
        name: String,
    },
    /// A number of values or ports that does not fit.
    #[error("'{name}' takes {expected} {of}, got {found}")]
    Count {
        /// Name of the part.
        name: String,
        /// The things that were counted.
        of: &'static str,
        /// Number that fits.
        expected: usize,
        /// Number that was given.
        found: usize,
    },
    /// A number that is out of range.
    #[error("{name} must be {range}, got {value}")]
    Number {
        /// The number.
        name: &'static str,
        /// Numbers that it can be.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// An object that has no point or direction of these coordinates.
    #[error("object '{object}' has no {of} at {coordinates:?}")]
    Point {
        /// The object.
        object: String,
        /// "point" or "direction".
        of: &'static str,
        /// The coordinates.
        coordinates: Vec<f64>,
    },
    /// An object without inertia that is to move in second order.
    #[error(
        "object '{0}' has drag and no inertia: let it move in first order, or weight it by its parameter"
    )]
    Inertia(String),
    /// A mass matrix that is not positive definite.
    #[error(
        "the mass matrix of object '{0}' is not positive definite: some motion of its state costs nothing; give it mass or drag"
    )]
    Mass(String),
    /// A behaviour of another type.
    #[error("behaviour '{0}' is of another type")]
    Type(String),
    /// Inequalities that no forces meet.
    #[error("no forces meet the inequalities ({0}); remove one that contradicts others")]
    Inequalities(Outcome),
    /// A fault of the mixed problem of an implicit step.
    #[error(transparent)]
    Mixed(#[from] MixedError),
    /// Accelerations or states that are no numbers.
    #[error(
        "the motion of object '{0}' is no number any more; take smaller steps or softer forces"
    )]
    Diverged(String),
    /// Constraints that were not brought to zero.
    #[error(
        "constraint '{constraint}' is still {error:.3e} after {iterations} iterations; move its parts nearer, or remove what contradicts it"
    )]
    Assembly {
        /// The constraint that is missed most.
        constraint: String,
        /// Its largest error.
        error: f64,
        /// Iterations made.
        iterations: usize,
    },
}
