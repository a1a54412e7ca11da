//! Geometry computed from a snapshot before it is drawn, picked or exported.

mod bounds;
mod exaggerate;
mod fibre_check;
mod frames;
mod section;
mod shrink;
mod skin;
mod soup;

pub use bounds::bounds_of;
pub(crate) use bounds::{bounds_of_component, drawn_points, relative_bounds};
pub use exaggerate::exaggerated;
pub(crate) use exaggerate::placed_from;
pub use fibre_check::{NO_FIBRES, has_fibres};
pub(crate) use frames::{axis_of, placed, rotated};
pub(crate) use section::add_section;
pub(crate) use shrink::add_shrunk;
pub(crate) use skin::Skin;
pub(crate) use soup::{Soup, across, cross, dot, length, minus, plus, scaled, unit};
