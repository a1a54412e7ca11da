//! Targets that are forces and moments: of joints, of constraints of points, of contacts. All are linear in the multipliers and the
//! forces of contacts that a state has, so that one function reads both values and responses.

use std::ops::Range;

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::component::{ComponentId, Handle};
use crate::inverse::TargetKind;
use crate::model::{Collider, CollisionBehavior, Model, PointConstrainer};
use crate::system::{CompiledModel, State};

/// A force in a compiled model.
pub(crate) enum PlacedForce {
    /// Of rows on a block row, with a sign.
    Rows { rows: Range<usize>, block: usize, sign: f64 },
    /// Moment of rows on a body, its first block row, about a point, with a sign.
    Moment { rows: Range<usize>, block: usize, sign: f64, about: Pivot },
    /// Of the contacts of a pair on its side A.
    Pair(Handle<CollisionBehavior>),
    /// Of all contacts on a collider.
    Collider(Handle<Collider>),
}

/// A point that moments are about.
pub(crate) enum Pivot {
    /// Of the body, from its centre of mass, in its frame [m].
    Body(Vec3),
    /// Of the world [m].
    World(Vec3),
}

impl PlacedForce {
    /// The force or moment of a target; `None` of another, and where it is not simulated.
    pub(super) fn of(model: &Model, compiled: &CompiledModel, kind: &TargetKind) -> Option<Self> {
        match kind {
            TargetKind::JointForce(joint) => Self::of_joint(model, compiled, *joint),
            TargetKind::JointMoment(joint) => Self::of_joint_moment(model, compiled, *joint),
            TargetKind::PointForce(constrainer) => Self::of_point(model, compiled, *constrainer),
            TargetKind::PairForce(behavior) => {
                let _ = compiled.contacts_of(*behavior, &State::default())?;
                Some(Self::Pair(*behavior))
            }
            TargetKind::ColliderForce(collider) => {
                let _ = compiled.contacts_on(*collider, &State::default())?;
                Some(Self::Collider(*collider))
            }
            TargetKind::Point(_)
            | TargetKind::Surface(..)
            | TargetKind::Origin(_)
            | TargetKind::Orientation(_)
            | TargetKind::Coordinate(_)
            | TargetKind::Sensor(_) => None,
        }
    }

    /// That of a joint on the body of its frame C, or against that of D where C is the ground.
    fn of_joint(model: &Model, compiled: &CompiledModel, joint: ComponentId) -> Option<Self> {
        let [c, d] = model.joint(joint)?.sides;
        let (body, sign) = match c.body {
            Some(body) => (body, 1.0),
            None => (d.body?, -1.0),
        };
        let block = compiled.body_rows(body)?.row as usize;
        Some(Self::Rows { rows: compiled.rows_of(joint)?, block, sign })
    }

    /// The moment of a joint on the same body, about the origin of its frame C.
    fn of_joint_moment(
        model: &Model,
        compiled: &CompiledModel,
        joint: ComponentId,
    ) -> Option<Self> {
        let [c, d] = model.joint(joint)?.sides;
        let origin = c.pose.translation.vector;
        let (body, sign) = match c.body {
            Some(body) => (body, 1.0),
            None => (d.body?, -1.0),
        };
        let body_rows = compiled.body_rows(body)?;
        let about = match c.body {
            Some(_) => Pivot::Body(origin - body_rows.inertia.center_of_mass()),
            None => Pivot::World(origin),
        };
        let (rows, block) = (compiled.rows_of(joint)?, body_rows.row as usize);
        Some(Self::Moment { rows, block, sign, about })
    }

    /// That of a constraint on its point.
    fn of_point(
        model: &Model,
        compiled: &CompiledModel,
        handle: Handle<PointConstrainer>,
    ) -> Option<Self> {
        let block = compiled.find_row(model.get(handle)?.point)?;
        Some(Self::Rows { rows: compiled.rows_of(handle)?, block, sign: 1.0 })
    }

    /// The force [N], or the moment [N m], by the multipliers and contacts of `state`.
    pub(super) fn value(&self, compiled: &CompiledModel, state: &State) -> Vec3 {
        match self {
            Self::Rows { rows, block, sign } => wrench(compiled, state, (rows, *block))[0] * *sign,
            Self::Moment { rows, block, sign, about } => {
                let [force, moment] = wrench(compiled, state, (rows, *block));
                let arm = match about {
                    Pivot::Body(from) => -(UnitQuaternion::new(state.q[block + 1]) * from),
                    Pivot::World(point) => state.q[*block] - point,
                };
                (moment + arm.cross(&force)) * *sign
            }
            Self::Pair(behavior) => {
                let contacts = compiled.contacts_of(*behavior, state);
                contacts.map_or_else(Vec3::zeros, |it| it.map(|contact| contact.force).sum())
            }
            Self::Collider(collider) => {
                compiled.contacts_on(*collider, state).map_or_else(Vec3::zeros, Iterator::sum)
            }
        }
    }
}

/// Force [N] of rows on a block row, and what is on the next, of a body its moment about the centre of mass [N m].
fn wrench(
    compiled: &CompiledModel,
    state: &State,
    (rows, block): (&Range<usize>, usize),
) -> [Vec3; 2] {
    let mut forces = vec![Vec3::zeros(); compiled.block_count()];
    compiled.add_constraint_forces(rows.clone(), state, &mut forces);
    [forces[block], forces.get(block + 1).copied().unwrap_or_else(Vec3::zeros)]
}

impl TargetKind {
    /// True if it is a force or a moment.
    pub fn is_force(&self) -> bool {
        match self {
            Self::JointForce(_)
            | Self::JointMoment(_)
            | Self::PointForce(_)
            | Self::PairForce(_)
            | Self::ColliderForce(_) => true,
            Self::Point(_)
            | Self::Surface(..)
            | Self::Origin(_)
            | Self::Orientation(_)
            | Self::Coordinate(_)
            | Self::Sensor(_) => false,
        }
    }

    /// True if it is a force or the reading of a sensor: asked for as it is, and not by its rate.
    pub fn is_reading(&self) -> bool {
        self.is_force() || matches!(self, Self::Sensor(_))
    }
}
