//! `sinew run`: the story of a run, from the model to the report.

mod args;
mod checkpoints;
mod energy;
pub(crate) mod plan;
mod probe_args;
mod probes;
mod profile;
mod progress;
mod record;
mod report;
mod session;
#[cfg(test)]
mod session_tests;
mod statistics;
mod summary;
mod trouble;

use std::path::Path;
use std::time::Instant;

use sinew_run_files::spec::ProbeSet;

use crate::compute::{Chosen, Interrupt};
use crate::exit::{CliError, Exit, SystemError};
use crate::load::{Distance, Prepared};
use crate::output::{Beginning, Recorder};

pub(crate) use args::{AFTER_HELP, RunArgs};

use checkpoints::{Checkpoints, Resumed};
use plan::Plan;
use progress::Progress;
use session::Session;
use summary::Summary;

/// Folder below which results go when `--out` is not given.
const DEFAULT_ROOT: &str = "results";

/// Runs a model as `args` say, on their number of threads.
///
/// # Errors
/// Whatever is wrong before the first step, and results that cannot be written. A step that fails
/// is no error here: it is reported, and the exit code tells.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, CliError> {
    let plan = Plan::of(args, &plan::file_settings(&args.model))?;
    let interrupt = Interrupt::listen()?;
    let threads = usize::from(args.threads.unwrap_or(0)); // 0: as many as there are cores
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(SystemError::from)?;
    pool.install(|| run_on_this_pool(args, &plan, &interrupt))
}

/// The run itself: whatever it computes uses the threads of the pool that it is called in.
fn run_on_this_pool(args: &RunArgs, plan: &Plan, interrupt: &Interrupt) -> Result<Exit, CliError> {
    let (mut prepared, compiled) = Prepared::of(&args.model.name, &args.model.edits)?;
    let distances = prepared.distances(&args.watches, &compiled)?;
    let probes = probes::add_named(args, &mut prepared.source, plan.step)?;
    let hash = checkpoints::hash(args, plan, &prepared, &probes);
    let resumed = Resumed::of(args, hash)?;
    let chosen = Chosen::of(
        &args.computes,
        (&plan.settings, prepared.node_count()),
        !args.probes.input.is_empty(),
        &compiled,
    )?;
    drop(compiled);
    let mut session = session(args, plan, &prepared, chosen, interrupt)?;
    if resumed.is_none() {
        probes.try_outputs(session.scheduler.simulation_mut())?;
    }
    let mut recorder =
        recorder(args, (&prepared, &probes), &session, (distances, resumed.as_ref()))?;
    let mut checkpoints = Checkpoints::new(args, hash, &recorder);
    put_in_place(&mut session, &mut recorder, (&mut checkpoints, resumed.as_ref()))
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
    recorder.finish(record::outcome(&summary, &session.statistics))?;
    report::print(args, &prepared, &mut session, &recorder, &summary)?;
    // Its files are closed before another run may have the directory.
    drop(session);
    Ok(ending.exit())
}

/// The model in time, on what was chosen, until an interrupt.
fn session<'p>(
    args: &RunArgs,
    plan: &'p Plan,
    prepared: &Prepared,
    mut chosen: Chosen,
    interrupt: &Interrupt,
) -> Result<Session<'p>, CliError> {
    chosen.backend.set_profiling(args.profile);
    let model = prepared.source.model.clone();
    let mut session = Session::new(model, chosen, plan, args.on_device_loss)?;
    session.scheduler.stop_on(interrupt.flag());
    Ok(session)
}

/// Recorder of the results.
fn recorder(
    args: &RunArgs,
    (prepared, probes): (&Prepared, &ProbeSet),
    session: &Session<'_>,
    (distances, resumed): (Vec<Distance>, Option<&Resumed>),
) -> Result<Recorder, CliError> {
    let default = || Path::new(DEFAULT_ROOT).join(&prepared.source.name);
    let run = Beginning {
        directory: args.out.clone().unwrap_or_else(default),
        prepared,
        edits: &args.model.edits,
        probes,
        settings: record::settings(args, session),
        start: (session.compiled(), &session.state),
        frame_interval: session.plan.frame_interval,
        distances,
        place: resumed.map(Resumed::results),
    };
    Ok(Recorder::create(run)?)
}

/// Has the probes act, and goes to where a run is resumed.
fn put_in_place(
    session: &mut Session<'_>,
    recorder: &mut Recorder,
    (checkpoints, resumed): (&mut Checkpoints, Option<&Resumed>),
) -> Result<(), CliError> {
    recorder.attach(&mut session.scheduler, resumed.is_some())?;
    checkpoints.set_recorded(recorder.probes());
    match resumed {
        Some(resumed) => {
            checkpoints.resume(resumed, &mut session.scheduler)?;
            session.resume()
        }
        None => Ok(()),
    }
}
