//! The parts of a world, and their identities, which are never used twice.

use std::any::Any;

use serde::{Deserialize, Serialize};

use super::{Feedback, WorldError};
use crate::interactive::behaviours::Behaviour;
use crate::interactive::graph::{BlockId, Port};
use crate::interactive::objects::PhysicalObject;

/// An object of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub(super) u32);

/// A constraint of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstraintId(pub(super) u32);

/// A behaviour of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BehaviourId(pub(super) u32);

/// Order of the motion of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// f = m v: it stops when forces do.
    First,
    /// f = m a.
    #[default]
    Second,
}

/// Kind of the rows of a constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Outputs are 0.
    #[default]
    Equal,
    /// Outputs are not negative.
    NotNegative,
}

pub(super) struct ObjectPart {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) object: Box<dyn PhysicalObject>,
    pub(super) order: Order,
    pub(super) block: BlockId,
    pub(super) states: usize,
    pub(super) velocities: usize,
}

pub(super) struct ConstraintPart {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) ports: Vec<Port>,
    pub(super) kind: ConstraintKind,
    pub(super) feedback: Feedback,
}

pub(super) struct BehaviourPart {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) behaviour: Box<dyn Behaviour>,
    pub(super) ports: Vec<Port>,
}

impl BehaviourPart {
    pub(super) fn as_any_mut(&mut self) -> &mut dyn Any {
        self.behaviour.as_mut()
    }
}

/// Parts that have an identity and a name.
pub(super) trait Part {
    /// The word for errors.
    const WORD: &'static str;
    fn id(&self) -> u32;
    fn name(&self) -> &str;
}

macro_rules! part {
    ($type:ty, $word:literal) => {
        impl Part for $type {
            const WORD: &'static str = $word;
            fn id(&self) -> u32 {
                self.id
            }
            fn name(&self) -> &str {
                &self.name
            }
        }
    };
}
part!(ObjectPart, "object");
part!(ConstraintPart, "constraint");
part!(BehaviourPart, "behaviour");

/// Place of a part in its list, which is in the order of identities.
pub(super) fn place_of<P: Part>(parts: &[P], id: u32) -> Result<usize, WorldError> {
    parts.binary_search_by_key(&id, P::id).map_err(|_| WorldError::Gone(P::WORD))
}

/// Refuses a name that another part of the list has.
pub(super) fn check_name<P: Part>(parts: &[P], name: &str) -> Result<(), WorldError> {
    match parts.iter().any(|part| part.name() == name) {
        true => Err(WorldError::Taken { part: P::WORD, name: name.to_owned() }),
        false => Ok(()),
    }
}
