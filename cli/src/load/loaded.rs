//! A model that was loaded, to be loaded again and to be saved.

use sinew_model_files::{SaveOptions, Stamp};

use crate::options::EditArgs;

/// A model as it was asked for, and the contents of its files besides.
#[derive(Clone, Default)]
pub(crate) struct Loaded {
    /// Name of a built-in, or path of a file.
    pub(crate) name: String,
    pub(crate) edits: EditArgs,
    /// True if the inputs of the command line feed it.
    pub(crate) first: bool,
    /// Stamp of its files.
    pub(crate) stamp: Stamp,
    /// Contents of the model file beside the model: solver, motions to follow.
    pub(crate) told: SaveOptions,
}
