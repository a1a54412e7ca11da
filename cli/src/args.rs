//! The command line as clap reads it. What the values lead to stands in `run/plan.rs`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

pub(crate) use crate::contact_args::{
    ContactSolverArg, FrictionArg, FrictionMethodArg, StabilizationArg,
};
pub(crate) use crate::file_args::{CheckArgs, ConvertArgs, ElementArg, InfoArgs, SaveArgs};
pub(crate) use crate::model_args::{EditArgs, ModelArgs};
use crate::probe_args::ProbeArgs;
use crate::render::RenderArgs;
use crate::shell::ShellArgs;
pub(crate) use crate::solve_args::{
    BackendArg, DeviceArgs, IntegratorArg, LiveArgs, PreconditionerArg, SolveArgs, SolverArg,
};
use crate::view::ViewArgs;

/// The model that `sinew run` simulates when none is named.
pub(crate) const DEFAULT_MODEL: &str = "jaw-tongue-hyoid";

/// Printed below the help of `sinew`.
const AFTER_HELP: &str = "\
Examples:
  sinew run                                the jaw with tongue and hyoid, for a second
  sinew view jaw-tongue-hyoid              the same in a window
  sinew check elbow.toml                   what is wrong with a model file
  sinew run --help                         the options of runs, with examples

Exit codes: 0 done, 2 wrong command line, 3 model, file or parameter refused, 4 a step failed,
5 results could not be written, 130 interrupted (what was written is kept).
Environment: SINEW_LOG = off, error, warn (default), info, debug or trace; SINEW_DEVICE = a device,
as for --device.";

/// Printed below the help of `sinew run`.
const AFTER_RUN_HELP: &str = "\
Examples:
  sinew run beam --param elem=quadhex,nx=16 --time 2 --out fine
  sinew run liver.vtu --param unit=mm,E=5e3 --every 0.01
  sinew run chain --probe /:energy --trace /models/chain/rigid_bodies/link0=way.csv
  sinew run jaw-tongue-hyoid --checkpoint-every 0.1
  sinew run jaw-tongue-hyoid --checkpoint-every 0.1 --time 5 --resume results/jaw-tongue-hyoid/checkpoint.sinew

Exit codes: 0 done, 2 wrong command line, 3 model, file or parameter refused, 4 a step failed,
5 results could not be written, 130 interrupted (what was written is kept).
Environment: SINEW_LOG = off, error, warn (default), info, debug or trace; SINEW_DEVICE = a device,
as for --device.";

/// Anatomy simulated at interactive rates.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// What to do; without one, this help is printed.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What `sinew` can be asked to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a model without a window and write the results
    #[command(after_help = AFTER_RUN_HELP)]
    Run(Box<RunArgs>),
    /// Draw pictures of a model without a window, or write scenes for other programs
    Render(Box<RenderArgs>),
    /// Read a model file and tell everything that is wrong with it
    Check(CheckArgs),
    /// Write a model as a model file: TOML, or JSON where the name ends in .json
    Save(SaveArgs),
    /// List the built-in models and the parameters that models take
    Models {
        /// A model file: its own parameters
        file: Option<PathBuf>,
    },
    /// List the devices that could compute
    Devices,
    /// Show the components of a model, and the properties of one
    Inspect(Box<InspectArgs>),
    /// Time the steps of models of rising size, on the CPU and on a device
    Bench(Box<BenchArgs>),
    /// Show what a mesh file holds: sizes, volume, shape, what is wrong with it
    Info(InfoArgs),
    /// Write a mesh file in another format, unit, scale or form
    Convert(ConvertArgs),
    /// Open a window on a running model
    View(Box<ViewArgs>),
    /// Load, run, look at and change a model by commands, typed or piped
    Shell(Box<ShellArgs>),
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// `sinew run` with every option at its default.
    #[cfg(test)]
    pub(crate) fn default_run() -> Self {
        let cli = Cli::parse_from(["sinew", "run"]);
        cli.command.expect("the command line above has a subcommand")
    }
}

/// Options of `sinew run`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// The model
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Simulated time [s], rounded up to whole steps; with `static`, the time of the loads
    #[arg(long, value_name = "S", default_value = "1", value_parser = positive)]
    pub(crate) time: f64,

    /// Time step [s]; has no meaning with `static`
    #[arg(long, value_name = "S", default_value = "0.01", value_parser = positive)]
    pub(crate) step: f64,

    /// How a step is taken
    #[command(flatten)]
    pub(crate) solve: SolveArgs,

    /// What computes
    #[command(flatten)]
    pub(crate) computes: DeviceArgs,

    /// What to do when the device is lost
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_device_loss: OnDeviceLossArg,

    /// Threads; all cores when not given. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// What goes in and out over time
    #[command(flatten)]
    pub(crate) probes: ProbeArgs,

    /// Report the distance of two points (particles, frame markers, nodes) by their paths; may be
    /// repeated
    #[arg(long = "watch", value_name = "[NAME=]PATH,PATH")]
    pub(crate) watches: Vec<String>,

    /// Simulated time between frames, and between samples of --probe and --trace [s]; 0 is every step
    #[arg(long, value_name = "S", default_value = "0.04", value_parser = not_negative)]
    pub(crate) every: f64,

    /// Directory of the results: new, empty, or of a former run [default: results/<model>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Which files show the motion
    #[arg(long, value_enum, default_value_t)]
    pub(crate) frames: FramesArg,

    /// Print where the time went
    #[arg(long)]
    pub(crate) profile: bool,

    /// End stdout with one line of JSON; everything else goes to stderr
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but errors (and the line of --json)
    #[arg(long)]
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

