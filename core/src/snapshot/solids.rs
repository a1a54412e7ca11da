//! Surfaces of the solids of colliders, to be drawn where a body has no surface of its own.

use crate::Vec3;
use crate::geometry::{
    GeometryError, SurfaceMesh, capsule_mesh, cuboid_mesh, cylinder_mesh, icosphere_mesh,
};
use crate::model::{ColliderShape, WrapShape, WrapSurface};

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

/// The surface that lines wrap over, in its own frame [m]; `None` where the sizes make none. A cylinder without end is
/// drawn four radii long.
pub(super) fn wrap_surface(surface: &WrapSurface) -> Option<SurfaceMesh> {
    let radius = surface.radius;
    match surface.shape {
        WrapShape::Sphere => icosphere_mesh(radius, SUBDIVISIONS).ok(),
        WrapShape::Cylinder => {
            let half = if surface.half_length > 0.0 { surface.half_length } else { 2.0 * radius };
            cylinder_mesh(radius, 2.0 * half, FACETS).ok()
        }
        WrapShape::Ellipsoid => {
            let ball = icosphere_mesh(1.0, SUBDIVISIONS).ok()?;
            let stretched = ball.vertices().iter().map(|v| v.component_mul(&surface.radii));
            SurfaceMesh::new(stretched.collect(), ball.triangles().to_vec()).ok()
        }
        WrapShape::Torus => torus(surface.ring_radius, radius).ok(),
    }
}

fn torus(ring: f64, tube: f64) -> Result<SurfaceMesh, GeometryError> {
    let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(FACETS);
    let vertex = |k: u32| {
        let ((sin, cos), (up, out)) = (angle(k / FACETS).sin_cos(), angle(k % FACETS).sin_cos());
        let radius = ring + tube * out;
        Vec3::new(radius * cos, radius * sin, tube * up)
    };
    let number = |i: u32, j: u32| i % FACETS * FACETS + j % FACETS;
    let square = |k: u32| {
        let (i, j) = (k / FACETS, k % FACETS);
        let [a, b] = [number(i, j), number(i + 1, j)];
        let [c, d] = [number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let count = FACETS * FACETS;
    SurfaceMesh::new((0..count).map(vertex).collect(), (0..count).flat_map(square).collect())
}

fn square(half: f64) -> Result<SurfaceMesh, GeometryError> {
    let corner = |x, y| Vec3::new(x, y, 0.0) * half;
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    SurfaceMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]])
}
