//! The options of `sinew fit`.

use std::path::PathBuf;

use clap::Args;

use crate::options::values::positive;
use crate::options::{LiveArgs, ModelArgs, headings};

/// Printed below the help of `sinew fit`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  sinew fit bar.toml --data tip.csv --parameters /models/bar/fem_models/bar:material.youngs_modulus --out fitted
  sinew fit arm.toml --data reach.trc --parameters /models/arm/rigid_bodies/hand:inertial_damping=0..10

Exit codes: 0 done, 1 out of memory or threads, 2 wrong command line, 3 model, file or parameter refused,
4 a step failed, 5 results could not be written.";

/// Options of `sinew fit`.
#[derive(Clone, Debug, Args)]
pub(crate) struct FitArgs {
    /// The model
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Recorded motions (.csv, .trc, .mot, .sto), with columns named as `sinew inverse` has its targets
    #[arg(long, value_name = "FILE", help_heading = headings::INVERSE)]
    pub(crate) data: PathBuf,

    /// Numbers that are sought, between commas: the path of a property, with `.x`, `.y`, `.z` behind that of a vector, and
    /// bounds [default: a tenth of the value in the model and ten times as much]
    #[arg(long, value_name = "PATH[=LOWER..UPPER],..", required = true, help_heading = headings::INVERSE)]
    pub(crate) parameters: String,

    /// Most iterations
    #[arg(long, value_name = "N", default_value_t = 30, help_heading = headings::INVERSE)]
    pub(crate) iterations: usize,

    /// Simulated time [s] [default: the last time of the data]
    #[arg(long, value_name = "S", value_parser = positive, help_heading = headings::STEPS)]
    pub(crate) time: Option<f64>,

    /// Options for the steps of the model
    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Folder of fit.json
    #[arg(short, long, alias = "output", value_name = "DIR", help_heading = headings::RESULTS)]
    pub(crate) out: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(long, help_heading = headings::RESULTS)]
    pub(crate) quiet: bool,
}
