//! Model files whose runs went wrong once, and how they end.

mod integrators;
mod starts;

use std::path::Path;

use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State, StepError};
use sinew_model_files::{LoadOptions, load};

/// A run of a model file of the folder `models`.
pub(crate) struct Run {
    pub(crate) compiled: CompiledModel,
    pub(crate) solver: MechSystemSolver,
    pub(crate) state: State,
}

impl Run {
    pub(crate) fn of(name: &str, settings: SolverSettings) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outcomes/models").join(name);
        let file = load(&path, &LoadOptions::default());
        let model = file.unwrap_or_else(|report| panic!("{}", report.render(false))).model;
        let compiled = model.compile().unwrap();
        let solver = MechSystemSolver::new(&compiled, settings).unwrap();
        let state = compiled.initial_state();
        Self { compiled, solver, state }
    }

    /// Steps until a time [s], or an error.
    pub(crate) fn until(&mut self, end: f64, step: f64) -> Result<(), StepError> {
        while self.state.time < end - 0.5 * step {
            self.solver.step(&self.compiled, &mut self.state, step)?;
        }
        Ok(())
    }

    pub(crate) fn energy(&self) -> f64 {
        self.compiled.energies(&self.state).total()
    }
}
