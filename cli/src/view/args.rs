//! The options of `sinew view`.

use std::path::PathBuf;

use clap::Args;

use crate::options::{LiveArgs, ModelArgs};

/// Options of `sinew view`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew view
  sinew view elbow.toml --play
  sinew view slider-crank.world.toml")]
pub(crate) struct ViewArgs {
    /// The model
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Options of the steps
    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Run at once, rather than when Play is clicked
    #[arg(long)]
    pub(crate) play: bool,

    /// Directory that pictures, curves and checkpoints go to
    #[arg(short, long, alias = "output", value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
}
