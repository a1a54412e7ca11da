//! The CPU as a backend: a stepper with the model and the state that it advances.

use std::sync::Arc;

use super::{Backend, Description, Precision};
use crate::solve::{
    Integrator, LinearSolver, MechSystemSolver, Preconditioning, SolverSettings, StopFlag,
};
use crate::system::{CompiledModel, State, StepError, StepStats};

/// Steps a model on the threads of the rayon pool that it is called in. It adds nothing to what a
/// [`MechSystemSolver`] does, no memory and no rounding.
pub struct CpuBackend {
    system: Arc<CompiledModel>,
    solver: MechSystemSolver,
    state: State,
    /// Ends a step that takes long.
    stop: StopFlag,
    /// The state that a read found, until it is fetched.
    read: Option<State>,
    /// Makes the system anew where it is shared and its numbers are to change.
    copy: Option<CopySystem>,
}

/// Makes a copy of a compiled model, which others share; `None` where it cannot be made.
pub(crate) type CopySystem = Arc<dyn Fn() -> Option<CompiledModel> + Send + Sync>;

impl CpuBackend {
    /// `system` at its start.
    ///
    /// # Errors
    /// [`StepError::Singular`] when a direct solver was asked for and its factor is too large.
    pub fn new(system: Arc<CompiledModel>, settings: SolverSettings) -> Result<Self, StepError> {
        let solver = MechSystemSolver::new(&*system, settings)?;
        let state = system.initial_state();
        Ok(Self { system, solver, state, stop: StopFlag::default(), read: None, copy: None })
    }

    /// The same on a system that others step too, until its numbers change.
    pub(crate) fn sharing(
        system: Arc<CompiledModel>,
        settings: SolverSettings,
        copy: CopySystem,
    ) -> Result<Self, StepError> {
        Ok(Self { copy: Some(copy), ..Self::new(system, settings)? })
    }

    /// State of the model.
    pub fn state(&self) -> &State {
        &self.state
    }

    fn check_size(&self, state: &State) {
        let rows = self.system.block_count();
        assert_eq!([state.q.len(), state.u.len()], [rows; 2], "rows of the state");
    }
}

impl Backend for CpuBackend {
    fn name(&self) -> String {
        match rayon::current_num_threads() {
            1 => "cpu, 1 thread".to_owned(),
            count => format!("cpu, {count} threads"),
        }
    }

    fn precision(&self) -> Precision {
        Precision::F64
    }

    fn description(&self) -> Description {
        if self.solver.settings().integrator.is_explicit() {
            return Description { solver: "none", preconditioner: None };
        }
        let solver = match self.solver.linear_solver() {
            LinearSolver::Auto => "auto",
            LinearSolver::Direct => "direct",
            LinearSolver::Hybrid => "hybrid",
            LinearSolver::ConjugateGradients => "cg",
        };
        let preconditioner = self.solver.preconditioning().map(|p| match p {
            Preconditioning::Auto => "auto",
            Preconditioning::BlockJacobi => "jacobi",
            Preconditioning::Multigrid => "multigrid",
        });
        Description { solver, preconditioner }
    }

    fn system(&self) -> &CompiledModel {
        &self.system
    }

    fn time(&self) -> f64 {
        self.state.time
    }

    fn stop_on(&mut self, flag: StopFlag) {
        self.solver.stop_on(flag.clone());
        self.stop = flag;
    }

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        self.solver.step(&*self.system, &mut self.state, h)
    }

    fn step_by(
        &mut self,
        solver: &mut MechSystemSolver,
        h: f64,
    ) -> Option<Result<StepStats, StepError>> {
        let own = *self.solver.settings();
        let asked = SolverSettings { responses: own.responses, ..*solver.settings() };
        if asked != own {
            return None;
        }
        solver.stop_on(self.stop.clone());
        // What it remembers of steps is not that of the step before any more.
        self.solver.forget();
        Some(solver.step(&*self.system, &mut self.state, h))
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        self.check_size(state);
        state.clone_from(&self.state);
        Ok(())
    }

    fn start_read(&mut self) -> Result<(), StepError> {
        self.read = Some(self.state.clone());
        Ok(())
    }

    fn finish_read(&mut self, state: &mut State) -> Result<bool, StepError> {
        let read = self.read.take();
        Ok(read.map(|read| *state = read).is_some())
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        self.check_size(state);
        self.state.clone_from(state);
        Ok(())
    }

    fn update_system(&mut self, change: &mut dyn FnMut(&mut CompiledModel)) -> bool {
        self.solver.system_changed();
        if let (None, Some(copy)) = (Arc::get_mut(&mut self.system), &self.copy)
            && let Some(own) = copy()
        {
            self.system = Arc::new(own);
        }
        Arc::get_mut(&mut self.system).map(change).is_some()
    }

    fn localizes_events(&self) -> bool {
        matches!(self.solver.settings().integrator, Integrator::Variable(_))
    }

    fn forget(&mut self) {
        self.solver.forget();
    }
}
