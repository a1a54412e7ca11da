//! A model that is driven by hand: in a shell, in a window, for a picture.

use std::path::Path;

use sinew::model::Model;
use sinew::schedule::{ScheduleError, Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_files::Solver;
use sinew_recording::checkpoint::{Checkpoint, model_hash};

use super::session::on_cpu;
use crate::exit::CliError;
use crate::inspect::tree;

/// Time step where neither the command line nor the model says one [s].
const STEP: f64 = 0.01;

/// `model` at its start, on the CPU, as its file says; in steps of `step` [s] where that is given.
///
/// # Errors
/// A model that cannot be compiled, a step that is none.
pub(crate) fn scheduler(
    model: Model,
    solver: &Solver,
    step: Option<f64>,
) -> Result<Scheduler, CliError> {
    let make = on_cpu(solver.settings(SolverSettings::default()));
    let simulation = Simulation::with_backend(model, make).map_err(ScheduleError::from)?;
    let step = step.or(solver.step).unwrap_or(STEP);
    Ok(Scheduler::new(simulation, SchedulerSettings::with_step(step))?)
}

/// Tells models apart by what they are made of, not by the values of their properties.
pub(crate) fn hash(scheduler: &Scheduler) -> [u8; 32] {
    let model = scheduler.simulation().model();
    let names = tree::listing(model, sinew::component::ROOT.into(), 3);
    model_hash(&Model::new(""), &[names])
}

/// Writes where a run is into a file that `restore` of `sinew shell` takes.
///
/// # Errors
/// The system's refusal, a device that is lost.
pub(crate) fn save_checkpoint(scheduler: &mut Scheduler, path: &Path) -> Result<(), CliError> {
    let waypoint = scheduler.save()?;
    let model = hash(scheduler);
    Ok(Checkpoint { model, waypoint, extra: Vec::new() }.save(path)?)
}
