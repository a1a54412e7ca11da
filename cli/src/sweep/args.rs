//! The options of `sinew sweep`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::options::headings;

/// Printed below the help of `sinew sweep`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  sinew sweep stiffness.toml               all cases, as many at a time as there are cores
  sinew sweep stiffness.toml --list        the cases, as a table, and nothing else
  sinew sweep stiffness.toml --case 3      one case alone
  sinew sweep stiffness.toml --retry       those that failed once more
  sinew sweep stiffness.toml --engine slurm

A sweep:
  model = \"jaw-tongue-hyoid\"
  options = [\"--time\", \"0.3\", \"--frames\", \"none\"]
  design = \"grid\"                          or random, latin-hypercube, list
  [[factor]]
  name = \"task\"                            a parameter, a PATH:property, or an option such as --step
  values = [\"rest\", \"open\"]
  [[factor]]
  name = \"/models/jaw-tongue-hyoid/fem_models/tongue:density\"
  range = [1000, 1100]
  levels = 3

Exit codes: 0 all cases done, 3 sweep refused, 4 a case failed, 5 results could not be written,
130 interrupted. Cases that are done are not run again.";

/// Options of `sinew sweep`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SweepArgs {
    /// The sweep, a TOML file; cases run as if `sinew run` were started in its folder
    pub(crate) file: PathBuf,

    /// Directory of the results: new, empty, or of the same sweep [default: results/<name of the file>]
    #[arg(short, long, alias = "output", value_name = "DIR", help_heading = headings::RESULTS)]
    pub(crate) out: Option<PathBuf>,

    /// Cases at a time; as many as there are cores when not given. The cores are shared out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = headings::DEVICE)]
    pub(crate) jobs: Option<u16>,

    /// Engine that runs the cases
    #[arg(long, value_enum, default_value_t, help_heading = headings::DEVICE)]
    pub(crate) engine: EngineArg,

    /// Run this case alone, the first being 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) case: Option<u64>,

    /// Run cases that failed once more
    #[arg(long)]
    pub(crate) retry: bool,

    /// Print the cases as CSV and run none
    #[arg(long, conflicts_with_all = ["case", "retry", "collect"])]
    pub(crate) list: bool,

    /// Write the table of what is there and run none
    #[arg(long, conflicts_with_all = ["case", "retry"])]
    pub(crate) collect: bool,

    /// Print nothing but errors
    #[arg(long, help_heading = headings::RESULTS)]
    pub(crate) quiet: bool,
}

/// Values of `--engine`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
    /// Processes on this machine
    #[default]
    Local,
    /// Write a script for an array of Slurm jobs
    Slurm,
    /// Write a Python program that hands the cases to Ray
    Ray,
}
