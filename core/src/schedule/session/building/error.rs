//! Reasons against building something.

use crate::schedule::SimulationError;

/// Errors of building by hand; nothing is changed then.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The part has no size.
    #[error("a {0} is drawn from one place to another: these are the same")]
    NoSize(&'static str),
    /// Both picks are on one body, and nothing else is there.
    #[error(
        "both clicks are on {0}, and no other part has a connector there: click another part, or the background for the ground"
    )]
    SameBody(String),
    /// Neither side can move.
    #[error("a {0} needs a part on one side at least: click a body first")]
    NoBody(&'static str),
    /// The places are apart, and both parts are joined to others.
    #[error(
        "{first} and {second} are {apart:.3e} m apart there, and both are joined to others: move one first"
    )]
    Apart {
        /// The first part.
        first: String,
        /// The second part.
        second: String,
        /// Distance of the places [m].
        apart: f64,
    },
    /// The ends of a line are one place.
    #[error("a {0} needs two places: both clicks are on the same point")]
    NoLength(&'static str),
    /// Something that no point is.
    #[error(
        "an attachment goes from a particle or a node to what it follows: the first click met none"
    )]
    NoPoint,
    /// Something that points cannot follow.
    #[error("a point follows a body, a particle or a tissue: the second click met none")]
    NoMaster,
    /// A joint that no motor drives.
    #[error("a motor drives a hinge or a slider, and {0} is neither")]
    NoCoordinate(String),
    /// A marker in free space.
    #[error("a marker is on a body or a tissue: the click met none")]
    NoSurface,
    /// The component that was picked is gone.
    #[error("what was picked is not there any more")]
    Gone,
    /// The state of the model.
    #[error(transparent)]
    Simulation(Box<SimulationError>),
}

impl From<SimulationError> for BuildError {
    fn from(error: SimulationError) -> Self {
        Self::Simulation(Box::new(error))
    }
}
