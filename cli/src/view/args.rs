//! The options of `sinew view`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{DEFAULT_MODEL, positive};

/// Options of `sinew view`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ViewArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a model file or a volume mesh
    #[arg(default_value = DEFAULT_MODEL)]
    pub(crate) model: String,

    /// Parameter of the model, as for `sinew run`
    #[arg(long = "param", value_name = "KEY=VALUE,..", value_delimiter = ',')]
    pub(crate) params: Vec<String>,

    /// Set a property of the model, as for `sinew run`
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Time step [s] [default: that of the model file, or 0.01]
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) step: Option<f64>,

    /// Run at once, rather than when Play is clicked
    #[arg(long)]
    pub(crate) play: bool,

    /// Directory that pictures, curves and checkpoints go to
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
}