/// Options of `sinew bench`.
#[derive(Clone, Debug, Args)]
pub(crate) struct BenchArgs {
    /// What computes; a device only where there is one, unless it is asked for here
    #[arg(long, value_enum, value_delimiter = ',', value_name = "cpu,gpu")]
    pub(crate) compare: Vec<ComparedArg>,

    /// `hex`, `tet` or `kuhn` (beams of 4 n x n x n cells), `tongue`, or the path of a volume mesh
    #[arg(long, default_value = "hex", value_name = "SCENE")]
    pub(crate) scene: String,

    /// n of the beams, resolution of the tongue [default: 6,10,16, or 1,2,3]; a mesh has one size
    #[arg(long, value_delimiter = ',', value_name = "N,..",
          value_parser = clap::value_parser!(u16).range(1..=128))]
    pub(crate) sizes: Vec<u16>,

    /// Steps of 10 ms that are timed, after one that is not
    #[arg(long, value_name = "N", default_value = "20",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,

    /// Which device: as for `sinew run`
    #[arg(long, value_name = "N|NAME")]
    pub(crate) device: Option<String>,

    /// How the processor solves the linear systems; a device has conjugate gradients
    #[arg(long, value_enum, default_value_t)]
    pub(crate) solver: SolverArg,

    /// What preconditions conjugate gradients without a factor
    #[arg(long, value_enum, default_value_t)]
    pub(crate) preconditioner: PreconditionerArg,

    /// Threads; all cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// What is changed of the model
    #[command(flatten)]
    pub(crate) edits: EditArgs,

    /// Print one line of JSON for each size and backend; the table goes to stderr
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `sinew inspect`.
#[derive(Clone, Debug, Args)]
pub(crate) struct InspectArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a volume mesh
    pub(crate) model: String,

    /// Path of a component, node, element, region or support; with `:NAME` one of its properties
    #[arg(default_value = "/")]
    pub(crate) path: String,

    /// How many levels below PATH are listed
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) depth: u16,

    /// Simulate until this time [s] first, by steps of 10 ms, and show the values there
    #[arg(long, value_name = "S", value_parser = not_negative)]
    pub(crate) at: Option<f64>,

    /// What is changed of the model
    #[command(flatten)]
    pub(crate) edits: EditArgs,

    /// Print one JSON object
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

/// A finite number above 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number of seconds above 0".to_owned()),
    }
}

/// A finite number, 0 or above.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number of seconds, 0 or above".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn run_args(line: &str) -> Result<RunArgs, clap::Error> {
        let words = ["sinew", "run"].into_iter().chain(line.split_whitespace());
        match Cli::try_parse_from(words)?.command {
            Some(Command::Run(args)) => Ok(*args),
            other => panic!("'run' was read as {other:?}"),
        }
    }

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn examples_of_the_help_are_command_lines() {
        let lines = AFTER_HELP.lines().chain(AFTER_RUN_HELP.lines());
        let examples = lines.filter_map(|line| line.strip_prefix("  sinew "));
        let mut count = 0;
        for example in examples {
            let words = example.split("  ").next().unwrap_or_default().split(' ');
            match Cli::try_parse_from(std::iter::once("sinew").chain(words)) {
                Err(error) if error.kind() != clap::error::ErrorKind::DisplayHelp => {
                    panic!("{example}: {error}")
                }
                _ => count += 1,
            }
        }
        assert_eq!(count, 9);
    }

    #[test]
    fn words_of_model_files_and_of_the_command_line_are_the_same() {
        for (file, line) in [
            ("--integrator backward_euler", "--integrator backward-euler"),
            ("--integrator runge_kutta_4", "--integrator runge-kutta-4"),
            ("--linear-solver conjugate_gradients", "--solver cg"),
            ("--preconditioner block_jacobi", "--preconditioner jacobi"),
            ("--friction-method post_hoc", "--friction-method posthoc"),
            ("--contact-method sparse", "--contact-solver sparse"),
        ] {
            let [file, line] = [file, line].map(|it| run_args(it).unwrap().solve);
            assert_eq!(format!("{file:?}"), format!("{line:?}"));
        }
    }

    #[test]
    fn parameters_may_be_separated_by_commas_or_given_one_by_one() {
        let args = run_args("m.vtu --param E=1e4,nu=0.4 --param clamp=z<=0.05").unwrap();
        assert_eq!(args.model.edits.params, ["E=1e4", "nu=0.4", "clamp=z<=0.05"]);
    }

    #[test]
    fn times_and_counts_out_of_range_are_refused() {
        for line in [
            "--time 0",
            "--time -1",
            "--time inf",
            "--time NaN",
            "--step 0",
            "--step x",
            "--every -0.1",
            "--threads 0",
            "--increments 0",
            "--integrator rk4",
            "--solver lu",
            "--preconditioner ilu",
            "--friction cone",
            "--friction-method explicit",
            "--contact-solver lemke",
            "--stabilization baumgarte",
            "--backend tpu",
            "--on-device-loss panic",
        ] {
            assert!(run_args(line).is_err(), "'{line}' was accepted");
        }
        assert_eq!(run_args("--every 0").unwrap().every, 0.0);
    }

    #[test]
    fn a_run_without_a_name_is_of_the_default_model() {
        let Command::Run(args) = Command::default_run() else { panic!("not a run") };
        assert_eq!((args.model.name.as_str(), args.time, args.step), (DEFAULT_MODEL, 1.0, 0.01));
    }
}
