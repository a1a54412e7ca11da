//! `sinew inverse`: excitations that make a model follow the motions of a file; joints and muscles of rigid models at the
//! instants of one (`rigid/`).

mod args;
mod error;
mod output;
mod rigid;

use std::path::Path;

use sinew::inverse::{
    ExcitationTerms, InverseError, LinearConstraint, MotionTarget, TrackedExcitation,
    TrackingController, TrackingLog,
};
use sinew::model::Model;
use sinew::schedule::{ScheduleError, Scheduler, Signal};
use sinew_run_files::{Opening, attach, desired_motion};

use crate::compute::Live;
use crate::console;
use crate::exit::{CliError, Exit};
use crate::load::ModelSource;

pub(crate) use args::{AFTER_HELP, InverseArgs};

use error::InverseArgError;
use output::{EXCITATIONS, Tables};

/// Name of the controller in errors.
const NAME: &str = "sinew inverse";

/// Finds what `args` ask for.
///
/// # Errors
/// A model, a file or an option that does not do, a step that fails, results that cannot be written.
pub(crate) fn run(args: &InverseArgs) -> Result<Exit, CliError> {
    match (&args.targets, &args.rigid.kinematics, &args.rigid.dynamics) {
        (_, Some(file), _) => rigid::kinematics(args, file),
        (_, None, Some(file)) => rigid::dynamics(args, file),
        (Some(file), None, None) => follow(args, file),
        // The command line asks for one of them.
        (None, None, None) => Err(InverseError::Nothing("targets").into()),
    }
}

/// Finds the excitations that make the model follow the targets of a file.
fn follow(args: &InverseArgs, file: &Path) -> Result<Exit, CliError> {
    let live = Live::new(&args.live)?;
    let source = ModelSource::load(&args.model.name, &args.model.edits)?;
    let desired = desired_motion(file, &source.model)?;
    for column in &desired.others {
        tracing::warn!(column, "no motion that can be followed: the column is left out");
    }
    let mut targets = desired.targets;
    set_weights(&mut targets, &args.weights, &source.model)?;
    let excitations = excitations(&args.excite, &source.model)?;
    let mut scheduler = scheduler(&live, &source)?;
    let settings = (args.settings(), live.settings(&source.solver)?);
    let table: Box<dyn Signal> = Box::new(desired.table);
    let following = (targets.clone(), table);
    let controller =
        TrackingController::new(&source.model, following, excitations.clone(), settings)?
            .with_terms(ratios(&args.ratios, &excitations, &source.model)?)?;
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
    let mut probes = live.probes(source, true)?;
    // What they record belongs to runs.
    probes.output_probes.clear();
    probes.tracing_probes.clear();
    let mut scheduler = live.scheduler(source, &probes)?;
    let here = Path::new(".");
    attach(&probes, &mut scheduler, [here, here], Opening::Later)?;
    Ok(scheduler)
}

/// Gives targets their weights, `PATH=W` each.
fn set_weights(
    targets: &mut [MotionTarget],
    texts: &[String],
    model: &Model,
) -> Result<(), InverseArgError> {
    for text in texts {
        let wrong = || InverseArgError::Weight(text.clone());
        let (path, weight) = text.rsplit_once('=').ok_or_else(wrong)?;
        let weight: f64 = weight.trim().parse().map_err(|_| wrong())?;
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(wrong());
        }
        let known: Vec<String> = targets.iter().map(|target| target.path(model)).collect();
        let at = known.iter().position(|it| it == path.trim());
        let absent =
            || InverseArgError::NoTarget { path: path.to_owned(), known: known.join(", ") };
        targets[at.ok_or_else(absent)?].weight = weight;
    }
    Ok(())
}

/// Excitations that stay multiples of others, `PATH=K*PATH` each.
fn ratios(
    texts: &[String],
    excitations: &[TrackedExcitation],
    model: &Model,
) -> Result<ExcitationTerms, InverseArgError> {
    let known: Vec<String> = excitations.iter().map(|it| model.path(it.component)).collect();
    let number = |path: &str| {
        let path = path.trim();
        let own = path.strip_suffix(":excitation").unwrap_or(path);
        let absent =
            || InverseArgError::NoExcitation { path: path.to_owned(), known: known.join(", ") };
        known.iter().position(|it| it == own).ok_or_else(absent)
    };
    let mut terms = ExcitationTerms::default();
    for text in texts {
        let wrong = || InverseArgError::Ratio(text.clone());
        let (of, rest) = text.split_once('=').ok_or_else(wrong)?;
        let (ratio, to) = rest.split_once('*').ok_or_else(wrong)?;
        let ratio: f64 = ratio.trim().parse().map_err(|_| wrong())?;
        if !ratio.is_finite() {
            return Err(wrong());
        }
        let (of, to) = (number(of)?, number(to)?);
        terms.constraints.push(LinearConstraint::proportional(known.len(), of, (ratio, to)));
    }
    Ok(terms)
}

/// `muscles`, `exciters`, or paths between commas.
fn excitations(text: &str, model: &Model) -> Result<Vec<TrackedExcitation>, InverseError> {
    match text.trim() {
        "muscles" => Ok(TrackedExcitation::muscles(model)),
        "exciters" => Ok(TrackedExcitation::exciters(model)),
        paths => paths.split(',').map(|path| TrackedExcitation::at(model, path.trim())).collect(),
    }
}

/// Writes what a step found and where it led.
fn record(
    scheduler: &mut Scheduler,
    (targets, log): (&[MotionTarget], &TrackingLog),
    tables: &mut Tables,
) -> Result<(), CliError> {
    let mut record = match log.lock() {
        Ok(record) => record.clone(),
        Err(poisoned) => poisoned.into_inner().clone(),
    };
    // Where a step was only taken in parts nothing may have been found for the whole.
    if record.desired.len() != targets.iter().map(MotionTarget::size).sum::<usize>() {
        return Ok(());
    }
    record.time = scheduler.time();
    let simulation = scheduler.simulation_mut();
    simulation.state().map_err(ScheduleError::from)?;
    let (mut reached, mut distances, mut first) = (Vec::new(), Vec::new(), 0);
    for target in targets {
        let wanted = &record.desired[first..first + target.size()];
        first += target.size();
        let now = target.now(simulation)?;
        distances.push(target.distance(&now, wanted));
        reached.extend_from_slice(&now);
    }
    tables.add(&record, (&reached, &distances))
}
