//! The user's own code in a run: controllers before a step, monitors after it.

use super::written::Written;
use crate::component::PathError;
use crate::model::Model;
use crate::property::{PropertyError, PropertyRef, Value};
use crate::simulated::Simulated;
use crate::solve::MechSystemSolver;
use crate::system::{CompiledModel, State};

/// Error of a controller or a monitor, from its own code.
pub type CallbackError = Box<dyn std::error::Error + Send + Sync>;

/// Code that acts before each step: its settings are in force in the step that follows. A closure
/// is one that remembers nothing.
pub trait Controller: Send {
    /// Acts on the model, at the start of a step.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn apply(&mut self, control: &mut Control<'_>) -> Result<(), CallbackError>;

    /// True if [`Control::compiled`] is to be that of the step to come, with all that was set before this controller.
    fn looks_ahead(&self) -> bool {
        false
    }

    /// True if it is to act once more before the same step, with what it has set in force.
    fn acts_again(&self) -> bool {
        false
    }

    /// Solver that has linearized the step to come, of the system of number [`Control::structure`]; `None` without one.
    fn linearized(&mut self, structure: u64) -> Option<&mut MechSystemSolver> {
        let _ = structure;
        None
    }

    /// Appends the numbers that its next calls depend on, beside model and state; waypoints keep them.
    fn save(&self, numbers: &mut Vec<f64>) {
        let _ = numbers;
    }

    /// Takes back the numbers that [`Self::save`] gave.
    fn restore(&mut self, numbers: &[f64]) {
        let _ = numbers;
    }
}

/// Code that looks at the state after each step.
pub trait Monitor: Send {
    /// Looks at the model, at the end of a step.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn apply(&mut self, control: &mut Control<'_>) -> Result<(), CallbackError>;

    /// Appends the numbers that its next calls depend on, beside model and state; waypoints keep them.
    fn save(&self, numbers: &mut Vec<f64>) {
        let _ = numbers;
    }

    /// Takes back the numbers that [`Self::save`] gave.
    fn restore(&mut self, numbers: &[f64]) {
        let _ = numbers;
    }
}

/// A closure as controller or monitor.
pub(super) struct Closure<F>(pub(super) F);

impl<F> Controller for Closure<F>
where
    F: FnMut(&mut Control<'_>) -> Result<(), CallbackError> + Send,
{
    fn apply(&mut self, control: &mut Control<'_>) -> Result<(), CallbackError> {
        (self.0)(control)
    }
}

impl<F> Monitor for Closure<F>
where
    F: FnMut(&mut Control<'_>) -> Result<(), CallbackError> + Send,
{
    fn apply(&mut self, control: &mut Control<'_>) -> Result<(), CallbackError> {
        (self.0)(control)
    }
}

/// View of a running model for controllers and monitors, which may change any property.
///
/// What a controller sets is in force in the step that follows, what a monitor sets in the next one.
pub struct Control<'a> {
    pub(super) model: &'a mut Model,
    pub(super) compiled: &'a CompiledModel,
    pub(super) state: &'a State,
    pub(super) step: f64,
    pub(super) structure: u64,
    pub(super) written: &'a mut Written,
}

impl Control<'_> {
    /// Time of the state [s]: before the step for a controller, after it for a monitor.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Length of the step [s].
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.model
    }

    /// State of the model.
    pub fn state(&self) -> &State {
        self.state
    }

    /// The compiled model of the last step, or of the step to come for a controller that looks ahead.
    pub fn compiled(&self) -> &CompiledModel {
        self.compiled
    }

    /// Number of the compiled system, as in [`Simulation::structure`](super::Simulation::structure).
    pub fn structure(&self) -> u64 {
        self.structure
    }

    /// The property at `path`; resolved once and kept, it costs nothing later.
    ///
    /// # Errors
    /// As [`Model::property`].
    pub fn property(&self, path: &str) -> Result<PropertyRef, PropertyError> {
        self.model.property(path)
    }

    /// The value of a property now.
    ///
    /// # Errors
    /// As [`Simulated::get_property`].
    pub fn get(&self, property: &PropertyRef) -> Result<Value, PropertyError> {
        Simulated { model: self.model, compiled: self.compiled, state: self.state }
            .get_property(property)
    }

    /// Sets a property of the model. Going back to a waypoint puts back what it was there.
    ///
    /// # Errors
    /// As [`Model::set_property`].
    pub fn set(
        &mut self,
        property: &PropertyRef,
        value: impl Into<Value>,
    ) -> Result<(), PropertyError> {
        self.written.remember(self.model, property)?;
        self.model.set_property(property, value)
    }

    /// Target of `path`.
    ///
    /// # Errors
    /// As [`Model::find`].
    pub fn find(&self, path: &str) -> Result<crate::component::Address, PathError> {
        self.model.find(path)
    }
}
