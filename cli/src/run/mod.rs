//! `sinew run`: the story of a run, from the model to the report.

pub(crate) mod checkpoints;
mod choose;
mod clamp;
pub(crate) mod device;
mod file_settings;
pub(crate) mod live;
pub(crate) mod machine;
mod mechanism;
mod mesh_params;
mod model_source;
mod observe;
mod plan;
mod prepare;
mod probes;
pub(crate) mod profile;
mod progress;
mod report;
mod session;
#[cfg(test)]
mod session_tests;
mod set;
mod signal;
mod statistics;
mod summary;
mod trouble;
mod watch;

use std::time::Instant;

use sinew_recording::spec::ProbeSet;

use crate::args::RunArgs;
use crate::exit::{CliError, Exit};
use crate::output::Recorder;

pub(crate) use choose::{Chosen, Kind, grouped};
pub(crate) use file_settings::Given;
pub(crate) use live::Live;
pub(crate) use mechanism::Extremes;
pub(crate) use mesh_params::MESH_PARAMS;
pub(crate) use model_source::{ModelSource, SourceError, is_model_file, load_options};
pub(crate) use observe::{Observation, Observer};
pub(crate) use plan::Plan;
pub(crate) use prepare::Prepared;
pub(crate) use probes::{ProbeArgError, input as read_input, output as read_output};
pub(crate) use session::{Ending, Session};
pub(crate) use set::SetError;
pub(crate) use signal::Interrupt;
pub(crate) use statistics::{Statistics, milliseconds};
pub(crate) use summary::Summary;
pub(crate) use watch::{Distance, WatchError};

use checkpoints::{Checkpoints, Resumed};
use progress::Progress;

/// Runs a model as `args` say, on their number of threads.
///
/// # Errors
/// Whatever is wrong before the first step, and results that cannot be written. A step that fails
/// is no error here: it is reported, and the exit code tells.
pub(crate) fn run(args: &RunArgs, given: &Given) -> Result<Exit, CliError> {
    let args = &file_settings::merged(args, given);
    let plan = Plan::of(args)?;
    let interrupt = Interrupt::listen()?;
    let threads = usize::from(args.threads.unwrap_or(0)); // 0: as many as there are cores
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| run_on_this_pool(args, &plan, &interrupt))
}

/// The run itself: whatever it computes uses the threads of the pool that it is called in.
fn run_on_this_pool(args: &RunArgs, plan: &Plan, interrupt: &Interrupt) -> Result<Exit, CliError> {
    let (prepared, compiled) = Prepared::of(&args.model.name, &args.model.edits)?;
    let distances = prepared.distances(&args.watches, &compiled)?;
    let probes = probes::of(args, &prepared.source)?;
    let hash = checkpoints::hash(args, plan, &prepared, &probes);
    let resumed = Resumed::of(args, hash)?;
    let mut chosen = Chosen::of(
        &args.computes,
        (&plan.settings, prepared.node_count()),
        !args.probes.input.is_empty(),
        &compiled,
    )?;
    drop(compiled);
    chosen.backend.set_profiling(args.profile);
    let model = prepared.source.model.clone();
    let mut session = Session::new(model, chosen, plan, args.on_device_loss)?;
    session.scheduler.stop_on(interrupt.flag());
    let place = resumed.as_ref().map(Resumed::results);
    let mut recorder = Recorder::create(args, (&prepared, &probes), &session, (distances, place))?;
    let mut checkpoints = Checkpoints::new(args, hash, &recorder);
    put_in_place(&probes, &mut session, &mut recorder, (&mut checkpoints, resumed.as_ref()))
        .inspect_err(|error| recorder.abandon(error))?;
    report::print_notes(args, &prepared, &session);

    let started = Instant::now();
    let progress = Progress::new(args, plan);
    let ending = session
        .advance(&mut recorder, &progress, interrupt, &mut checkpoints)
        .inspect_err(|error| recorder.abandon(error))?;
    drop(progress);

    let wall = started.elapsed();
    let summary = Summary::of(&prepared, &session, &recorder, wall, &ending);
    recorder.finish(&summary, &session.statistics)?;
    report::print(args, &prepared, &mut session, &recorder, &summary)?;
    // Its files are closed before another run may have the directory.
    drop(session);
    Ok(ending.exit())
}

/// Adds the probes, and goes to where a run is resumed.
fn put_in_place(
    probes: &ProbeSet,
    session: &mut Session<'_>,
    recorder: &mut Recorder,
    (checkpoints, resumed): (&mut Checkpoints, Option<&Resumed>),
) -> Result<(), CliError> {
    recorder.attach(probes, &mut session.scheduler, resumed.is_some())?;
    checkpoints.set_recorded(recorder.probes());
    match resumed {
        Some(resumed) => checkpoints.resume(resumed, session),
        None => Ok(()),
    }
}
