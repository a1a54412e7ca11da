//! Triangle surfaces: validity, topology, integrals over the surface and the solid inside, and
//! analytic solids as meshes; services on surfaces and volume meshes (boundary, patches, welding,
//! size, self-intersection); signed distance of points; what two surfaces have in common. No physics, no files.

mod boundary;
mod curved_triangle;
mod disjoint_sets;
mod distance;
mod elevate;
mod facing;
mod integrals;
mod overlap;
mod patches;
mod self_intersection;
mod shapes;
mod signed_distance;
mod size;
mod surface_mesh;
mod surface_report;
mod topology;
mod triangle_pair;
mod triangle_point;
mod volume_integrals;
mod volume_report;
mod weld;
mod winding;

pub use boundary::{Boundary, boundary};
pub use curved_triangle::{VertexFaces, on_curved_triangle, sag};
pub use disjoint_sets::DisjointSets;
pub use elevate::{quadratic, surface_of};
pub use integrals::{SolidIntegrals, SurfaceIntegrals};
pub use overlap::{
    CommonSolid, Contour, ContourPoint, Operand, Overlap, OverlapSurface, Region, SurfacePart,
};
pub use patches::Patches;
pub use self_intersection::SelfIntersections;
pub use shapes::{capsule_mesh, cuboid_mesh, cylinder_mesh, ellipsoid_mesh, icosphere_mesh};
pub use signed_distance::{Foot, SignedDistance, SurfaceSide};
pub use size::{UnitGuess, guess_unit, recentring};
pub use surface_mesh::{GeometryError, SurfaceMesh};
pub use surface_report::SurfaceReport;
pub use topology::{Orientation, Topology};
pub use triangle_point::{OnTriangle, TrianglePart, nearest_on_triangle};
pub use volume_integrals::mesh_integrals;
pub use volume_report::{VolumeReport, volume_report};
pub use weld::coincident_points;
