//! Worlds as data: what they are made of by names, so that files hold them. [`WorldDescription::build`] makes the world, and
//! [`WorldDescription::keep_state`] takes its state back into the description.

mod build;
mod error;
mod images;
mod kind_names;
mod part;
mod parts;

pub(super) use build::motion_path;

pub use error::{DescriptionError, DescriptionFault};
pub use images::{ImageDescription, MOST_PIXELS};
pub use part::{PartId, PartList, WorldPart};
pub use parts::{
    BehaviourDescription, BehaviourKind, BlockDescription, BlockKind, ConstraintDescription,
    ConstraintRule, ObjectDescription, ObjectKind, WorldDescription,
};
