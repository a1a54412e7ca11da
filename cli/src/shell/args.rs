//! The options of `sinew shell`.

use std::path::PathBuf;

use clap::Args;

use crate::options::{EditArgs, LiveArgs};

/// Options of `sinew shell`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew shell jaw-tongue-hyoid
  sinew shell elbow.toml --script commands.txt --out results")]
pub(crate) struct ShellArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a model file or a volume mesh; none is
    /// loaded where it is not given
    pub(crate) model: Option<String>,

    /// Read commands from this file instead of the terminal or stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Changes of the model
    #[command(flatten)]
    pub(crate) edits: EditArgs,

    /// Options of the steps
    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Directory that recorded files and waypoints go to
    #[arg(short, long, alias = "output", value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
}
