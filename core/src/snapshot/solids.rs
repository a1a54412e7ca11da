//! Surfaces of the solids of colliders, to be drawn where a body has no surface of its own.

use crate::Vec3;
use crate::geometry::{
    GeometryError, SurfaceMesh, capsule_mesh, cuboid_mesh, cylinder_mesh, icosphere_mesh,
};
use crate::model::ColliderShape;

/// Facets around what is round: its outline deviates from a circle by 0.5 % of the radius.
const FACETS: u32 = 32;
/// Subdivisions of an icosahedron for a ball.
const SUBDIVISIONS: u32 = 3;

/// The surface of a solid in its own frame [m]; `None` for what is made of the surface of a body, and
/// where the sizes make no solid. A half-space is a square of this half width [m].
pub(super) fn surface_of(shape: &ColliderShape, half_width: f64) -> Option<SurfaceMesh> {
    let mesh = match *shape {
        ColliderShape::HalfSpace => square(half_width),
        ColliderShape::Sphere { radius } => icosphere_mesh(radius, SUBDIVISIONS),
        ColliderShape::Capsule { radius, half_length } => {
            capsule_mesh(radius, 2.0 * half_length, FACETS)
        }
        ColliderShape::Cylinder { radius, half_length } => {
            cylinder_mesh(radius, 2.0 * half_length, FACETS)
        }
        ColliderShape::Box { half_extents } => cuboid_mesh(&(half_extents * 2.0)),
        ColliderShape::Convex(_) | ColliderShape::Points { .. } | ColliderShape::Mesh(_) => {
            return None;
        }
    };
    mesh.ok()
}

fn square(half: f64) -> Result<SurfaceMesh, GeometryError> {
    let corner = |x, y| Vec3::new(x, y, 0.0) * half;
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    SurfaceMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]])
}
