//! Probes that feed values over time into properties.

use super::callback::CallbackError;
use super::motion::Moving;
use super::prescribed::{INNER, Means, Way, inner_share};
use super::{Simulation, SimulationError};
use crate::component::ComponentId;
use crate::property::PropertyRef;

/// Values over time: a table, a function, a device.
pub trait Signal: Send {
    /// Writes the values for the step between two times [s] into `values`; `false`, and the properties
    /// are left as they are, where it has none then.
    ///
    /// # Errors
    /// Whatever ends the run, such as a file that cannot be read on.
    fn sample(&mut self, step: [f64; 2], values: &mut [f64]) -> Result<bool, CallbackError>;

    /// Writes the values at a time [s] between those of the ends of a step into `values`; `false` where what is between them
    /// is no curve with a velocity, and what the signal prescribes then moves evenly over the step.
    ///
    /// # Errors
    /// As [`Self::sample`].
    fn within(&mut self, time: f64, values: &mut [f64]) -> Result<bool, CallbackError> {
        let _ = (time, values);
        Ok(false)
    }

    /// The next time after `time` [s] at which a step should end; `None` where any will do.
    fn next_knot(&mut self, time: f64) -> Option<f64> {
        let _ = time;
        None
    }

    /// Times of its begin and end [s]; infinite where it has none.
    fn span(&self) -> [f64; 2] {
        [f64::NEG_INFINITY, f64::INFINITY]
    }

    /// Appends the numbers on which its next values depend beside the time.
    fn save(&self, numbers: &mut Vec<f64>) {
        let _ = numbers;
    }

    /// Takes back the numbers that [`Self::save`] gave.
    fn restore(&mut self, numbers: &[f64]) {
        let _ = numbers;
    }
}

/// A closure of the time at the end of the step [s], and within it where it prescribes a motion: a curve of the time alone.
impl<F: FnMut(f64, &mut [f64]) + Send> Signal for F {
    fn sample(&mut self, step: [f64; 2], values: &mut [f64]) -> Result<bool, CallbackError> {
        self(step[1], values);
        Ok(true)
    }

    fn within(&mut self, time: f64, values: &mut [f64]) -> Result<bool, CallbackError> {
        self(time, values);
        Ok(true)
    }
}

/// Feeds a signal into properties before every step.
pub struct InputProbe {
    /// Stands in errors.
    pub name: String,
    /// True if it feeds.
    pub enabled: bool,
    /// The component that describes it.
    component: Option<ComponentId>,
    properties: Vec<PropertyRef>,
    signal: Box<dyn Signal>,
    values: Vec<f64>,
    /// Values at the inner times of a step, of what is prescribed along a curve.
    inner: [Vec<f64>; INNER],
}

impl InputProbe {
    /// Feeds `signal` into `properties`: their numbers in a row are its values.
    ///
    /// # Errors
    /// The first property that is not of a fixed count of numbers, or can only be read.
    pub fn new(
        name: impl Into<String>,
        properties: Vec<PropertyRef>,
        signal: Box<dyn Signal>,
    ) -> Result<Self, PropertyRef> {
        let mut count = 0;
        for property in &properties {
            let info = property.info();
            match info.value_type.numeric_size() {
                Some(size) if !info.read_only => count += size,
                _ => return Err(*property),
            }
        }
        let values = vec![0.0; count];
        let (component, inner) = (None, std::array::from_fn(|_| values.clone()));
        Ok(Self { name: name.into(), enabled: true, component, properties, signal, values, inner })
    }

    /// The component that it was made of; `None` where it was added by code.
    pub fn component(&self) -> Option<ComponentId> {
        self.component
    }

    pub(super) fn set_component(&mut self, id: ComponentId) {
        self.component = Some(id);
    }

    /// Properties that it feeds.
    pub fn properties(&self) -> &[PropertyRef] {
        &self.properties
    }

    /// Number of values that it takes.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// Times at which its signal begins and ends [s]; infinite where it does not.
    pub fn span(&self) -> [f64; 2] {
        self.signal.span()
    }

    pub(super) fn signal(&mut self) -> &mut dyn Signal {
        &mut *self.signal
    }

    pub(super) fn save(&self, numbers: &mut Vec<f64>) {
        self.signal.save(numbers);
    }

