//! The options of `sinew check` and `sinew save`.

use std::path::PathBuf;

use clap::Args;

use crate::options::EditArgs;

/// Options of `sinew check`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew check elbow.toml
  sinew check elbow.toml --param side=right --json")]
pub(crate) struct CheckArgs {
    /// The model file
    pub(crate) file: PathBuf,

    /// Parameter of the file; several may be separated by commas, and the option repeated
    #[arg(long = "param", value_name = "KEY=VALUE,..", value_delimiter = ',')]
    pub(crate) params: Vec<String>,

    /// The folder that no file which it names may lead out of [default: that of the file]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `sinew save`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew save jaw-tongue-hyoid jaw.toml
  sinew save elbow.toml elbow.json --param side=right
  sinew save elbow.toml elbow.osim")]
pub(crate) struct SaveArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a model file or a volume mesh
    pub(crate) model: String,

    /// The model file to write (.toml, .json), or a document of OpenSim (.osim)
    pub(crate) file: PathBuf,

    /// Changes of it before it is saved
    #[command(flatten)]
    pub(crate) edits: EditArgs,
}
