//! Properties of a simulation: what a model, its compiled form and a state say together.

use super::{Access, PropertyError, PropertyRef, Value, inherit::Place, parts};
use crate::Vec3;
use crate::component::{Address, Handle, Kind, ModelComponent, for_kind};
use crate::model::{FemModel, Model, PointRef};
use crate::system::{CompiledModel, MechSystem, State};

/// A model where it is now.
#[derive(Clone, Copy)]
pub struct Simulated<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its compiled form.
    pub compiled: &'a CompiledModel,
    /// Where it is.
    pub state: &'a State,
}

impl Simulated<'_> {
    /// The value of a property now: positions and velocities are those of the state.
    ///
    /// # Errors
    /// As [`Model::get_property`]; [`PropertyError::Absent`] for what was not compiled.
    pub fn get_property(&self, property: &PropertyRef) -> Result<Value, PropertyError> {
        if let Some(value) = self.moving(property) {
            return Ok(value);
        }
        if !property.info().simulated {
            return self.model.get_property(property);
        }
        let value = match property.host() {
            Address::Component(id) => match Place::of(id.kind(), property.row) {
                Place::Own(row) => for_kind!(id.kind(), T => match &T::properties()[row].access {
                    Access::Simulated(get) => id.typed().and_then(|handle| get(self, handle)),
                    _ => None,
                }),
                _ => None,
            },
            _ => parts::simulated(self, property),
        };
        let why = "the component is not part of the compiled model";
        value.ok_or_else(|| self.model.absent(property, why))
    }

    /// Position and velocity of a particle.
    fn moving(&self, property: &PropertyRef) -> Option<Value> {
        let Address::Component(id) = property.host() else { return None };
        if id.kind() != Kind::Particle {
            return None;
        }
        let row = self.row(PointRef::Particle(id.typed()?))?;
        let field = match property.info().name {
            "position" => &self.state.q,
            "velocity" => &self.state.u,
            _ => return None,
        };
        field.get(row).map(|v| Value::Vector(*v))
    }

    /// Row of a point; `None` when it was not compiled.
    pub(crate) fn row(&self, point: PointRef) -> Option<usize> {
        self.compiled.find_row(point)
    }

    pub(crate) fn node(&self, fem: Handle<FemModel>, node: usize) -> Option<usize> {
        self.row(PointRef::FemNode(fem, u32::try_from(node).ok()?))
    }

    /// Mass of a row [kg].
    pub(crate) fn mass(&self, row: usize) -> f64 {
        self.compiled.masses()[row]
    }
}
