//! Numbers of a model that trajectories are differentiated by, and the systems on both sides of them.

use super::error::AdjointError;
use crate::model::Model;
use crate::property::{PropertyRef, PropertyType};
use crate::system::{CompiledModel, MechSystem, Refresh};

/// A number of a model: a property, or a component of one that is a vector; with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Path of the property, with `.x`, `.y` or `.z` behind it where it is a vector.
    pub path: String,
    /// One value for all steps, or one a step, as of an excitation.
    pub values: Vec<f64>,
}

impl Parameter {
    /// A number as it is in a model, for all steps.
    ///
    /// # Errors
    /// [`AdjointError::Property`] where there is none.
    pub fn constant(model: &Model, path: &str) -> Result<Self, AdjointError> {
        let value = Number::at(model, path)?.get(model)?;
        Ok(Self { path: path.to_owned(), values: vec![value] })
    }

    /// Its value in step number `step`, counted from 0.
    pub(super) fn at(&self, step: usize) -> f64 {
        self.values[if self.values.len() == 1 { 0 } else { step }]
    }
}

/// The place of a number among the properties of a model.
#[derive(Clone, Debug)]
pub(super) struct Number {
    property: PropertyRef,
    count: usize,
    axis: usize,
}

impl Number {
    pub(super) fn at(model: &Model, path: &str) -> Result<Self, AdjointError> {
        let axis = path.rsplit_once('.').and_then(|(rest, axis)| {
            Some((rest, ["x", "y", "z"].iter().position(|it| *it == axis)?))
        });
        if let Some((rest, axis)) = axis
            && let Ok(property) = model.property(rest)
            && property.info().value_type == PropertyType::Vector
        {
            return Ok(Self { property, count: 3, axis });
        }
        let property = model.property(path)?;
        // What is no single number is told by its own reader.
        model.get_real(&property)?;
        Ok(Self { property, count: 1, axis: 0 })
    }

    pub(super) fn get(&self, model: &Model) -> Result<f64, AdjointError> {
        let mut numbers = [0.0; 3];
        model.get_numbers(&self.property, &mut numbers[..self.count])?;
        Ok(numbers[self.axis])
    }

    pub(super) fn set(&self, model: &mut Model, value: f64) -> Result<(), AdjointError> {
        let mut numbers = [0.0; 3];
        let numbers = &mut numbers[..self.count];
        model.get_numbers(&self.property, numbers)?;
        if numbers[self.axis] != value {
            numbers[self.axis] = value;
            model.set_numbers(&self.property, numbers)?;
        }
        Ok(())
    }
}

/// Change of a number for differences, over its size [-], and at the end of its range, where differences are of one side.
const CHANGE: f64 = 1e-5;
const ONE_SIDED: f64 = 1e-7;
/// Size of a number that is zero.
const SMALL: f64 = 1.0;

/// A model with one of its numbers moved, compiled.
struct Side {
    model: Model,
    compiled: CompiledModel,
    by: f64,
}

/// A model with all its parameters, and the two sides of each.
pub(super) struct Systems {
    numbers: Vec<Number>,
    parameters: Vec<Parameter>,
    base: Side,
    sides: Vec<[Side; 2]>,
}

impl Systems {
    /// For the values of the first step; `sides` are made where they are asked for.
    pub(super) fn new(
        model: &Model,
        parameters: &[Parameter],
        with_sides: bool,
    ) -> Result<Self, AdjointError> {
        let mut model = model.clone();
        let mut numbers = Vec::new();
        for parameter in parameters {
            let number = Number::at(&model, &parameter.path)?;
            number.set(&mut model, parameter.at(0))?;
            numbers.push(number);
        }
        let base = Side::compile(model, None)?;
        let mut own = Self { numbers, parameters: parameters.to_vec(), base, sides: Vec::new() };
        for k in (0..parameters.len()).filter(|_| with_sides) {
            let sides = own.sides_of(k)?;
            own.sides.push(sides);
        }
        Ok(own)
    }

    /// The model.
    pub(super) fn compiled(&self) -> &CompiledModel {
        &self.base.compiled
    }

    /// The two sides of parameter number `k`, and their distance.
    pub(super) fn sides(&self, k: usize) -> ([&dyn MechSystem; 2], f64) {
        let [low, high] = &self.sides[k];
        ([&low.compiled, &high.compiled], high.by - low.by)
    }

    /// Compiles the sides of a number; at an end of its range one is the model itself.
    fn sides_of(&self, k: usize) -> Result<[Side; 2], AdjointError> {
        let Parameter { path, values } = &self.parameters[k];
        let largest = values.iter().fold(0f64, |most, value| most.max(value.abs()));
        let size = if largest > 0.0 { largest } else { SMALL };
        let allowed = |by: f64| {
            let mut model = self.base.model.clone();
            values.iter().all(|value| self.numbers[k].set(&mut model, value + by).is_ok())
        };
        let by = match [-1.0, 1.0].map(|sign| allowed(sign * CHANGE * size)) {
            [true, true] => [-CHANGE * size, CHANGE * size],
            [true, false] => [-ONE_SIDED * size, 0.0],
            [false, _] => [0.0, ONE_SIDED * size],
        };
        let made = by.map(|by| -> Result<Side, AdjointError> {
            let mut model = self.base.model.clone();
            let value = self.parameters[k].at(0) + by;
            self.numbers[k].set(&mut model, value)?;
            let mut side = Side::compile(model, Some((path, value)))?;
            side.by = by;
            let known = self.base.compiled.pattern();
            match side.compiled.pattern() == known {
                true => Ok(side),
                false => Err(AdjointError::Structure(path.clone())),
            }
        });
        let [low, high] = made;
        Ok([low?, high?])
    }

    /// Takes the values of step number `step`.
    pub(super) fn set_step(&mut self, step: usize) -> Result<(), AdjointError> {
        if self.parameters.iter().all(|it| it.values.len() == 1) {
            return Ok(());
        }
        let Self { numbers, parameters, base, sides } = self;
        let set = |side: &mut Side, moved: Option<usize>| -> Result<(), AdjointError> {
            for (k, (number, parameter)) in numbers.iter().zip(&*parameters).enumerate() {
                let by = if moved == Some(k) { side.by } else { 0.0 };
                number.set(&mut side.model, parameter.at(step) + by)?;
            }
            side.update()
        };
        set(base, None)?;
        for (k, sides) in sides.iter_mut().enumerate() {
            sides.iter_mut().try_for_each(|side| set(side, Some(k)))?;
        }
        Ok(())
    }
}

impl Side {
    fn compile(model: Model, of: Option<(&str, f64)>) -> Result<Self, AdjointError> {
        let compiled = model.compile().map_err(|error| {
            let (path, value) = of.unwrap_or(("the start", 0.0));
            AdjointError::Parameter { path: path.to_owned(), value, error: Box::new(error) }
        })?;
        Ok(Self { model, compiled, by: 0.0 })
    }

    fn update(&mut self) -> Result<(), AdjointError> {
        let Self { model, compiled, .. } = self;
        if model.staleness(compiled) == Refresh::Recompiled {
            return Err(AdjointError::Structure("a parameter with a value a step".to_owned()));
        }
        model.update_parameters(compiled).map_err(|error| AdjointError::Parameter {
            path: "a parameter with a value a step".to_owned(),
            value: self.by,
            error: Box::new(error),
        })
    }
}