    /// Puts what it prescribes by these means where it has it at the start of the first step; `false` where it prescribes
    /// nothing so.
    pub(super) fn place(
        &mut self,
        simulation: &mut Simulation,
        step: [f64; 2],
        by: Means,
    ) -> Result<bool, SimulationError> {
        let model = simulation.model();
        let prescribes = |it: &PropertyRef| simulation.means_for(it) == Some(by);
        let is_there = self.properties.iter().all(|it| model.has_property(it));
        if !self.enabled || !is_there || !self.properties.iter().any(prescribes) {
            return Ok(false);
        }
        let (mut memory, mut start) = (Vec::new(), vec![0.0; self.values.len()]);
        self.signal.save(&mut memory);
        let name = self.name.clone();
        let named =
            |source| SimulationError::Callback { name: name.clone(), time: step[0], source };
        let begun = self.signal.sample([step[0]; 2], &mut start).map_err(named)?;
        let is_curved = begun && self.look_within(step)?;
        let begun = begun && self.signal.sample(step, &mut self.values).map_err(named)?;
        self.signal.restore(&memory);
        let mut from = 0;
        for property in self.properties.iter().filter(|_| begun) {
            let size = property.info().value_type.numeric_size().unwrap_or(0);
            let range = from..from + size;
            from += size;
            if simulation.means_for(property) != Some(by) {
                continue;
            }
            let start = &start[range.clone()];
            if by == Means::Lock {
                simulation.feed(property, start)?;
            }
            simulation.prescribe(property, self.way(Some(start), is_curved, range), step)?;
        }
        Ok(begun)
    }

    /// Sets properties of the model to the values at the start of a run [s], for those who read them before the first step.
    /// Where parts are and how they move is left to [`Self::place`] and to the step.
    pub(super) fn begin(
        &mut self,
        simulation: &mut Simulation,
        time: f64,
    ) -> Result<(), SimulationError> {
        let model = simulation.model();
        if !self.enabled || !self.properties.iter().all(|it| model.has_property(it)) {
            return Ok(());
        }
        let mut memory = Vec::new();
        self.signal.save(&mut memory);
        let name = self.name.clone();
        let named = |source| SimulationError::Callback { name: name.clone(), time, source };
        let begun = self.signal.sample([time; 2], &mut self.values).map_err(named)?;
        self.signal.restore(&memory);
        let mut from = 0;
        for property in self.properties.iter().filter(|_| begun) {
            let size = property.info().value_type.numeric_size().unwrap_or(0);
            let values = &self.values[from..from + size];
            from += size;
            let moves = Moving::of(simulation.model(), property).is_some();
            if !moves && simulation.means_for(property).is_none() {
                let fed = simulation.feed(property, values);
                fed.map_err(|source| named(Box::new(source)))?;
            }
        }
        Ok(())
    }

    /// Samples the signal at the inner times of a step [s]; `false` where it is no curve in it.
    fn look_within(&mut self, [start, end]: [f64; 2]) -> Result<bool, SimulationError> {
        for (k, values) in self.inner.iter_mut().enumerate() {
            let time = start + (end - start) * inner_share(k);
            let sampled = self.signal.within(time, values).map_err(|source| {
                SimulationError::Callback { name: self.name.clone(), time: start, source }
            });
            if !sampled? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Values of a property, a range of those at hand, over a step.
    fn way<'a>(
        &'a self,
        start: Option<&'a [f64]>,
        is_curved: bool,
        range: std::ops::Range<usize>,
    ) -> Way<'a> {
        let inner = self.inner.each_ref().map(|values| &values[range.clone()]);
        Way { start, inner: is_curved.then_some(inner), end: &self.values[range] }
    }

    /// Sets the properties for the step between two times [s].
    pub(super) fn apply(
        &mut self,
        simulation: &mut Simulation,
        step: [f64; 2],
    ) -> Result<(), SimulationError> {
        // What was deleted is not fed; it may come back.
        let model = simulation.model();
        if !self.enabled || !self.properties.iter().all(|it| model.has_property(it)) {
            return Ok(());
        }
        let prescribes = |it: &PropertyRef| simulation.means_for(it).is_some();
        let is_curved = self.properties.iter().any(prescribes) && self.look_within(step)?;
        let time = step[0];
        let named = |source| SimulationError::Callback { name: self.name.clone(), time, source };
        if !self.signal.sample(step, &mut self.values).map_err(named)? {
            return Ok(());
        }
        let mut from = 0;
        for property in &self.properties {
            let size = property.info().value_type.numeric_size().unwrap_or(0);
            let way = self.way(None, is_curved, from..from + size);
            let fed = simulation.prescribe(property, way, step).and_then(|done| match done {
                true => Ok(()),
                false => simulation.feed(property, way.end),
            });
            fed.map_err(|source| SimulationError::Callback {
                name: self.name.clone(),
                time,
                source: Box::new(source),
            })?;
            from += size;
        }
        Ok(())
    }
}
