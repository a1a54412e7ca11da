//! `sinew inverse`: excitations that make a model follow the motions of a file; joints and muscles of rigid models at the
//! instants of one (`rigid/`).

mod args;
mod error;
mod output;
mod rigid;

use sinew::inverse::{MotionTarget, TrackedStep, TrackingLog};
use sinew::schedule::{Scheduler, Signal};
use sinew_run_files::desired_motion;

use crate::compute::Live;
use crate::compute::live::feed;
use crate::console;
use crate::exit::{CliError, Exit};
use crate::load::ModelSource;

pub(crate) use args::{AFTER_HELP, InverseArgs};
pub(crate) use error::InverseArgError;

use output::{EXCITATIONS, Tables};

/// Name of the controller in errors.
pub(crate) const NAME: &str = "sinew inverse";

/// Finds what `args` ask for.
///
/// # Errors
/// A model, a file or an option that does not do, a step that fails, results that cannot be written.
pub(crate) fn run(args: &InverseArgs) -> Result<Exit, CliError> {
    match (&args.rigid.kinematics, &args.rigid.dynamics) {
        (Some(file), _) => rigid::kinematics(args, file),
        (None, Some(file)) => rigid::dynamics(args, file),
        (None, None) => follow(args),
    }
}

/// Finds the excitations that make the model follow the targets of a file.
fn follow(args: &InverseArgs) -> Result<Exit, CliError> {
    let (live, options) = (Live::new(&args.live)?, args.section()?);
    let source = ModelSource::load(&args.model.name, &args.model.edits)?;
    let asked = options.or(&source.inverse);
    if let Some((key, rule)) = asked.fault() {
        return Err(InverseArgError::Settings { key, rule }.into());
    }
    let file = asked.targets.as_deref().ok_or(InverseArgError::NoTargets)?;
    let desired = desired_motion(file, &source.model)?;
    for column in &desired.others {
        tracing::warn!(column, "no motion that can be followed: the column is left out");
    }
    let mut targets = desired.targets;
    let table: Box<dyn Signal> = Box::new(desired.table);
    let solver = live.settings(&source.solver)?;
    let (controller, excitations) =
        asked.controller(&source.model, (&mut targets, table), solver)?;
    let mut scheduler = scheduler(&live, &source)?;
    // Whatever is refused has touched nothing.
    let mut tables = Tables::create(&args.out, &source.model, (&targets, &excitations))?;
    let log = controller.log();
    scheduler.simulation_mut().add_controller_object(NAME, Box::new(controller));
    let end = args.time.unwrap_or(desired.span[1]);
    while scheduler.time() < end - 0.5 * scheduler.settings().step {
        scheduler.step()?;
        record(&mut scheduler, (&targets, &log), &mut tables)?;
    }
    let lines = tables.finish(&args.out, scheduler.time())?;
    if !args.quiet {
        let file = args.out.join(EXCITATIONS);
        console::print(&format!("{lines}excitations: {}\n", file.display()))?;
    }
    Ok(Exit::Done)
}

/// The model at its start, with what feeds it.
fn scheduler(live: &Live, source: &ModelSource) -> Result<Scheduler, CliError> {
    let probes = live.probes(source, true)?;
    let mut scheduler = live.scheduler(source, &probes)?;
    feed(&mut scheduler, &probes)?;
    Ok(scheduler)
}

/// Writes what a step found and where it led.
fn record(
    scheduler: &mut Scheduler,
    (targets, log): (&[MotionTarget], &TrackingLog),
    tables: &mut Tables,
) -> Result<(), CliError> {
    match TrackedStep::latest(scheduler.simulation_mut(), targets, log)? {
        Some(step) => tables.add(&step),
        None => Ok(()),
    }
}
