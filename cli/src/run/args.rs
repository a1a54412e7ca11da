//! The options of `sinew run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::probe_args::ProbeArgs;
use crate::options::headings;
use crate::options::values::{not_negative, positive};
use crate::options::{DeviceArgs, ModelArgs, SolveArgs};

/// Printed below the help of `sinew run`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  sinew run beam --param elem=quadhex,nx=16 --time 2 --out fine
  sinew run liver.vtu --param unit=mm,E=5e3 --every 0.01
  sinew run chain --probe /:energy --trace /models/chain/rigid_bodies/link0=way.csv
  sinew run jaw-tongue-hyoid --checkpoint-every 0.1
  sinew run jaw-tongue-hyoid --checkpoint-every 0.1 --time 5 --resume results/jaw-tongue-hyoid/checkpoint.sinew

Exit codes: 0 done, 1 out of memory or threads, or no display, 2 wrong command line, 3 model, file or
parameter refused, 4 a step failed, 5 results could not be written, 130 interrupted (what was written
is kept).
Environment: SINEW_LOG = off, error, warn (default), info, debug or trace; SINEW_DEVICE = a device,
as for --device.";

/// Options of `sinew run`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// The model
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Simulated time [s], rounded up to whole steps; with `static`, the time of the loads [default: that of the model
    /// file, or 1]
    #[arg(long, value_name = "S", value_parser = positive, help_heading = headings::STEPS)]
    pub(crate) time: Option<f64>,

    /// Time step [s]; has no meaning with `static` [default: that of the model file, or 0.01]
    #[arg(long, value_name = "S", value_parser = positive, help_heading = headings::STEPS)]
    pub(crate) step: Option<f64>,

    /// Options of the steps
    #[command(flatten)]
    pub(crate) solve: SolveArgs,

    /// Backend and device
    #[command(flatten)]
    pub(crate) computes: DeviceArgs,

    /// Action when the device is lost
    #[arg(long, value_enum, default_value_t, help_heading = headings::DEVICE)]
    pub(crate) on_device_loss: OnDeviceLossArg,

    /// Threads; all cores when not given. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = headings::DEVICE)]
    pub(crate) threads: Option<u16>,

    /// Probes, in and out
    #[command(flatten)]
    pub(crate) probes: ProbeArgs,

    /// Report the distance of two points (particles, frame markers, nodes) by their paths; may be
    /// repeated
    #[arg(long = "watch", value_name = "[NAME=]PATH,PATH", help_heading = headings::PROBES)]
    pub(crate) watches: Vec<String>,

    /// Simulated time between frames, and between samples of --probe and --trace [s]; 0 is every step
    #[arg(long, value_name = "S", default_value = "0.04", value_parser = not_negative, help_heading = headings::RESULTS)]
    pub(crate) every: f64,

    /// Directory of the results: new, empty, or of a former run [default: results/<model>]
    #[arg(short, long, alias = "output", value_name = "DIR", help_heading = headings::RESULTS)]
    pub(crate) out: Option<PathBuf>,

    /// Files that show the motion
    #[arg(long, value_enum, default_value_t, help_heading = headings::RESULTS)]
    pub(crate) frames: FramesArg,

    /// Rows of energies.csv, and states that extremes are of [default: steps; on a device frames]
    #[arg(long, value_enum, help_heading = headings::RESULTS)]
    pub(crate) energies: Option<EnergiesArg>,

    /// Print where the time went
    #[arg(long, help_heading = headings::RESULTS)]
    pub(crate) profile: bool,

    /// End stdout with one line of JSON; everything else goes to stderr
    #[arg(long, help_heading = headings::RESULTS)]
    pub(crate) json: bool,

    /// Print nothing but errors (and the line of --json)
    #[arg(long, help_heading = headings::RESULTS)]
    pub(crate) quiet: bool,
}

/// Values of `--on-device-loss`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnDeviceLossArg {
    /// End the run with the last good state
    #[default]
    Stop,
    /// Go on from the last good state on the processor
    Cpu,
}

/// Values of `--frames`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FramesArg {
    /// VTU files and a .pvd collection, for ParaView
    #[default]
    Vtu,
    /// None
    None,
}

/// Values of `--energies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EnergiesArg {
    /// Every step: measured after each, which costs a tenth of some steps
    Steps,
    /// Frames, the start and the end
    Frames,
}
