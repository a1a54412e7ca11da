//! An excitation that is found: its component, its bounds, its weight.

use crate::component::{Address, ComponentId, Kind};
use crate::inverse::InverseError;
use crate::model::{
    AxialSpring, CoordinateActuator, Model, MultiPointSpring, MuscleBundle, MuscleExciter,
};
use crate::property::{PropertyError, PropertyRef};

/// An excitation that a controller sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackedExcitation {
    /// A muscle, a bundle of a tissue, an exciter, an actuator, or a load on a point or a body.
    pub component: ComponentId,
    /// Least value [-].
    pub lower: f64,
    /// Greatest value [-].
    pub upper: f64,
    /// Factor of its square in the regularization [-]: 1 over the area of a muscle prefers strong ones.
    pub weight: f64,
}

impl TrackedExcitation {
    /// The excitation of a component, from 0 to 1, of an actuator or a load from -1 to 1.
    pub fn new(component: impl Into<ComponentId>) -> Self {
        let component = component.into();
        let lower = match component.kind() {
            Kind::CoordinateActuator | Kind::PointLoad | Kind::FrameLoad => -1.0,
            _ => 0.0,
        };
        Self { component, lower, upper: 1.0, weight: 1.0 }
    }

    /// That of the component at a path, or of the property `excitation` there.
    ///
    /// # Errors
    /// [`InverseError::Property`]; [`InverseError::Excitation`] where it has none.
    pub fn at(model: &Model, path: &str) -> Result<Self, InverseError> {
        let path = path.strip_suffix(":excitation").unwrap_or(path);
        match model.find(path).map_err(PropertyError::from)? {
            Address::Component(id) => {
                let own = Self::new(id);
                own.property(model)?;
                Ok(own)
            }
            _ => Err(InverseError::Excitation(path.to_owned())),
        }
    }

    /// Those of all muscles of a model: point to point, through several points, in tissue; and of all actuators.
    pub fn muscles(model: &Model) -> Vec<Self> {
        let springs = model.iter::<AxialSpring>().filter(|(_, it)| it.material.is_muscle());
        let lines = model.iter::<MultiPointSpring>().filter(|(_, it)| it.material.is_muscle());
        let mut ids: Vec<ComponentId> = springs.map(|(handle, _)| handle.id()).collect();
        ids.extend(lines.map(|(handle, _)| handle.id()));
        ids.extend(model.iter::<MuscleBundle>().map(|(handle, _)| handle.id()));
        ids.extend(model.iter::<CoordinateActuator>().map(|(handle, _)| handle.id()));
        ids.into_iter().map(Self::new).collect()
    }

    /// Those of all exciters of a model.
    pub fn exciters(model: &Model) -> Vec<Self> {
        model.iter::<MuscleExciter>().map(|(handle, _)| Self::new(handle)).collect()
    }

    /// The property that is set.
    ///
    /// # Errors
    /// [`InverseError::Excitation`] where the component has none.
    pub fn property(&self, model: &Model) -> Result<PropertyRef, InverseError> {
        let none = || InverseError::Excitation(model.path(self.component));
        let excited = matches!(
            self.component.kind(),
            Kind::AxialSpring
                | Kind::MultiPointSpring
                | Kind::MuscleBundle
                | Kind::MuscleExciter
                | Kind::CoordinateActuator
                | Kind::PointLoad
                | Kind::FrameLoad
        );
        if !excited {
            return Err(none());
        }
        model.property_of(self.component, "excitation").map_err(|_| none())
    }

    /// Checks bounds and weight.
    pub(super) fn check(&self) -> Result<(), InverseError> {
        let bad = |name, must, value| Err(InverseError::Number { name, must, value });
        if !(self.lower.is_finite() && self.upper.is_finite() && self.lower <= self.upper) {
            return bad("lower", "finite and at most the upper bound", self.lower);
        }
        if !(self.weight.is_finite() && self.weight >= 0.0) {
            return bad("weight", "finite and >= 0", self.weight);
        }
        Ok(())
    }
}
