//! A model, what was compiled from it, and the backend that steps it, kept in agreement while the
//! model is set and edited.

use std::sync::Arc;

use super::callback::{Callback, CallbackError, Control};
use super::motion::{Moving, set_motion};
use crate::backend::{Backend, CpuBackend};
use crate::component::{ComponentId, Edit, EditError, History};
use crate::model::Model;
use crate::property::{PropertyError, PropertyRef, Setting, Simulated, Value};
use crate::solve::SolverSettings;
use crate::system::{CompileError, CompiledModel, Refresh, State, StepError, StepStats};

/// Makes the backend that steps a compiled model.
pub type MakeBackend =
    Box<dyn FnMut(Arc<CompiledModel>) -> Result<Box<dyn Backend>, StepError> + Send>;

/// Why a running model could not go on. It is then as it was before the call, and can be mended.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The model cannot be simulated as it is.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A step could not be taken.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An edit was refused.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A property could not be read or set.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// The user's own code gave up.
    #[error("'{name}' stopped the run at t = {time} s: {source}")]
    Callback {
        /// Name of the controller or monitor.
        name: String,
        /// Time of the state [s].
        time: f64,
        /// What it said.
        source: CallbackError,
    },
}

/// A running model. Between steps it is read, set and edited; what is stale is compiled anew when it
/// is needed, and what stays keeps its state.
pub struct Simulation {
    model: Model,
    backend: Box<dyn Backend>,
    make: MakeBackend,
    /// The state of the backend, where `fresh`.
    state: State,
    fresh: bool,
    history: History,
    controllers: Vec<(String, Callback)>,
    monitors: Vec<(String, Callback)>,
}

impl Simulation {
    /// `model` at its start, stepped on the CPU.
    ///
    /// # Errors
    /// [`SimulationError::Compile`]; [`SimulationError::Step`] when a direct solver was asked for and its
    /// factor is too large.
    pub fn new(model: Model, settings: SolverSettings) -> Result<Self, SimulationError> {
        let make = move |system| {
            CpuBackend::new(system, settings).map(|backend| Box::new(backend) as Box<dyn Backend>)
        };
        Self::with_backend(model, Box::new(make))
    }

