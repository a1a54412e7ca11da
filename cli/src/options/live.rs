//! Options of backend and device, and those of models that are driven by hand.

use clap::{Args, ValueEnum};

use super::headings;
use super::solve::SolveArgs;
use super::values::positive;

/// Backend and device.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = headings::DEVICE)]
pub(crate) struct DeviceArgs {
    /// The backend
    #[arg(long, value_enum, default_value_t)]
    pub(crate) backend: BackendArg,

    /// The device: its number in `sinew devices`, a part of its name, `best`, or `software`
    /// [default: the variable SINEW_DEVICE, or else the best]
    #[arg(long, value_name = "N|NAME")]
    pub(crate) device: Option<String>,
}

/// Options for the steps of a model that is driven by hand, or for a picture: on the processor
/// unless another is asked for.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("backend", |arg| arg.default_value("cpu")))]
pub(crate) struct LiveArgs {
    /// Time step [s] [default: that of the model file, or 0.01]
    #[arg(long, value_name = "S", value_parser = positive, help_heading = headings::STEPS)]
    pub(crate) step: Option<f64>,

    /// Options of the steps
    #[command(flatten)]
    pub(crate) solve: SolveArgs,

    /// Backend and device
    #[command(flatten)]
    pub(crate) computes: DeviceArgs,

    /// Feed properties from a file, as for `sinew run`
    #[arg(long = "input", value_name = "[PATH:NAME,..=]FILE", help_heading = headings::PROBES)]
    pub(crate) inputs: Vec<String>,
}

/// Values of `--backend`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendArg {
    /// By the size of the model and by what devices there are
    #[default]
    Auto,
    /// The processor, in 64-bit floating point
    Cpu,
    /// A graphics device
    Gpu,
}
