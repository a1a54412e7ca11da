//! Sensors, controllers and events of the model in a run: when they act, and what they remember between steps.
//!
//! Before a step controllers set properties; after it sensors sample, and events look whether they are to act. All of it
//! happens between steps: an event is localized to the step in which its value crossed, which integrators of variable step end
//! there.

mod bench;
mod controllers;
mod events;
mod running;
mod sensors;

use std::collections::BTreeMap;

use super::callback::CallbackError;
use crate::component::{ComponentId, Handle, Kind};
use crate::kinds::{Event, PropertyController, Sensor};
use crate::model::{Model, Stored};

pub(super) use bench::Bench;
pub use bench::InstrumentError;
use controllers::ControllerUnit;
use events::{EventUnit, Fired};
pub(super) use running::Requests;
use sensors::SensorUnit;

/// Error of the instrument at a path.
pub(super) type NamedError = (String, CallbackError);

/// All sensors, controllers and events of a model, with their memories.
#[derive(Default)]
pub(super) struct Instruments {
    /// Tree that they are those of.
    stamp: Option<u64>,
    sensors: Vec<SensorUnit>,
    controllers: Vec<ControllerUnit>,
    events: Vec<EventUnit>,
}

/// Handles of a kind that are there, those that were known first with what they remember.
fn kept<T: Stored, U>(
    model: &Model,
    known: &mut Vec<U>,
    handle_of: impl Fn(&U) -> Handle<T>,
    make: impl Fn(Handle<T>) -> U,
) {
    let mut before: BTreeMap<ComponentId, U> =
        std::mem::take(known).into_iter().map(|it| (handle_of(&it).id(), it)).collect();
    let unit = |handle: Handle<T>| before.remove(&handle.id()).unwrap_or_else(|| make(handle));
    *known = model.iter::<T>().map(|(handle, _)| handle).map(unit).collect();
}

impl Instruments {
    /// Those of a model that comes to a run: nothing was measured yet.
    pub(super) fn clear(model: &mut Model) {
        let sensors: Vec<Handle<Sensor>> =
            model.iter::<Sensor>().map(|(handle, _)| handle).collect();
        for handle in sensors {
            if let Some(sensor) = model.data_mut(handle) {
                sensor.reading = None;
            }
        }
    }

    /// Forgets all that was measured.
    pub(super) fn forget(&mut self, model: &mut Model) {
        *self = Self::default();
        Self::clear(model);
    }

    /// Brings the lists up to date with the tree.
    fn follow(&mut self, model: &Model) {
        if self.stamp == Some(model.stamp) {
            return;
        }
        let count = |kind| model.store.count(kind);
        let none = [Kind::Sensor, Kind::PropertyController, Kind::Event].map(count) == [0; 3];
        if none {
            (self.sensors, self.controllers, self.events) = (Vec::new(), Vec::new(), Vec::new());
        } else {
            kept::<Sensor, _>(model, &mut self.sensors, |it| it.handle, SensorUnit::new);
            kept::<PropertyController, _>(
                model,
                &mut self.controllers,
                |it| it.handle,
                ControllerUnit::new,
            );
            kept::<Event, _>(model, &mut self.events, |it| it.handle, EventUnit::new);
            self.controllers.iter_mut().for_each(|it| it.input.forget());
            self.events.iter_mut().for_each(|it| it.when.forget());
        }
        self.stamp = Some(model.stamp);
    }

    /// True if the model has any.
    pub(super) fn are_there(&mut self, model: &Model) -> bool {
        self.follow(model);
        self.is_followed()
    }

    /// True if it knows what the model has.
    pub(super) fn is_followed(&self) -> bool {
        !(self.sensors.is_empty() && self.controllers.is_empty() && self.events.is_empty())
    }

    /// Before a step of this length [s]: first samples, and controllers.
    pub(super) fn before(&mut self, bench: &mut Bench<'_>, step: f64) -> Result<(), NamedError> {
        self.sensors.iter_mut().for_each(|it| it.begin(bench));
        for event in &mut self.events {
            event.begin(bench).map_err(|error| named(bench.model, event.handle, error))?;
        }
        for controller in &mut self.controllers {
            let done = controller.act(bench, step);
            done.map_err(|error| named(bench.model, controller.handle, error))?;
        }
        Ok(())
    }

    /// After a step: sensors sample.
    pub(super) fn sense(&mut self, bench: &mut Bench<'_>) {
        self.sensors.iter_mut().for_each(|it| it.sample(bench));
    }

    /// Events whose value crossed its threshold in the last step, in the order of the tree.
    pub(super) fn fired(&mut self, bench: &mut Bench<'_>) -> Result<Vec<Fired>, NamedError> {
        let mut fired = Vec::new();
        for event in &mut self.events {
            let it = event.look(bench).map_err(|error| named(bench.model, event.handle, error))?;
            fired.extend(it);
        }
        Ok(fired)
    }

    /// True if the value of an event is beyond its threshold, which it was not before the step.
    pub(super) fn crosses(&mut self, bench: &mut Bench<'_>) -> Result<bool, NamedError> {
        for event in &mut self.events {
            let crosses = event.crosses(bench);
            if crosses.map_err(|error| named(bench.model, event.handle, error))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Memories, as numbers, one list.
    pub(super) fn save(&self, numbers: &mut Vec<f64>) {
        self.sensors.iter().for_each(|it| it.save(numbers));
        self.controllers.iter().for_each(|it| it.save(numbers));
        self.events.iter().for_each(|it| it.save(numbers));
    }

    /// Takes them back.
    pub(super) fn restore(&mut self, model: &mut Model, numbers: &[f64]) {
        self.follow(model);
        let mut rest = numbers;
        for it in &mut self.sensors {
            it.restore(model, &mut rest);
        }
        self.controllers.iter_mut().for_each(|it| it.restore(&mut rest));
        self.events.iter_mut().for_each(|it| it.restore(&mut rest));
    }
}

fn named(model: &Model, id: impl Into<ComponentId>, error: InstrumentError) -> NamedError {
    (model.path(id.into()), Box::new(error))
}
