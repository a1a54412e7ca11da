//! Contact geometry: which bodies touch, where, along which normal, how deep. Shapes, broad phase,
//! narrow phase, contacts with an identity that lasts. No forces, no rows, no friction: those are
//! made from contacts elsewhere. docs/theory/contact.md derives it.

mod adhesion;
mod area;
mod automatic;
mod axis;
mod border;
mod bounds;
mod broad;
mod candidates;
mod check;
mod detector;
mod error;
mod flat;
mod friction;
mod half_space;
mod hull;
mod law;
mod mesh;
mod mesh_pair;
mod narrow;
mod normal_force;
mod pair;
mod patch;
mod point;
mod polytope;
mod pressure;
mod reduce;
mod round;
mod segment;
mod shape;
mod solid_features;
mod support;
mod surface;
mod surface_crossing;
mod surface_pair;
mod surfaces;
mod tissue_faces;
mod touch;

pub use adhesion::Adhesion;
pub use area::PointAreas;
pub use automatic::{AutomaticCompliance, ContactLayer};
pub use candidates::{CandidateFinder, Candidates, Features, PointsBeside, Ways};
pub use detector::{Detector, Travel};
pub use error::ContactError;
pub use friction::Stribeck;
pub use hull::ConvexHull;
pub use law::{ContactLaw, ElasticFoundation, HuntCrossley, NormalLaw};
pub use mesh::MeshSolid;
pub use normal_force::NormalForce;
pub use pair::{Collider, ContactPoint, Member, Pair, PointSet, Stencil};
pub use pressure::{ContactPressure, PressureSurface, SurfaceForce};
pub(crate) use segment::closest_on_segment;
pub(crate) use shape::DEFAULT_SIZE;
pub use shape::{ColliderShape, OfBody, Shape};
pub use surface::Surface;
