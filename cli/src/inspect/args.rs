//! The options of `sinew inspect`.

use clap::Args;

use crate::options::EditArgs;
use crate::options::values::not_negative;

/// Options of `sinew inspect`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew inspect beam
  sinew inspect beam /models/beam/fem_models/beam --at 0.5
  sinew inspect beam /models/beam:gravity --json")]
pub(crate) struct InspectArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a volume mesh
    pub(crate) model: String,

    /// Path of a component, node, element, region or support; with `:NAME` one of its properties
    #[arg(default_value = "/")]
    pub(crate) path: String,

    /// Number of levels below PATH that are listed
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) depth: u16,

    /// Simulate until this time [s] first, by steps of 10 ms, and show the values there
    #[arg(long, value_name = "S", value_parser = not_negative)]
    pub(crate) at: Option<f64>,

    /// Changes of the model
    #[command(flatten)]
    pub(crate) edits: EditArgs,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
