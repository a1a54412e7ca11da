//! Worlds as data: what they are made of by names, so that files hold them. [`WorldDescription::build`] makes the world, and
//! [`WorldDescription::keep_state`] takes its state back into the description.

mod build;
mod error;
mod parts;

pub use error::{DescriptionError, DescriptionFault};
pub use parts::{
    BehaviourDescription, BehaviourKind, BlockDescription, BlockKind, ConstraintDescription,
    ConstraintRule, ObjectDescription, ObjectKind, WorldDescription,
};
