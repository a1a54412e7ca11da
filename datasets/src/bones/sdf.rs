//! Shapes by signed distances [mm]: primitives, sweeps along curves, smooth unions and cuts of them, and closed
//! triangle surfaces of what they make. No bone is named here. Only sums, products and square roots, so that every
//! machine makes the same numbers.

mod block;
mod cell;
mod ray;
mod segment;
mod solid;
mod surface_nets;
mod tube;

pub(crate) use ray::Ray;
pub(crate) use segment::{Point, Segment};
pub(super) use segment::{add_scaled, unit};
pub(crate) use solid::{HalfSpace, Part, Solid};
pub(crate) use surface_nets::{TooCoarse, extract};
pub(crate) use tube::{Section, Upright, rod, section, tube};
