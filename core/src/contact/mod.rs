//! Contact geometry: which bodies touch, where, along which normal, how deep. Shapes, broad phase,
//! narrow phase, contacts with an identity that lasts. No forces, no rows, no friction: those are
//! made from contacts elsewhere. docs/theory/contact.md derives it.

mod axis;
mod border;
mod bounds;
mod broad;
mod check;
mod detector;
mod error;
mod flat;
mod half_space;
mod hull;
mod narrow;
mod patch;
mod point;
mod polytope;
mod reduce;
mod round;
mod segment;
mod shape;
mod support;
mod touch;

pub use detector::{Detector, Travel};
pub use error::ContactError;
pub use hull::ConvexHull;
pub use shape::{Collider, ContactPoint, Member, Pair, PointSet, Shape};
