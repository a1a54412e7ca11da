//! `sinew world`: an interactive world of a file, taken through time.

mod table;

use std::path::PathBuf;

use clap::Args;
use sinew::interactive::{DescriptionError, World, WorldDescription, WorldError};
use sinew_model_files::{InteractiveFileError, read_world, write_world};

use crate::console;
use crate::exit::{CliError, Exit, Failure};
use crate::options::headings;
use crate::options::values::{not_negative, positive};
use crate::run::plan::step_count;

use table::WorldTable;

/// Printed below the help of `sinew world`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  sinew world slider-crank.world.toml --time 2 --step 0.005 --table crank.csv
  sinew world slider-crank.world.toml --save later.world.toml

Exit codes: 0 done, 1 out of memory or threads, 2 wrong command line, 3 world refused, 4 a step failed,
5 files could not be written.";

/// Part of a step by which the time of a row may be missed: times are sums of rounded steps.
const ROUNDING: f64 = 1e-6;

/// Options of `sinew world`.
#[derive(Clone, Debug, Args)]
pub(crate) struct WorldArgs {
    /// The world, NAME.world.toml
    pub(crate) file: PathBuf,

    /// Simulated time [s], rounded up to whole steps
    #[arg(long, value_name = "S", default_value = "1", value_parser = positive, help_heading = headings::STEPS)]
    pub(crate) time: f64,

    /// Time step [s]
    #[arg(long, value_name = "S", default_value = "0.01", value_parser = positive, help_heading = headings::STEPS)]
    pub(crate) step: f64,

    /// Table of states, outputs of blocks and multipliers of constraints (.csv, .npy, .parquet, .mot, .sto)
    #[arg(long, value_name = "FILE", help_heading = headings::RESULTS)]
    pub(crate) table: Option<PathBuf>,

    /// Simulated time between rows of the table [s]; 0 is every step
    #[arg(long, value_name = "S", default_value = "0", value_parser = not_negative, help_heading = headings::RESULTS)]
    pub(crate) every: f64,

    /// File for the world as it is at the end
    #[arg(long, value_name = "FILE", help_heading = headings::RESULTS)]
    pub(crate) save: Option<PathBuf>,
}

/// Errors of `sinew world`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorldCommandError {
    /// The file.
    #[error(transparent)]
    File(#[from] InteractiveFileError),
    /// A part that is not there at the end.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// A step.
    #[error("at t = {time} s: {source}")]
    Step {
        /// Time [s].
        time: f64,
        /// Its fault.
        source: WorldError,
    },
}

impl Failure for WorldCommandError {
    fn exit(&self) -> Exit {
        match self {
            Self::File(InteractiveFileError::Write(_)) => Exit::Output,
            Self::File(_) | Self::Description(_) => Exit::Input,
            Self::Step { .. } => Exit::Step,
        }
    }
}

/// Takes a world through time, and writes what was asked for.
///
/// # Errors
/// More steps than can be counted, a world that cannot be read, a step that fails, files that cannot be written.
pub(crate) fn run(args: &WorldArgs) -> Result<Exit, CliError> {
    let step_count = step_count(args.time, args.step)?;
    let (mut description, mut world) = read_world(&args.file).map_err(WorldCommandError::from)?;
    let table = args.table.as_deref();
    let mut table = table.map(|path| WorldTable::create(path, &description, &world)).transpose()?;
    let mut due = world.time();
    for _ in 0..step_count {
        record(&mut world, &mut table, (args, &mut due))?;
        let time = world.time();
        let failed = |source| WorldCommandError::Step { time, source };
        world.step(args.step).map_err(failed)?;
    }
    record(&mut world, &mut table, (args, &mut due))?;
    if let Some(table) = &mut table {
        table.finish()?;
    }
    if let Some(path) = &args.save {
        description.keep_state(&world).map_err(WorldCommandError::from)?;
        write_world(&description, path).map_err(WorldCommandError::from)?;
    }
    console::print(&summary(&description, &mut world)?)?;
    Ok(Exit::Done)
}

/// Adds a row where one is due.
fn record(
    world: &mut World,
    table: &mut Option<WorldTable>,
    (args, due): (&WorldArgs, &mut f64),
) -> Result<(), CliError> {
    let time = world.time();
    if let Some(table) = table.as_mut().filter(|_| time >= *due - ROUNDING * args.step) {
        let failed = |source| WorldCommandError::Step { time, source };
        let row = table.row(world).map_err(failed)?;
        table.add(time, &row)?;
        *due += args.every;
    }
    Ok(())
}

/// Text that is printed at the end.
fn summary(description: &WorldDescription, world: &mut World) -> Result<String, CliError> {
    let time = world.time();
    let failed = |source| WorldCommandError::Step { time, source };
    let mut text = format!("time      {time:.6} s, {} steps\n", world.statistics().steps);
    let kinetic = world.kinetic_energy().map_err(failed)?;
    text.push_str(&format!("energy    kinetic {kinetic:.6e} J\n"));
    for object in &description.objects {
        if let Some(state) = world.find_object(&object.name).map(|id| world.state(id)) {
            let state = state.map_err(failed)?;
            text.push_str(&format!("{:<9} {state:.6?}\n", object.name));
        }
    }
    Ok(text)
}
