//! Properties of a running model: read as they are now, set for the next step.

use super::motion::{Moving, set_motion};
use super::{Simulation, SimulationError};
use crate::property::{PropertyError, PropertyRef, Setting, Value};
use crate::simulated::Simulated;

impl Simulation {
    /// The property at `path`, to read and set by [`Self::get`] and [`Self::set`].
    ///
    /// # Errors
    /// As [`Model::property`](crate::model::Model::property).
    pub fn property(&self, path: &str) -> Result<PropertyRef, PropertyError> {
        self.model.property(path)
    }

    /// The value of a property now.
    ///
    /// # Errors
    /// As [`Simulated::get_property`]; [`SimulationError::Step`] when the device is lost.
    pub fn get(&mut self, property: &PropertyRef) -> Result<Value, SimulationError> {
        self.state()?;
        Ok(self.simulated_for([property]).get_property(property)?)
    }

    /// Sets a property from the next step on. Position and velocity of a particle that moves, pose and
    /// velocities of a body that does, are those of now, not of its start; so is the value of a
    /// coordinate of a joint, which moves what hangs on the joint. The next step then brings everything
    /// onto its constraints.
    ///
    /// # Errors
    /// As [`Model::set_property`](crate::model::Model::set_property), and [`Self::set_state`].
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
        compiled.place_attached(&mut state);
        state.multipliers.clear();
        self.set_state(&state)
    }

    /// Sets a property to these numbers, as a probe does: as [`Self::set`], and going back to a
    /// waypoint puts back its value there.
    ///
    /// # Errors
    /// As [`Self::set`] and [`Model::set_numbers`](crate::model::Model::set_numbers).
    pub fn feed(&mut self, property: &PropertyRef, numbers: &[f64]) -> Result<(), SimulationError> {
        if Moving::of(&self.model, property).is_none() {
            self.written.remember(&self.model, property)?;
            return Ok(self.model.set_numbers(property, numbers)?);
        }
        let ty = property.info().value_type;
        match Value::from_numbers(ty, numbers) {
            Some(value) => self.set(property, value),
            None => Ok(self.model.set_numbers(property, numbers)?),
        }
    }
}
