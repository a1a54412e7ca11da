//! Errors of worlds that run.

use crate::interactive::{DescriptionError, GraphError, PaletteError, PartId, WorldError};

/// A command that is refused. The world is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LiveError {
    /// A fault of the world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A fault of the graph of blocks.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A world of this description cannot be built.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// Clicks of which no part can be made.
    #[error(transparent)]
    Palette(#[from] PaletteError),
    /// A part that is not there.
    #[error("there is no {0} that can be taken away or changed")]
    NoPart(PartId),
    /// A name that no output has.
    #[error("'{0}' is no output of a block; name one, as in 'circle.x'")]
    NoOutput(String),
    /// A name that no object has.
    #[error("there is no object '{0}'")]
    NoObject(String),
    /// A block without a formula.
    #[error("block '{0}' has no formula: only blocks of kind `formula` and curves have one")]
    NoFormula(String),
    /// An output that is computed.
    #[error("'{0}' is computed: pull on it, or set a parameter or variable")]
    Computed(String),
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
}
