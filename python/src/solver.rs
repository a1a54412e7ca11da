//! Settings of the steps of a simulation, by the names that they have in model files.

use pyo3::prelude::*;
use sinew::backend::{Backend, CpuBackend};
use sinew::model::Model;
use sinew::schedule::{MakeBackend, Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_model_files::Solver;

use crate::errors::{SimulationError, raise};

/// Settings from JSON; what it leaves out is as in `base`.
pub(crate) fn solver_of(json: &str, base: &Solver) -> PyResult<Solver> {
    let refused = |error: serde_json::Error| SimulationError::new_err(error.to_string());
    let mut merged = serde_json::to_value(base).map_err(refused)?;
    let given: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(json).map_err(refused)?;
    let mut solver = *base;
    for (name, value) in given {
        merged[&name] = value;
        // One at a time, so that a refusal has the name.
        solver = serde_json::from_value(merged.clone())
            .map_err(|error| SimulationError::new_err(format!("{name}: {error}")))?;
    }
    Ok(solver)
}

/// A model at its start, stepped on the processor.
pub(crate) fn scheduler_of(model: Model, solver: &Solver) -> PyResult<Scheduler> {
    let settings = solver.settings(SolverSettings::default());
    let make: MakeBackend = Box::new(move |system| {
        CpuBackend::new(system, settings).map(|backend| Box::new(backend) as Box<dyn Backend>)
    });
    let simulation = raise(Simulation::with_backend(model, make))?;
    let step = SchedulerSettings::with_step(solver.step_length());
    raise(Scheduler::new(simulation, step))
}
