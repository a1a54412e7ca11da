//! Properties that are looked up once, and read and set together in one call.

use pyo3::prelude::*;
use sinew::model::Model;
use sinew::property::PropertyRef;
use sinew::schedule::Simulation;

use crate::errors::{PropertyError, raise};

/// Properties of numbers, one after the other.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct PropertyList {
    properties: Vec<PropertyRef>,
    /// Place of the first number of each, and the end of the last.
    places: Vec<usize>,
}

impl PropertyList {
    /// Those at these paths.
    pub(crate) fn of(model: &Model, paths: &[String]) -> PyResult<Self> {
        let (mut properties, mut places) = (Vec::with_capacity(paths.len()), vec![0]);
        let mut end = 0;
        for path in paths {
            let property = raise(model.property(path))?;
            let size = property.info().value_type.numeric_size().ok_or_else(|| {
                PropertyError::new_err(format!("{path} is no fixed count of numbers"))
            })?;
            end += size;
            properties.push(property);
            places.push(end);
        }
        Ok(Self { properties, places })
    }

    pub(crate) fn properties(&self) -> &[PropertyRef] {
        &self.properties
    }

    /// Count of all numbers.
    pub(crate) fn width(&self) -> usize {
        self.places.last().copied().unwrap_or_default()
    }

    /// Their numbers now.
    pub(crate) fn read(&self, simulation: &mut Simulation) -> PyResult<Vec<f64>> {
        let mut numbers = Vec::with_capacity(self.width());
        for property in &self.properties {
            numbers.extend(raise(simulation.get(property))?.numbers());
        }
        Ok(numbers)
    }

    /// Sets them to these numbers.
    pub(crate) fn write(&self, simulation: &mut Simulation, numbers: &[f64]) -> PyResult<()> {
        if numbers.len() != self.width() {
            let (expected, given) = (self.width(), numbers.len());
            let why = format!("the properties are {expected} numbers, not {given}");
            return Err(PropertyError::new_err(why));
        }
        for (property, pair) in self.properties.iter().zip(self.places.windows(2)) {
            raise(simulation.feed(property, &numbers[pair[0]..pair[1]]))?;
        }
        Ok(())
    }
}

#[pymethods]
impl PropertyList {
    /// Count of all numbers.
    #[getter]
    fn size(&self) -> usize {
        self.width()
    }

    /// Place of the first number of each property, and the end of the last.
    #[getter]
    fn places(&self) -> Vec<usize> {
        self.places.clone()
    }
}
