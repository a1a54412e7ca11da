//! The user's own code in a run: controllers before a step, monitors after it.

use crate::component::PathError;
use crate::model::Model;
use crate::property::{PropertyError, PropertyRef, Simulated, Value};
use crate::system::{CompiledModel, State};

/// Why a controller or a monitor gave up: whatever its code says.
pub type CallbackError = Box<dyn std::error::Error + Send + Sync>;

pub(super) type Callback = Box<dyn FnMut(&mut Control<'_>) -> Result<(), CallbackError> + Send>;

/// What a controller or a monitor sees of a running model, and what it may change: any property.
///
/// What a controller sets is in force in the step that follows, what a monitor sets in the next one.
pub struct Control<'a> {
    pub(super) model: &'a mut Model,
    pub(super) compiled: &'a CompiledModel,
    pub(super) state: &'a State,
    pub(super) step: f64,
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

    /// Where everything is.
    pub fn state(&self) -> &State {
        self.state
    }

    /// What was compiled from the model when the last step was taken.
    pub fn compiled(&self) -> &CompiledModel {
        self.compiled
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

    /// Sets a property of the model.
    ///
    /// # Errors
    /// As [`Model::set_property`].
    pub fn set(
        &mut self,
        property: &PropertyRef,
        value: impl Into<Value>,
    ) -> Result<(), PropertyError> {
        self.model.set_property(property, value)
    }

    /// What `path` leads to.
    ///
    /// # Errors
    /// As [`Model::find`].
    pub fn find(&self, path: &str) -> Result<crate::component::Address, PathError> {
        self.model.find(path)
    }
}
