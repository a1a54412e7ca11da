//! Options of runs on probes, and on going on.

use std::path::PathBuf;

use clap::Args;

use crate::options::headings;
use crate::options::values::{factor, positive};

/// Options of `sinew run` about probes, checkpoints and failed steps.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = headings::PROBES)]
pub(crate) struct ProbeArgs {
    /// Record a property every --every S, such as /models/beam:energy, or a formula of properties in
    /// braces; to probes.csv, or to a .csv, .npy, .parquet, .mot or .sto FILE in the results; may be repeated
    #[arg(long = "probe", value_name = "PATH[=FILE]")]
    pub(crate) probe: Vec<String>,

    /// Record where a point is (particle, marker, node, body), as --probe does; may be repeated
    #[arg(long = "trace", value_name = "PATH[=FILE]")]
    pub(crate) trace: Vec<String>,

    /// Feed the columns of a FILE (.csv, .trc, .mot, .sto, .txt of ArtiSynth) into properties before every
    /// step: into PATH:NAME,.. in turn, or into those that the columns are named by; may be repeated
    #[arg(long = "input", value_name = "[PATH:NAME,..=]FILE")]
    pub(crate) input: Vec<String>,

    /// Probes described in a JSON file: input_probes, output_probes, tracing_probes
    #[arg(long, value_name = "FILE")]
    pub(crate) probes: Option<PathBuf>,

    /// Write checkpoint.sinew into the results at this interval of simulated time [s]
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) checkpoint_every: Option<f64>,

    /// Go on from a checkpoint of a run with the same model and options (--time may be longer)
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// Shortest part that a failed step is halved to [s] [default: a 256th of --step]
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) smallest_step: Option<f64>,

    /// Hold the run to this many simulated seconds in a second
    #[arg(long, value_name = "SPEED", value_parser = factor)]
    pub(crate) pace: Option<f64>,
}
