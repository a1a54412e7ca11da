//! Properties of a simulation: what a model, its compiled form and a state say together.

use super::{Access, PropertyError, PropertyRef, Value, inherit::Place, parts};
use crate::Vec3;
use crate::component::{Address, Kind, ModelComponent, for_kind};
use crate::force::VelocityTerms;
use crate::model::{Model, PointRef};
use crate::system::{CompiledModel, LoadCase, MechSystem, Motion, State};

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
        if !self.model.has_property(property) {
            return Err(self.model.gone(property));
        }
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
        let why = "it has none in this state, or is not part of the compiled model";
        value.ok_or_else(|| self.model.absent(property, why))
    }

    /// Writes the [numbers](Value::numbers) of a property now into `numbers`.
    ///
    /// # Errors
    /// As [`Self::get_property`]; [`PropertyError::Count`] where they are fewer or more than there is
    /// room for.
    pub fn get_numbers(
        &self,
        property: &PropertyRef,
        numbers: &mut [f64],
    ) -> Result<(), PropertyError> {
        let value = self.get_property(property)?;
        self.model.copy_numbers(property, &value, numbers)
    }

    /// Position and velocity of a particle.
    fn moving(&self, property: &PropertyRef) -> Option<Value> {
        let Address::Component(id) = property.host() else { return None };
        if id.kind() != Kind::Particle {
            return None;
        }
        let (position, velocity) = self.motion(PointRef::Particle(id.typed()?))?;
        match property.info().name {
            "position" => Some(Value::Vector(position)),
            "velocity" => Some(Value::Vector(velocity)),
            _ => None,
        }
    }

    /// Row of a point; `None` when it was not compiled.
    pub(crate) fn row(&self, point: PointRef) -> Option<usize> {
        self.compiled.find_row(point)
    }

    /// Position and velocity of a point.
    pub(crate) fn motion(&self, point: PointRef) -> Option<(Vec3, Vec3)> {
        let row = self.row(point)?;
        Some((*self.state.q.get(row)?, *self.state.u.get(row)?))
    }

    /// Mass of a row [kg].
    pub(crate) fn mass(&self, row: usize) -> f64 {
        self.compiled.masses()[row]
    }

    /// Position of a point minus that at rest [m].
    pub(crate) fn displacement(&self, point: PointRef) -> Option<Vec3> {
        Some(self.motion(point)?.0 - self.compiled.rest_positions()[self.row(point)?])
    }

    /// Linear momentum of a point [kg m/s].
    pub(crate) fn momentum(&self, point: PointRef) -> Option<Vec3> {
        Some(self.motion(point)?.1 * self.mass(self.row(point)?))
    }

    /// Energy of motion of a point [J].
    pub(crate) fn kinetic_energy(&self, point: PointRef) -> Option<f64> {
        Some(0.5 * self.mass(self.row(point)?) * self.motion(point)?.1.norm_squared())
    }

    /// Sum of the forces on a point but for that of its support [N].
    pub(crate) fn force(&self, point: PointRef) -> Option<Vec3> {
        let row = self.row(point)?;
        let mut forces = vec![Vec3::zeros(); self.compiled.block_count()];
        let motion = Motion::now(self.state);
        let (load, terms) = (LoadCase::at(self.state.time), VelocityTerms::Included);
        self.compiled.forces(load, motion, terms, &mut forces).ok()?;
        Some(forces[row])
    }

    /// Force of the support of a point [N]: it balances the other forces along the axes that are
    /// held.
    pub(crate) fn reaction(&self, point: PointRef) -> Option<Vec3> {
        let held = self.compiled.held()[self.row(point)?];
        let force = self.force(point)?;
        Some(Vec3::from_fn(|axis, _| if held[axis] { -force[axis] } else { 0.0 }))
    }
}
