//! A coordinate of a joint, as couplings and actuators name it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Handle, Reference};
use crate::constraint::{CoordinateSpec, Quantity};
use crate::kinds::{CustomJoint, Joint};
use crate::property::{CheckError, Components, Problem, Put, Refusal};

/// A coordinate of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointCoordinate {
    /// The joint: of a kind, or a custom one.
    pub joint: ComponentId,
    /// Name of the coordinate (docs/reference/joints.md).
    pub coordinate: String,
}

const NO_JOINT: Refusal = Refusal::Value("it must lead to a joint");

impl JointCoordinate {
    /// A coordinate by name.
    pub fn new(joint: impl Into<ComponentId>, coordinate: impl Into<String>) -> Self {
        Self { joint: joint.into(), coordinate: coordinate.into() }
    }

    /// Its number in its joint; `None` when that is not there or has no such coordinate.
    pub fn index(&self, model: &dyn Components) -> Option<usize> {
        if let Some(joint) = self.joint.typed::<Joint>() {
            return model.get(joint)?.coordinate_index(&self.coordinate);
        }
        let specs = coordinate_specs(model, self.joint)?;
        specs.iter().position(|spec| spec.name == self.coordinate)
    }

    /// Its quantity; `None` where its joint is not there or has no such coordinate.
    pub fn quantity(&self, model: &dyn Components) -> Option<Quantity> {
        let at = self.index(model)?;
        coordinate_specs(model, self.joint)?.get(at).map(|spec| spec.quantity)
    }

    /// Path of one of its properties, `value`, `force` and such.
    pub fn property_path(&self, model: &dyn Components, property: &str) -> String {
        format!("{}:coordinate.{}.{property}", model.path(self.joint), self.coordinate)
    }

    /// Its value at the start [m or rad], of an angle that nearest to `near` or to zero; `None` where there is no such
    /// coordinate.
    pub(crate) fn start(&self, model: &dyn Components, near: Option<f64>) -> Option<f64> {
        let k = self.index(model)?;
        let of_kind = self.joint.typed::<Joint>().and_then(|joint| model.get(joint));
        let values = match of_kind {
            Some(joint) => joint.coordinates(model)?,
            None => {
                let functions = model.joint_functions(self.joint)?;
                model.get(self.joint.typed::<CustomJoint>()?)?.start(&functions, model)?
            }
        };
        let value = *values.get(k)?;
        let is_angle = self.quantity(model)? == Quantity::Angle;
        let turns = near.map_or(0.0, |near| ((near - value) / std::f64::consts::TAU).round());
        Some(if is_angle { value + turns * std::f64::consts::TAU } else { value })
    }

    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.joint));
    }

    pub(crate) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.joint = map(self.joint).unwrap_or(self.joint);
    }

    /// Takes another joint for it.
    pub(crate) fn put_joint(&mut self, to: &Address) -> Put {
        self.joint = joint_at(to)?;
        Ok(())
    }

    /// Checks that the joint is there and has the coordinate; `at` are the properties that name them.
    pub(crate) fn check(&self, model: &dyn Components, at: [&str; 2]) -> Result<(), CheckError> {
        let Some(specs) = coordinate_specs(model, self.joint) else {
            return Err(Problem::Missing(model.path(self.joint)).at(at[0]));
        };
        if self.index(model).is_some() {
            return Ok(());
        }
        let names: Vec<&str> = specs.iter().map(|spec| &*spec.name).collect();
        let (joint, names) = (model.path(self.joint), names.join(", "));
        Err(Problem::Coordinate { name: self.coordinate.clone(), joint, names }.at(at[1]))
    }
}

/// The joint at an address.
pub(crate) fn joint_at(address: &Address) -> Result<ComponentId, Refusal> {
    let Address::Component(id) = address else { return Err(NO_JOINT) };
    let joint = id.typed::<Joint>().is_some() || id.typed::<CustomJoint>().is_some();
    if joint { Ok(*id) } else { Err(NO_JOINT) }
}

/// The coordinates of a joint; `None` when it is not there.
fn coordinate_specs(
    model: &dyn Components,
    joint: ComponentId,
) -> Option<Cow<'_, [CoordinateSpec]>> {
    let of_kind = joint.typed::<Joint>().and_then(|joint: Handle<Joint>| model.get(joint));
    if let Some(joint) = of_kind {
        return Some(Cow::Borrowed(joint.settings.kind.coordinate_specs()));
    }
    Some(Cow::Owned(model.joint_functions(joint)?.coordinates.clone()))
}
