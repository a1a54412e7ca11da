//! Options of the model and of its changes before it is compiled: those of all subcommands that
//! load one.

use std::path::PathBuf;

use clap::Args;

use super::headings;

/// The model that is simulated when none is named.
pub(crate) const DEFAULT_MODEL: &str = "jaw-tongue-hyoid";

/// A model, the default one where none is named.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a model file (.toml, .json) or of
    /// a volume mesh
    #[arg(value_name = "MODEL", default_value = DEFAULT_MODEL)]
    pub(crate) name: String,

    /// Changes of it
    #[command(flatten)]
    pub(crate) edits: EditArgs,
}

/// Changes of a model.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = headings::MODEL)]
pub(crate) struct EditArgs {
    /// Parameter of the model; several may be separated by commas, and the option repeated
    #[arg(long = "param", value_name = "KEY=VALUE,..", value_delimiter = ',')]
    pub(crate) params: Vec<String>,

    /// Give a property another value before the model is compiled, such as
    /// /models/beam:gravity="0 0 -1.6"; may be repeated, and is done in order
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) sets: Vec<String>,

    /// The folder that no file which a model file names may lead out of [default: that of the file]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}
