//! What is computed of a snapshot before it is drawn, picked or exported.

mod bounds;
mod exaggerate;
mod frames;
mod section;
mod shrink;
mod skin;
mod soup;

pub use bounds::bounds_of;
pub(crate) use bounds::{bounds_of_component, relative_bounds};
pub use exaggerate::exaggerated;
pub(crate) use exaggerate::placed_from;
pub(crate) use frames::{axis_of, placed, rotated};
pub(crate) use section::add_section;
pub(crate) use shrink::add_shrunk;
pub(crate) use skin::Skin;
pub(crate) use soup::{Soup, cross, dot, length, minus, plus, scaled, unit};
