//! A model where it is now, and how readers of its properties are written.

use crate::Vec3;
use crate::component::ComponentId;
use crate::constraint::FrameMotion;
use crate::force::VelocityTerms;
use crate::model::{FrameSite, Model, PointRef};
use crate::property::{PropertyType, Value};
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

    /// Force [N] or moment [N m] of the support of a row along the axes that are fixed: it balances the other ones, those of
    /// constraints over the last step included, and changes the momentum of what is prescribed.
    pub(crate) fn reaction_at(&self, row: usize) -> Option<Vec3> {
        let fixed = self.compiled.fixed()[row];
        if fixed == [false; 3] {
            return Some(Vec3::zeros());
        }
        let mut forces = self.forces()?;
        self.compiled.add_constraint_forces(0..self.compiled.row_count(), self.state, &mut forces);
        self.compiled.reduce_forces(self.state, &mut forces);
        let own = self.state.prescribed.iter().filter(|it| it.row as usize == row);
        own.for_each(|it| forces[row] -= it.force);
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

/// Function that computes a property of a component.
pub(super) struct Reader {
    pub(super) name: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares it with the table"))]
    pub(super) value_type: PropertyType,
    pub(super) get: fn(&Simulated<'_>, ComponentId) -> Option<Value>,
}

/// Function that computes a property of a part of a tissue.
pub(super) struct PartReader {
    pub(super) name: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares it with the table"))]
    pub(super) value_type: PropertyType,
    pub(super) get: fn(&Simulated<'_>, ComponentId, usize) -> Option<Value>,
}

/// Readers of the components of a type: `"property": Type = function;` of a [`Simulated`] and a handle. With
/// `ComponentId` in the place of a type they are of any kind.
macro_rules! readers {
    ($visible:vis $name:ident: ComponentId { $($property:literal: $V:ty = $get:expr;)* }) => {
        $visible static $name: &[crate::simulated::view::Reader] = &[$(crate::simulated::view::Reader {
            name: $property,
            value_type: <$V as crate::property::PropertyValue>::TYPE,
            get: |s, id| {
                let get: fn(&Simulated<'_>, ComponentId) -> Option<$V> = $get;
                get(s, id).as_ref().map(crate::property::PropertyValue::to_value)
            },
        }),*];
    };
    ($visible:vis $name:ident: $T:ty { $($property:literal: $V:ty = $get:expr;)* }) => {
        $visible static $name: &[crate::simulated::view::Reader] = &[$(crate::simulated::view::Reader {
            name: $property,
            value_type: <$V as crate::property::PropertyValue>::TYPE,
            get: |s, id| {
                let get: fn(&Simulated<'_>, crate::component::Handle<$T>) -> Option<$V> = $get;
                get(s, id.typed()?).as_ref().map(crate::property::PropertyValue::to_value)
            },
        }),*];
    };
}

/// The same of parts of a tissue: functions of a [`Simulated`], the tissue and the number of the part.
macro_rules! part_readers {
    ($visible:vis $name:ident { $($property:literal: $V:ty = $get:expr;)* }) => {
        $visible static $name: &[crate::simulated::view::PartReader] = &[$(crate::simulated::view::PartReader {
            name: $property,
            value_type: <$V as crate::property::PropertyValue>::TYPE,
            get: |s, id, k| {
                let get: fn(&Simulated<'_>, Handle<FemModel>, usize) -> Option<$V> = $get;
                get(s, id.typed()?, k).as_ref().map(crate::property::PropertyValue::to_value)
            },
        }),*];
    };
}

pub(super) use {part_readers, readers};
