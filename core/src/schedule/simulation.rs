//! A model, its compiled form, and the backend that steps it, kept in agreement while the model is
//! set and edited.

use std::cell::OnceCell;
use std::sync::Arc;

use super::SimulationError;
use super::callback::{CallbackError, Closure, Control, Controller, Monitor};
use super::instruments::{Instruments, Requests};
use super::written::Written;
use crate::backend::{Backend, CpuBackend};
use crate::model::{History, Model};
use crate::property::{PropertyError, Setting};
use crate::simulated::Simulated;
use crate::solve::{SolverSettings, StopFlag};
use crate::system::{
    CompiledModel, PrescribedMomenta, Refresh, State, StepError, StepStats, moves_by_itself,
};

/// Makes the backend that steps a compiled model.
pub type MakeBackend =
    Box<dyn FnMut(Arc<CompiledModel>) -> Result<Box<dyn Backend>, StepError> + Send>;

/// A running model. Between steps it is read, set and edited; what is stale is compiled anew when it
/// is needed, and what stays keeps its state.
pub struct Simulation {
    pub(super) model: Model,
    pub(super) backend: Box<dyn Backend>,
    make: MakeBackend,
    /// Ends a step that takes long.
    stop: StopFlag,
    /// The state of the backend, where `fresh`.
    pub(super) state: State,
    pub(super) fresh: bool,
    pub(super) history: History,
    controllers: Vec<(String, Box<dyn Controller>)>,
    monitors: Vec<(String, Box<dyn Monitor>)>,
    /// Values set by controllers, monitors and probes.
    pub(super) written: Written,
    /// Sensors, controllers and events of the model.
    pub(super) instruments: Instruments,
    /// Requests of events in the last step.
    pub(super) requests: Requests,
    /// Momenta of what is prescribed, in the last step.
    momenta: PrescribedMomenta,
    /// The state before the first step with its forces, once these were read.
    pub(super) start: OnceCell<State>,
    /// Number of the system: another one each time that it is compiled anew.
    structure: u64,
    /// The highest number of a system so far.
    last_structure: u64,
}

impl Simulation {
    /// `model` at its start, stepped on the CPU.
    ///
    /// # Errors
    /// [`SimulationError::Compile`]; [`SimulationError::Step`] when a direct solver was asked for and its
    /// factor is too large.
    pub fn new(model: Model, settings: SolverSettings) -> Result<Self, SimulationError> {
        Self::with_backend(model, Self::on_cpu(settings))
    }

    /// Makes backends that step on the CPU.
    pub(super) fn on_cpu(settings: SolverSettings) -> MakeBackend {
        Box::new(move |system| {
            CpuBackend::new(system, settings).map(|backend| Box::new(backend) as Box<dyn Backend>)
        })
    }

    /// `model` at its start, stepped by the backend of `make`; it is called again after structural
    /// edits.
    ///
    /// # Errors
    /// [`SimulationError::Compile`], and whatever `make` returns.
    pub fn with_backend(model: Model, mut make: MakeBackend) -> Result<Self, SimulationError> {
        let backend = make(Arc::new(model.compile()?))?;
        Ok(Self::with_parts(model, backend, make))
    }

