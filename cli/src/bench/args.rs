//! The options of `sinew bench`.

use clap::{Args, ValueEnum};
use sinew_model_files::{LinearSolverName, PreconditionerName};

use crate::options::values::tolerance;
use crate::options::{EditArgs, words};

/// Options of `sinew bench`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew bench --sizes 6,10 --steps 20
  sinew bench --scene kuhn --sizes 5,8,13 --compare cpu,gpu --json
  sinew bench --scene tongue --solver cg --tolerance 1e-8
  sinew bench --scene larynx --sizes 0,1,2
  sinew bench --scene tongue --sizes 0 --instances 256 --compare cpu,gpu
  sinew bench --survey")]
pub(crate) struct BenchArgs {
    /// Backends to compare; a device only where there is one, unless it is asked for here
    #[arg(long, value_enum, value_delimiter = ',', value_name = "cpu,gpu")]
    pub(crate) compare: Vec<ComparedArg>,

    /// `hex`, `tet` or `kuhn` (beams of 4 n x n x n cells), a built-in model (`tongue`, `face`, `airway`,
    /// `larynx`, `knee`, `liver` and `ventricle` come in sizes), or the path of a volume mesh
    #[arg(long, default_value = "hex", value_name = "SCENE")]
    pub(crate) scene: String,

    /// n of the beams [default: 6,10,16]; resolution of the tongue [default: 1,2,3], the face, the
    /// airway, the larynx, the knee and the liver; n of the ventricle's 6 n x 8 n x 2 n elements; a mesh has one size
    #[arg(long, value_delimiter = ',', value_name = "N,..",
          value_parser = clap::value_parser!(u16).range(0..=128))]
    pub(crate) sizes: Vec<u16>,

    /// Steps of 10 ms that are timed, after one that is not and, on a device, half a second of steps
    #[arg(long, value_name = "N", default_value = "20",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,

    /// Instances of the model that step at once; times are those of a step of all of them
    #[arg(long, value_name = "N", default_value = "1",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) instances: u16,

    /// The device: as for `sinew run`
    #[arg(long, value_name = "N|NAME")]
    pub(crate) device: Option<String>,

    /// Solver for the linear systems on the processor; a device has conjugate gradients
    #[arg(long, default_value = "auto", value_parser = words::<LinearSolverName>())]
    pub(crate) solver: LinearSolverName,

    /// Preconditioner of conjugate gradients without a factor
    #[arg(long, default_value = "auto", value_parser = words::<PreconditionerName>())]
    pub(crate) preconditioner: PreconditionerName,

    /// Relative residual at which conjugate gradients stop, in (0, 1) [default: 1e-5]
    #[arg(long, alias = "cg-tolerance", value_name = "X", value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,

    /// Measure the device (a call, copies, arithmetic), then time every scene on it: lines of JSON
    #[arg(long, conflicts_with = "scene")]
    pub(crate) survey: bool,

    /// Threads; all cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Changes of the model
    #[command(flatten)]
    pub(crate) edits: EditArgs,

    /// Print one line of JSON for each size and backend; the table goes to stderr
    #[arg(long)]
    pub(crate) json: bool,
}

/// Values of `--compare`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ComparedArg {
    /// The processor
    Cpu,
    /// A graphics device
    Gpu,
}
