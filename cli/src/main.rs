//! The command `sinew`: reads the command line, runs one subcommand, turns its outcome into the
//! exit code. What the options mean: `args.rs`; the exit codes: `exit.rs`.
#![forbid(unsafe_code)]

mod args;
mod bench;
mod console;
mod devices;
mod exit;
mod inspect;
mod logging;
mod models;
mod output;
mod probe_args;
mod run;
mod shell;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use exit::{CliError, Exit};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match logging::start().and_then(|()| dispatch(cli)) {
        Ok(exit) => exit.into(),
        Err(error) => {
            console::complain(&format!("error: {error}"));
            error.exit().into()
        }
    }
}

/// Runs the subcommand; without one, the default model is run.
fn dispatch(cli: Cli) -> Result<Exit, CliError> {
    match cli.command.unwrap_or_else(Command::default_run) {
        Command::Run(args) => return run::run(&args),
        Command::Inspect(args) => return inspect::run(&args),
        Command::Bench(args) => return bench::run(&args),
        Command::Shell(args) => return shell::run(&args),
        Command::Models => console::print(&models::list()),
        Command::Devices => console::print(&devices::list()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sinew", &mut script);
            console::print(&String::from_utf8_lossy(&script));
        }
    }
    Ok(Exit::Done)
}
