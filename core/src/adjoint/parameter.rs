//! Numbers of a model that trajectories are differentiated by.

use super::error::AdjointError;
use crate::component::{Address, ComponentId, FemPart, Handle};
use crate::model::{FemModel, Model, PointRef};
use crate::property::{PropertyRef, PropertyType};

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

    /// The rest positions of all nodes of a tissue, x, y and z of the first node first: its rest shape.
    pub fn rest_shape(model: &Model, tissue: Handle<FemModel>) -> Vec<Self> {
        let mut parameters = Vec::new();
        let nodes = model.get(tissue).map_or(&[][..], |fem| &fem.mesh.nodes);
        for (node, x) in nodes.iter().enumerate() {
            let host = model.path(FemPart::Nodes.address(tissue, node as u32));
            for (axis, value) in ["x", "y", "z"].iter().zip(x.iter()) {
                let path = format!("{host}:{REST_POSITION}.{axis}");
                parameters.push(Self { path, values: vec![*value] });
            }
        }
        parameters
    }

    /// Its value in step number `step`, counted from 0.
    pub(super) fn at(&self, step: usize) -> f64 {
        self.values[if self.values.len() == 1 { 0 } else { step }]
    }
}

/// Name of the property of nodes that the rest shape of a tissue consists of.
const REST_POSITION: &str = "rest_position";
/// Name of the property of muscles, actuators and exciters by which they are excited.
const EXCITATION: &str = "excitation";

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

    /// The node whose rest position it belongs to.
    pub(super) fn rest_node(&self) -> Option<PointRef> {
        match self.property.host() {
            at @ Address::Node(..) if self.property.info().name == REST_POSITION => {
                PointRef::at(at)
            }
            _ => None,
        }
    }

    /// The component whose excitation it is.
    pub(super) fn excited(&self) -> Option<ComponentId> {
        match self.property.host() {
            Address::Component(id) if self.property.info().name == EXCITATION => Some(id),
            _ => None,
        }
    }

    /// Largest of the numbers of the same unit beside it in its component, where it has a unit and one is not zero: the size of a
    /// number that is zero.
    pub(super) fn size_beside(&self, model: &Model) -> Option<f64> {
        let Address::Component(id) = self.property.host() else { return None };
        let unit = Some(self.property.info().unit).filter(|unit| !["", "-"].contains(unit))?;
        let alike = model.properties(id).into_iter().filter(|it| it.info().unit == unit);
        let sizes = alike.filter_map(|it| model.get_real(&it).ok()).map(f64::abs);
        let largest = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
        (largest > 0.0).then_some(largest)
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
