//! The command line as clap reads it: the subcommands, whose options stand beside each.

use std::path::PathBuf;

use clap::{Arg, CommandFactory, Parser, Subcommand};

use crate::bench::BenchArgs;
use crate::body::BodyArgs;
use crate::files::{CheckArgs, SaveArgs};
use crate::fit::{self, FitArgs};
use crate::inspect::InspectArgs;
use crate::inverse::{self, InverseArgs};
use crate::mesh::{ConvertArgs, FibresArgs, InfoArgs};
#[cfg(feature = "viewer")]
use crate::render::RenderArgs;
use crate::run::{self, RunArgs};
use crate::serve::{self, ServeArgs};
use crate::shell::ShellArgs;
use crate::sweep::{CaseOptions, SweepArgs};
use crate::transform::TransformArgs;
#[cfg(feature = "viewer")]
use crate::view::ViewArgs;
use crate::world::{self, WorldArgs};

/// Printed below the help of `sinew`.
const AFTER_HELP: &str = "\
Examples:
  sinew run                                the jaw with tongue and hyoid, for a second
  sinew view jaw-tongue-hyoid              the same in a window
  sinew check elbow.toml                   what is wrong with a model file
  sinew run --help                         the options of runs, with examples

Exit codes: 0 done, 1 out of memory or threads, or no display, 2 wrong command line, 3 model, file or
parameter refused, 4 a step failed, 5 results could not be written, 130 interrupted (what was written
is kept).
Environment: SINEW_LOG = off, error, warn (default), info, debug or trace; SINEW_DEVICE = a device,
as for --device.";

/// Anatomy simulated at interactive rates.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// The subcommand; without one, this help is printed.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// All of the command line. A negative number is a value, and refused as one where it is out of range.
pub(crate) fn whole() -> clap::Command {
    let of_argument = |it: Arg| {
        let takes_values = it.get_action().takes_values();
        if takes_values { it.allow_negative_numbers(true) } else { it }
    };
    Cli::command().mut_subcommands(|it| it.mut_args(of_argument))
}

/// Subcommands of `sinew`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a model without a window and write the results
    #[command(after_help = run::AFTER_HELP)]
    Run(Box<RunArgs>),
    /// Draw pictures of a model without a window, or write scenes for other programs
    #[cfg(feature = "viewer")]
    Render(Box<RenderArgs>),
    /// Read a model file and tell everything that is wrong with it
    Check(CheckArgs),
    /// Write a model as a model file: TOML, or JSON where the name ends in .json
    Save(SaveArgs),
    /// Write a model scaled, mirrored, or bent to the landmarks of a person
    Transform(Box<TransformArgs>),
    /// Write a model file of a human body, or of some of its segments and muscles
    Body(BodyArgs),
    /// List the built-in models and the parameters that models take
    Models {
        /// A built-in model or a file: its parameters alone
        model: Option<String>,
    },
    /// List the devices that could compute
    Devices,
    /// Show the components of a model, and the properties of one
    Inspect(Box<InspectArgs>),
    /// Find the excitations that make a model follow motions, and write them for `sinew run --input`
    #[command(after_help = inverse::AFTER_HELP)]
    Inverse(Box<InverseArgs>),
    /// Find constants of a model from a recorded motion, with their standard errors
    #[command(after_help = fit::AFTER_HELP)]
    Fit(Box<FitArgs>),
    /// Time the steps of models of rising size, on the CPU and on a device
    Bench(Box<BenchArgs>),
    /// Show what a mesh file holds: sizes, volume, shape, what is wrong with it
    Info(InfoArgs),
    /// Write a mesh file in another format, unit, scale or form, or a model as a model file
    Convert(ConvertArgs),
    /// Write a mesh with the directions of fibres along lines as fields of its elements
    Fibres(Box<FibresArgs>),
    /// Open a window on a running model
    #[cfg(feature = "viewer")]
    View(Box<ViewArgs>),
    /// Take an interactive world of objects, formulas and constraints through time
    #[command(after_help = world::AFTER_HELP)]
    World(Box<WorldArgs>),
    /// Run a model under many parameters, each case in a process and a folder of its own
    Sweep(SweepArgs),
    /// Load, run, look at and change a model by commands, typed or piped
    Shell(Box<ShellArgs>),
    /// Let a controller elsewhere drive a model over a socket
    #[command(after_help = serve::AFTER_HELP)]
    Serve(Box<ServeArgs>),
    /// Write man pages, one a subcommand: sinew.1, sinew-run.1, ..
    Man {
        /// The folder that they go to; made where it is not there
        folder: PathBuf,
    },
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

/// Reads the command line of a case of a sweep, which says where results go.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn check_case(words: &[String]) -> Result<CaseOptions, String> {
    let cli = Cli::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    })?;
    let Some(Command::Run(args)) = cli.command else {
        return Err("it is none of `sinew run`".to_owned());
    };
    if args.out.is_some() || args.probes.resume.is_some() {
        return Err("a sweep says itself where results go: leave out --out and --resume".to_owned());
    }
    Ok(CaseOptions { threads: args.threads })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::DEFAULT_MODEL;

    fn run_args(line: &str) -> Result<RunArgs, clap::Error> {
        let words = ["sinew", "run"].into_iter().chain(line.split_whitespace());
        match Cli::try_parse_from(words)?.command {
            Some(Command::Run(args)) => Ok(*args),
            other => panic!("'run' was read as {other:?}"),
        }
    }

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        whole().debug_assert();
    }

    /// The examples in the help of a command and of those below it.
    fn examples(command: &clap::Command) -> Vec<String> {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let own = help.lines().filter_map(|line| line.strip_prefix("  sinew "));
        let own: Vec<String> = own.map(str::to_owned).collect();
        own.into_iter().chain(command.get_subcommands().flat_map(examples)).collect()
    }

    /// The words of a line as a shell splits it: what stands between single quotes is one.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        for (k, part) in line.split('\'').enumerate() {
            let mut pieces = if k % 2 == 1 { vec![part] } else { part.split(' ').collect() };
            let own = pieces.remove(0);
            words.last_mut().expect("there is one").push_str(own);
            words.extend(pieces.into_iter().map(str::to_owned));
        }
        words
    }

    #[test]
    fn examples_of_the_help_are_command_lines() {
        for example in examples(&Cli::command()) {
            let line = example.split("  ").next().unwrap_or_default();
            match Cli::try_parse_from(words(&format!("sinew {line}"))) {
                Err(error) if error.kind() != clap::error::ErrorKind::DisplayHelp => {
                    panic!("{example}: {error}")
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_command_that_takes_options_shows_examples() {
        for command in Cli::command().get_subcommands() {
            let has_options = command.get_arguments().any(|argument| argument.get_long().is_some());
            assert!(!has_options || !examples(command).is_empty(), "{}", command.get_name());
        }
    }

    #[test]
    fn words_of_model_files_and_of_the_command_line_are_the_same() {
        for (file, line) in [
            ("--integrator backward_euler", "--integrator backward-euler"),
            ("--integrator runge_kutta_4", "--integrator runge-kutta-4"),
            ("--integrator rk4", "--integrator runge-kutta-4"),
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
            "--integrator rk5",
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
        assert_eq!((args.model.name.as_str(), args.time, args.step), (DEFAULT_MODEL, None, None));
    }
}