    /// `model` stepped by `backend`, which was made for its compiled form and stands at its start;
    /// `make` makes another one after structural edits.
    pub fn with_parts(mut model: Model, backend: Box<dyn Backend>, make: MakeBackend) -> Self {
        let state = backend.system().initial_state();
        Instruments::clear(&mut model);
        Self {
            model,
            backend,
            make,
            stop: StopFlag::default(),
            state,
            fresh: true,
            history: History::default(),
            controllers: Vec::new(),
            monitors: Vec::new(),
            written: Written::default(),
            instruments: Instruments::default(),
            requests: Requests::default(),
            momenta: PrescribedMomenta::default(),
            start: OnceCell::new(),
            structure: 0,
            last_structure: 0,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model, to change in any way; stale parts are compiled anew at the next step. Edits made
    /// so cannot be taken back by [`Self::undo`].
    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// The compiled model. It may lag behind the model until the next step.
    pub fn compiled(&self) -> &CompiledModel {
        self.backend.system()
    }

    /// Ends steps that go on for long after `flag` was set ([`StepError::Stopped`](crate::system::StepError::Stopped)).
    pub fn stop_on(&mut self, flag: StopFlag) {
        self.backend.stop_on(flag.clone());
        self.stop = flag;
    }

    /// Backend that steps it.
    pub fn backend(&self) -> &dyn Backend {
        &*self.backend
    }

    /// Backend that steps it, for profiling and measurements; it is not to be stepped by others.
    pub fn backend_mut(&mut self) -> &mut dyn Backend {
        &mut *self.backend
    }

    /// Goes on from `state` with another backend, on the model as it is: where one was lost. `make` makes
    /// it, and others after structural edits.
    ///
    /// # Errors
    /// [`SimulationError::Compile`], and whatever `make` returns.
    pub fn replace_backend(
        &mut self,
        mut make: MakeBackend,
        state: &State,
    ) -> Result<(), SimulationError> {
        let (compiled, state) = self.model.recompile(self.backend.system(), state)?;
        let mut backend = make(Arc::new(compiled))?;
        backend.stop_on(self.stop.clone());
        backend.write_state(&state)?;
        (self.backend, self.state, self.fresh) = (backend, state, true);
        self.make = make;
        self.momenta.clear();
        self.start = OnceCell::new();
        self.last_structure += 1;
        self.structure = self.last_structure;
        Ok(())
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.backend.time()
    }

    /// State of the model.
    ///
    /// # Errors
    /// [`SimulationError::Step`] when the device is lost.
    pub fn state(&mut self) -> Result<&State, SimulationError> {
        if !self.fresh {
            self.backend.read_state(&mut self.state)?;
            // Backends keep none.
            self.state.prescribed.clear();
            self.state.prescribed.extend_from_slice(self.momenta.list());
            self.fresh = true;
        }
        Ok(&self.state)
    }

    /// The model where it is now, once [`Self::state`] was read.
    pub(crate) fn simulated(&self) -> Simulated<'_> {
        Simulated { model: &self.model, compiled: self.backend.system(), state: &self.state }
    }

    /// Puts everything where `state` says, at its time.
    ///
    /// # Errors
    /// [`SimulationError::Compile`] where the model cannot be compiled as it is;
    /// [`SimulationError::Step`] when the device is lost.
    ///
    /// # Panics
    /// When `state` is not of the size of the model.
    pub fn set_state(&mut self, state: &State) -> Result<(), SimulationError> {
        self.synchronize()?;
        self.backend.write_state(state)?;
        self.state.clone_from(state);
        self.momenta.restore(state);
        self.start = OnceCell::new();
        self.fresh = true;
        Ok(())
    }

    /// Goes back to the start of the model as it is now.
    ///
    /// # Errors
    /// As [`Self::set_state`].
    pub fn reset(&mut self) -> Result<(), SimulationError> {
        self.synchronize()?;
        let start = self.backend.system().initial_state();
        self.backend.forget();
        self.instruments.forget(&mut self.model);
        self.set_state(&start)
    }

    /// Runs `controller` before every step, after those that were added before it. Its name stands in
    /// errors.
    pub fn add_controller(
        &mut self,
        name: impl Into<String>,
        controller: impl FnMut(&mut Control<'_>) -> Result<(), CallbackError> + Send + 'static,
    ) {
        self.add_controller_object(name, Box::new(Closure(controller)));
    }

    /// The same with a controller that has a memory of its own.
    pub fn add_controller_object(
        &mut self,
        name: impl Into<String>,
        controller: Box<dyn Controller>,
    ) {
        self.controllers.push((name.into(), controller));
    }

    /// Runs `monitor` after every step, after those that were added before it. Its name stands in
    /// errors.
    pub fn add_monitor(
        &mut self,
        name: impl Into<String>,
        monitor: impl FnMut(&mut Control<'_>) -> Result<(), CallbackError> + Send + 'static,
    ) {
        self.add_monitor_object(name, Box::new(Closure(monitor)));
    }

    /// The same with a monitor that has a memory of its own.
    pub fn add_monitor_object(&mut self, name: impl Into<String>, monitor: Box<dyn Monitor>) {
        self.monitors.push((name.into(), monitor));
    }

    /// Advances by `h` [s]: controllers, those of the model first, pending settings and edits, the step, sensors,
    /// monitors, and at last what events of the model do.
    ///
    /// # Errors
    /// [`SimulationError`]. Before the monitors ran, the state is the one before the step; a monitor's
    /// error comes after it.
    pub fn step(&mut self, h: f64) -> Result<StepStats, SimulationError> {
        self.instruments_before(h)?;
        self.call(Moment::Before, h)?;
        self.synchronize()?;
        if self.momenta.is_empty() && moves_by_itself(self.backend.system()) {
            self.state()?;
            self.momenta.begin(self.backend.system(), &self.state, h);
        }
        self.start = OnceCell::new();
        let start = self.time();
        let stats = self.step_to_event(h)?;
        self.fresh = false;
        self.momenta.advance(self.backend.system(), [start, self.time()]);
        self.instruments_sense()?;
        self.call(Moment::After, h)?;
        self.instruments_fire()?;
        Ok(stats)
    }

    fn call(&mut self, moment: Moment, step: f64) -> Result<(), SimulationError> {
        let count = match moment {
            Moment::Before => self.controllers.len(),
            Moment::After => self.monitors.len(),
        };
        if count > 0 {
            self.state()?;
        }
        for at in 0..count {
            match moment {
                Moment::Before => self.control(at, step)?,
                Moment::After => self.call_one(moment, at, step)?,
            }
        }
        Ok(())
    }

    /// Has controller number `at` act before a step [s], as often as it asks for.
    fn control(&mut self, at: usize, step: f64) -> Result<(), SimulationError> {
        loop {
            if self.controllers[at].1.looks_ahead() {
                self.synchronize()?;
            }
            self.call_one(Moment::Before, at, step)?;
            if !self.controllers[at].1.acts_again() {
                return Ok(());
            }
        }
    }

    /// A step of `h` [s], by the solver of the last controller that has linearized it, where the backend takes that.
    pub(super) fn take_step(&mut self, h: f64) -> Result<StepStats, StepError> {
        let structure = self.structure;
        let controllers = self.controllers.iter_mut().rev();
        let solver = controllers.filter_map(|(_, it)| it.linearized(structure)).next();
        let done = solver.and_then(|solver| self.backend.step_by(solver, h));
        done.unwrap_or_else(|| self.backend.step(h))
    }

    /// Calls one controller, or one monitor.
    fn call_one(&mut self, moment: Moment, at: usize, step: f64) -> Result<(), SimulationError> {
        let structure = self.structure;
        let (compiled, state) = (self.backend.system(), &self.state);
        let (model, written) = (&mut self.model, &mut self.written);
        let mut control = Control { model, compiled, state, step, structure, written };
        let (name, result) = match moment {
            Moment::Before => {
                let (name, controller) = &mut self.controllers[at];
                (name, controller.apply(&mut control))
            }
            Moment::After => {
                let (name, monitor) = &mut self.monitors[at];
                (name, monitor.apply(&mut control))
            }
        };
        let (name, time) = (&*name, self.state.time);
        result.map_err(|source| SimulationError::Callback { name: name.clone(), time, source })
    }

    /// Brings what is stepped up to date with the model.
    pub(crate) fn synchronize(&mut self) -> Result<(), SimulationError> {
        match self.model.staleness(self.backend.system()) {
            Refresh::Current => Ok(()),
            Refresh::Parameters => self.update_numbers(),
            Refresh::Recompiled => self.recompile(),
        }
    }

    fn update_numbers(&mut self) -> Result<(), SimulationError> {
        self.start = OnceCell::new();
        let (model, mut result) = (&self.model, Ok(()));
        let updated =
            self.backend.update_system(&mut |system| result = model.update_parameters(system));
        if updated { Ok(result?) } else { self.recompile() }
    }

    fn recompile(&mut self) -> Result<(), SimulationError> {
        self.state()?;
        let (compiled, state) = self.model.recompile(self.backend.system(), &self.state)?;
        let mut backend = (self.make)(Arc::new(compiled))?;
        backend.stop_on(self.stop.clone());
        backend.write_state(&state)?;
        (self.backend, self.state, self.fresh) = (backend, state, true);
        self.momenta.clear();
        self.start = OnceCell::new();
        self.last_structure += 1;
        self.structure = self.last_structure;
        Ok(())
    }

    /// Number of the system, another one each time that it is compiled anew: states of others may have other
    /// rows.
    pub fn structure(&self) -> u64 {
        self.structure
    }

    /// The system is again the one of that number, since an edit was taken back: its states fit.
    pub(super) fn return_to_structure(&mut self, structure: u64) {
        self.structure = structure;
    }

    /// Puts back what controllers and probes had set, and what they set since to what it was before.
    pub(super) fn put_back(&mut self, settings: &[(String, Setting)]) -> Result<(), PropertyError> {
        self.written.put_back(&mut self.model, settings)
    }

    /// Drops all memory from step to step, so that the next step depends on the state alone.
    pub fn forget(&mut self) {
        self.backend.forget();
    }

    /// Saves the memories of controllers and monitors, one after the other.
    pub(super) fn save_memories(&self, memories: &mut Vec<Vec<f64>>) {
        let count = self.controllers.len() + self.monitors.len();
        let instruments = usize::from(self.instruments.is_followed());
        memories.resize(count + instruments, Vec::new());
        memories.iter_mut().for_each(Vec::clear);
        memories[count..].iter_mut().for_each(|into| self.instruments.save(into));
        let (first, second) = memories[..count].split_at_mut(self.controllers.len());
        first.iter_mut().zip(&self.controllers).for_each(|(into, (_, it))| it.save(into));
        second.iter_mut().zip(&self.monitors).for_each(|(into, (_, it))| it.save(into));
    }

    /// Gives them back; those that were added later stay as they are.
    pub(super) fn restore_memories(&mut self, memories: &[Vec<f64>]) {
        let mut memories = memories.iter();
        let controllers = self.controllers.iter_mut();
        controllers.zip(&mut memories).for_each(|((_, it), from)| it.restore(from));
        self.monitors.iter_mut().zip(&mut memories).for_each(|((_, it), from)| it.restore(from));
        match memories.next() {
            Some(numbers) => self.instruments.restore(&mut self.model, numbers),
            None => self.instruments.forget(&mut self.model),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Before,
    After,
}
