//! Errors of descriptions: each names the part.

use crate::interactive::{FormulaError, GraphError, ImageError, PathError, WorldError};

/// A part of a description that makes no part of a world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.text())]
pub struct DescriptionError {
    /// Kind of part: `object`, `image`, `block`, `constraint` or `behaviour`.
    pub part: &'static str,
    /// Its name.
    pub name: String,
    /// The fault.
    pub fault: Box<DescriptionFault>,
}

impl DescriptionError {
    /// The fault after the part, which faults of the graph of blocks name themselves.
    fn text(&self) -> String {
        let (part, fault) = (format!("{} '{}'", self.part, self.name), self.fault.to_string());
        if fault.starts_with(&part) { fault } else { format!("{part}: {fault}") }
    }

    /// The fault of a part.
    pub(in crate::interactive) fn of(
        part: &'static str,
        name: &str,
        fault: DescriptionFault,
    ) -> Self {
        Self { part, name: name.to_owned(), fault: Box::new(fault) }
    }
}

/// Fault of a part.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DescriptionFault {
    /// The world refuses it.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The graph of blocks refuses it.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A name that no block or output above it has.
    #[error(
        "'{0}' is no block above and no output of one; name one, as 'bead' or 'bead.x', and list blocks before those that use them"
    )]
    Unknown(String),
    /// An object that is not there.
    #[error("there is no object '{0}'")]
    NoObject(String),
    /// An image that is not there.
    #[error("there is no image '{0}'; describe one above, as [[image]]")]
    NoImage(String),
    /// Pixels that make no image.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// A file of an image whose pixels are not there.
    #[error("the pixels of '{0}' were not read; read the world as a file, or set its pixels")]
    Unread(String),
    /// An image by a formula and by files, or by neither.
    #[error("an image takes either `size` and `brightness`, or `files`")]
    ImageSource,
    /// A formula of a curve or an image.
    #[error("{0}")]
    Formula(#[from] FormulaError),
    /// Keyframes.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A keyframe without a time.
    #[error("a keyframe is a list of its time [s] and its coordinates, got an empty one")]
    Keyframe,
    /// A number that does not fit.
    #[error("{what} must be {range}, got {found}")]
    Number {
        /// The number.
        what: &'static str,
        /// Numbers that it may be.
        range: &'static str,
        /// Its value.
        found: f64,
    },
    /// A list of another length.
    #[error("{what} takes {expected} numbers, got {found}")]
    Length {
        /// The list.
        what: &'static str,
        /// Lengths that fit.
        expected: String,
        /// Its length.
        found: usize,
    },
}
