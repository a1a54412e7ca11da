//! Targets that are forces: of joints, of constraints of points, of contacts. All are linear in the multipliers and the
//! forces of contacts that a state has, so that one function reads both values and responses.

use std::ops::Range;

use crate::Vec3;
use crate::component::Handle;
use crate::inverse::TargetKind;
use crate::model::{Collider, CollisionBehavior, Joint, Model, PointConstrainer};
use crate::system::{CompiledModel, State};

/// A force in a compiled model.
pub(crate) enum PlacedForce {
    /// Of rows on a block row, with a sign.
    Rows { rows: Range<usize>, block: usize, sign: f64 },
    /// Of the contacts of a pair on its side A.
    Pair(Handle<CollisionBehavior>),
    /// Of all contacts on a collider.
    Collider(Handle<Collider>),
}

impl PlacedForce {
    /// That of a joint on the body of its frame C, or against that of D where C is the ground.
    pub(super) fn of_joint(
        model: &Model,
        compiled: &CompiledModel,
        handle: Handle<Joint>,
    ) -> Option<Self> {
        let joint = model.get(handle)?;
        let (body, sign) = match joint.c.body {
            Some(body) => (body, 1.0),
            None => (joint.d.body?, -1.0),
        };
        let block = compiled.body_rows(body)?.row as usize;
        Some(Self::Rows { rows: compiled.rows_of(handle)?, block, sign })
    }

    /// That of a constraint on its point.
    pub(super) fn of_point(
        model: &Model,
        compiled: &CompiledModel,
        handle: Handle<PointConstrainer>,
    ) -> Option<Self> {
        let block = compiled.find_row(model.get(handle)?.point)?;
        Some(Self::Rows { rows: compiled.rows_of(handle)?, block, sign: 1.0 })
    }

    /// The force by the multipliers and contacts of `state` [N].
    pub(super) fn value(&self, compiled: &CompiledModel, state: &State) -> Vec3 {
        match self {
            Self::Rows { rows, block, sign } => {
                let mut forces = vec![Vec3::zeros(); compiled.block_count()];
                compiled.add_constraint_forces(rows.clone(), state, &mut forces);
                forces[*block] * *sign
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

impl TargetKind {
    /// True if it is a force.
    pub fn is_force(&self) -> bool {
        match self {
            Self::JointForce(_)
            | Self::PointForce(_)
            | Self::PairForce(_)
            | Self::ColliderForce(_) => true,
            Self::Point(_)
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
