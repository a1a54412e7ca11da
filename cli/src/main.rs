//! The command `sinew`: reads the command line, runs one subcommand, turns its outcome into the
//! exit code. The subcommands: `command_line.rs`; the exit codes: `exit.rs`.
#![forbid(unsafe_code)]

mod bench;
mod body;
mod command_line;
mod compute;
mod console;
mod devices;
mod exit;
mod files;
mod fit;
mod inspect;
mod inverse;
mod load;
mod logging;
mod manual;
mod mesh;
mod models;
mod numbers;
mod options;
mod output;
mod quiet_driver;
#[cfg(feature = "viewer")]
mod render;
mod run;
mod serve;
mod shell;
mod sweep;
#[cfg(feature = "viewer")]
mod titles;
mod transform;
#[cfg(feature = "viewer")]
mod view;
mod world;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use command_line::{Cli, Command};
use exit::{CliError, Exit};

#[global_allocator]
static ALLOCATOR: sinew_memory::TellingAllocator = sinew_memory::TellingAllocator;

fn main() -> ExitCode {
    quiet_driver::start_without_device_selection();
    sinew_memory::end_with(Exit::System as u8);
    match answer() {
        Ok(code) => code,
        Err(error) => {
            console::complain(&format!("error: {error}"));
            error.exit().into()
        }
    }
}

/// Reads the command line and does what it says, or prints what clap answers in place of a command: help, the version, or
/// what is wrong.
fn answer() -> Result<ExitCode, CliError> {
    let matches = command_line::whole().try_get_matches();
    match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => {
            logging::start()?;
            Ok(dispatch(cli)?.into())
        }
        Err(answer) => {
            console::taken(answer.print())?;
            Ok(ExitCode::from(answer.exit_code() as u8))
        }
    }
}

/// Runs the subcommand; without one, prints what there is to ask for.
fn dispatch(cli: Cli) -> Result<Exit, CliError> {
    let Some(command) = cli.command else {
        console::print(&Cli::command().render_help().to_string())?;
        return Ok(Exit::Done);
    };
    match command {
        Command::Run(args) => return run::run(&args),
        #[cfg(feature = "viewer")]
        Command::Render(args) => return render::run(&args),
        Command::Check(args) => return files::check(&args),
        Command::Save(args) => return files::save(&args),
        Command::Inverse(args) => return inverse::run(&args),
        Command::Fit(args) => return fit::run(&args),
        Command::Transform(args) => return transform::run(&args),
        Command::Body(args) => return body::run(&args),
        Command::Serve(args) => return serve::run(&args),
        Command::Inspect(args) => return inspect::run(&args),
        Command::Bench(args) => return bench::run(&args),
        Command::Info(args) => return mesh::info(&args),
        Command::Convert(args) => return mesh::convert(&args),
        Command::Fibres(args) => return mesh::fibres(&args),
        Command::World(args) => return world::run(&args),
        #[cfg(feature = "viewer")]
        Command::View(args) => return view::run(&args),
        Command::Sweep(args) => return sweep::run(&args, command_line::check_case),
        Command::Shell(args) => return shell::run(&args),
        Command::Models { model: None } => console::print(&models::list())?,
        Command::Models { model: Some(name) } => console::print(&models::of_model(&name)?)?,
        Command::Devices => console::print(&devices::list())?,
        Command::Man { folder } => manual::write(Cli::command(), &folder)?,
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sinew", &mut script);
            console::print(&String::from_utf8_lossy(&script))?;
        }
    }
    Ok(Exit::Done)
}
