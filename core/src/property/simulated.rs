//! Properties of a simulation: what a model, its compiled form and a state say together.

use super::{Access, PropertyError, PropertyRef, Value, inherit::PropertyRow, parts};
use crate::Vec3;
use crate::component::{Address, Kind, ModelComponent, for_kind};
use crate::constraint::FrameMotion;
use crate::force::VelocityTerms;
use crate::model::{FrameSite, Model, PointRef, joint_now, pose_now};
use crate::state::{LoadCase, Motion, State};
use crate::system::{CompiledModel, MechSystem};

/// A model where it is now.
#[derive(Clone, Copy)]
pub struct Simulated<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its compiled form.
    pub compiled: &'a CompiledModel,
    /// State of the model.
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
            Address::Component(id) => match PropertyRow::of(id.kind(), property.row) {
                PropertyRow::Own(row) => {
                    for_kind!(id.kind(), T => match &T::properties()[row].access {
                        Access::Simulated(get) => id.typed().and_then(|handle| get(self, handle)),
                        _ => None,
                    })
                }
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

    /// What a model has of its start, and a simulation of now: places and velocities of particles,
    /// markers and bodies, coordinates and errors of joints.
    fn moving(&self, property: &PropertyRef) -> Option<Value> {
        let Address::Component(id) = property.host() else { return None };
        let name = property.info().name;
        let point = match id.kind() {
            Kind::Particle | Kind::FrameMarker => PointRef::at(id.into())?,
            Kind::RigidBody => return pose_now(self, id.typed()?, name),
            Kind::Joint => return joint_now(self, id.typed()?, name),
            _ => return None,
        };
        let (position, velocity) = self.motion(point)?;
        match name {
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

    /// Mass of a row [kg], whatever that is attached to.
    pub(crate) fn mass(&self, row: usize) -> f64 {
        self.compiled.own_mass(row)
    }

    /// A frame with the motion of its body; `None` when that was not compiled.
    pub(crate) fn frame(&self, site: &FrameSite) -> Option<FrameMotion> {
        let Some(body) = site.body else { return Some(FrameMotion::ground(site.pose)) };
        let (pose, _, angular_velocity) = self.compiled.body_motion(body, self.state)?;
        let row = self.compiled.body_rows(body)?.row as usize;
        let (centre, velocity) = (self.state.q[row], self.state.u[row]);
        Some(FrameMotion { pose: pose * site.pose, centre, velocity, angular_velocity })
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

    /// All forces by row [N], [N m], without those of supports and constraints; those on attached points
    /// stand at these.
    fn forces(&self) -> Option<Vec<Vec3>> {
        let mut forces = vec![Vec3::zeros(); self.compiled.block_count()];
        let motion = Motion::now(self.state);
        let (load, terms) = (LoadCase::at(self.state.time), VelocityTerms::Included);
        self.compiled.forces(load, motion, terms, &mut forces).ok()?;
        Some(forces)
    }

    /// Sum of the forces on a row and on what follows it, without those of supports and constraints
    /// [N], [N m]; of an attached point, those on itself.
    pub(crate) fn force_at(&self, row: usize) -> Option<Vec3> {
        let mut forces = self.forces()?;
        if !self.compiled.is_attached(row) {
            self.compiled.reduce_forces(self.state, &mut forces);
        }
        Some(forces[row])
    }

    /// Force [N] or moment [N m] of the support of a row: it balances the other ones, those of
    /// constraints over the last step included, along the axes that are fixed.
    pub(crate) fn reaction_at(&self, row: usize) -> Option<Vec3> {
        let fixed = self.compiled.fixed()[row];
        if fixed == [false; 3] {
            return Some(Vec3::zeros());
        }
        let mut forces = self.forces()?;
        self.compiled.add_constraint_forces(0..self.compiled.row_count(), self.state, &mut forces);
        self.compiled.reduce_forces(self.state, &mut forces);
        Some(Vec3::from_fn(|axis, _| if fixed[axis] { -forces[row][axis] } else { 0.0 }))
    }

    /// Sum of the forces on a point but for those of its support and of constraints [N].
    pub(crate) fn force(&self, point: PointRef) -> Option<Vec3> {
        self.force_at(self.row(point)?)
    }

    /// Force of the support of a point [N].
    pub(crate) fn reaction(&self, point: PointRef) -> Option<Vec3> {
        self.reaction_at(self.row(point)?)
    }
}