    /// `model` at its start, stepped by what `make` makes; it is called again after structural edits.
    ///
    /// # Errors
    /// [`SimulationError::Compile`], and whatever `make` returns.
    pub fn with_backend(model: Model, mut make: MakeBackend) -> Result<Self, SimulationError> {
        let compiled = model.compile()?;
        let state = compiled.initial_state();
        let backend = make(Arc::new(compiled))?;
        Ok(Self {
            model,
            backend,
            make,
            state,
            fresh: true,
            history: History::default(),
            controllers: Vec::new(),
            monitors: Vec::new(),
        })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model, to change in any way; what is stale then is compiled anew at the next step. Edits
    /// made so cannot be taken back by [`Self::undo`].
    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// What is stepped. It may lag behind the model until the next step.
    pub fn compiled(&self) -> &CompiledModel {
        self.backend.system()
    }

    /// What steps it.
    pub fn backend(&self) -> &dyn Backend {
        &*self.backend
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.backend.time()
    }

    /// Where everything is.
    ///
    /// # Errors
    /// [`SimulationError::Step`] when the device is lost.
    pub fn state(&mut self) -> Result<&State, SimulationError> {
        if !self.fresh {
            self.backend.read_state(&mut self.state)?;
            self.fresh = true;
        }
        Ok(&self.state)
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
        self.set_state(&start)
    }

    /// Runs `controller` before every step, after those that were added before it. Its name stands in
    /// errors.
    pub fn add_controller(
        &mut self,
        name: impl Into<String>,
        controller: impl FnMut(&mut Control<'_>) -> Result<(), CallbackError> + Send + 'static,
    ) {
        self.controllers.push((name.into(), Box::new(controller)));
    }

    /// Runs `monitor` after every step, after those that were added before it. Its name stands in
    /// errors.
    pub fn add_monitor(
        &mut self,
        name: impl Into<String>,
        monitor: impl FnMut(&mut Control<'_>) -> Result<(), CallbackError> + Send + 'static,
    ) {
        self.monitors.push((name.into(), Box::new(monitor)));
    }

    /// Advances by `h` [s]: controllers, what was set and edited, the step, monitors.
    ///
    /// # Errors
    /// [`SimulationError`]. Before the monitors ran, the state is the one before the step; a monitor's
    /// error comes after it.
    pub fn step(&mut self, h: f64) -> Result<StepStats, SimulationError> {
        self.call(Moment::Before, h)?;
        self.synchronize()?;
        let stats = self.backend.step(h)?;
        self.fresh = false;
        self.call(Moment::After, h)?;
        Ok(stats)
    }

    fn call(&mut self, moment: Moment, step: f64) -> Result<(), SimulationError> {
        let callbacks = match moment {
            Moment::Before => &mut self.controllers,
            Moment::After => &mut self.monitors,
        };
        if callbacks.is_empty() {
            return Ok(());
        }
        if !self.fresh {
            self.backend.read_state(&mut self.state)?;
            self.fresh = true;
        }
        for (name, callback) in callbacks {
            let (compiled, state) = (self.backend.system(), &self.state);
            let mut control = Control { model: &mut self.model, compiled, state, step };
            callback(&mut control).map_err(|source| SimulationError::Callback {
                name: name.clone(),
                time: state.time,
                source,
            })?;
        }
        Ok(())
    }

    /// Brings what is stepped up to date with the model.
    fn synchronize(&mut self) -> Result<(), SimulationError> {
        match self.model.staleness(self.backend.system()) {
            Refresh::Current => Ok(()),
            Refresh::Parameters => self.update_numbers(),
            Refresh::Recompiled => self.recompile(),
        }
    }

    fn update_numbers(&mut self) -> Result<(), SimulationError> {
        let (model, mut result) = (&self.model, Ok(()));
        let updated =
            self.backend.update_system(&mut |system| result = model.update_parameters(system));
        if updated { Ok(result?) } else { self.recompile() }
    }

    fn recompile(&mut self) -> Result<(), SimulationError> {
        self.state()?;
        let (compiled, state) = self.model.recompile(self.backend.system(), &self.state)?;
        let mut backend = (self.make)(Arc::new(compiled))?;
        backend.write_state(&state)?;
        (self.backend, self.state, self.fresh) = (backend, state, true);
        Ok(())
    }

    /// The property at `path`, to read and set by [`Self::get`] and [`Self::set`].
    ///
    /// # Errors
    /// As [`Model::property`].
    pub fn property(&self, path: &str) -> Result<PropertyRef, PropertyError> {
        self.model.property(path)
    }

    /// The value of a property now.
    ///
    /// # Errors
    /// As [`Simulated::get_property`]; [`SimulationError::Step`] when the device is lost.
    pub fn get(&mut self, property: &PropertyRef) -> Result<Value, SimulationError> {
        self.state()?;
        let (model, compiled, state) = (&self.model, self.backend.system(), &self.state);
        Ok(Simulated { model, compiled, state }.get_property(property)?)
    }

    /// Sets a property from the next step on. Position and velocity of a particle that moves, pose and
    /// velocities of a body that does, are those of now, not of its start; so is the value of a
    /// coordinate of a joint, which moves what hangs on the joint. The next step then brings everything
    /// onto its constraints.
    ///
    /// # Errors
    /// As [`Model::set_property`], and [`Self::set_state`].
    pub fn set(
        &mut self,
        property: &PropertyRef,
        value: impl Into<Value>,
    ) -> Result<(), SimulationError> {
        let value = value.into();
        match Moving::of(&self.model, property) {
            Some(moving) => self.set_motion(moving, property, &value),
            None => Ok(self.model.set_property(property, value)?),
        }
    }

    fn set_motion(
        &mut self,
        moving: Moving,
        property: &PropertyRef,
        value: &Value,
    ) -> Result<(), SimulationError> {
        self.model.plan_setting(property, &Setting::Explicit(value.clone()))?;
        self.synchronize()?;
        self.state()?;
        let mut state = self.state.clone();
        let (model, compiled) = (&self.model, self.backend.system());
        let view = Simulated { model, compiled, state: &self.state };
        set_motion(&view, moving, property, value, &mut state)?;
        compiled.place_followers(&mut state);
        state.multipliers.clear();
        self.set_state(&state)
    }

    /// Edits the model; the system is compiled anew where that is needed, and what stays keeps its
    /// state. [`Self::undo`] takes it back.
    ///
    /// # Errors
    /// [`SimulationError::Edit`], [`SimulationError::Compile`]; nothing is changed then.
    pub fn edit(&mut self, edit: Edit) -> Result<Vec<ComponentId>, SimulationError> {
        let mut change = self.model.edit(edit)?;
        if let Err(error) = self.synchronize() {
            self.model.undo(&mut change)?;
            return Err(error);
        }
        let added = change.added();
        self.history.keep(change);
        Ok(added)
    }

    /// Takes the last edit back; `false` when there is none.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the model was changed by other means since; [`SimulationError::Compile`],
    /// and the edit is then in force again.
    pub fn undo(&mut self) -> Result<bool, SimulationError> {
        let undone = self.history.undo(&mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.history.redo(&mut self.model)?;
            return Err(error);
        }
        Ok(undone)
    }

    /// Does again what was taken back last; `false` when there is nothing.
    ///
    /// # Errors
    /// As [`Self::undo`].
    pub fn redo(&mut self) -> Result<bool, SimulationError> {
        let redone = self.history.redo(&mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.history.undo(&mut self.model)?;
            return Err(error);
        }
        Ok(redone)
    }
}

#[derive(Clone, Copy)]
enum Moment {
    Before,
    After,
}
