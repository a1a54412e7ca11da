//! Triangle surfaces: validity, topology, integrals over the surface and the solid inside, and
//! analytic solids as meshes; services on surfaces and volume meshes (boundary, welding, size,
//! self-intersection). No physics, no collision queries, no files.

mod boundary;
mod integrals;
mod self_intersection;
mod shapes;
mod size;
mod surface_mesh;
mod topology;
mod triangle_pair;
mod volume_integrals;
mod weld;

pub use boundary::{Boundary, boundary};
pub use integrals::{SolidIntegrals, SurfaceIntegrals};
pub use self_intersection::SelfIntersections;
pub use shapes::{capsule_mesh, cuboid_mesh, cylinder_mesh, ellipsoid_mesh, icosphere_mesh};
pub use size::{UnitGuess, guess_unit, recentring};
pub use surface_mesh::{GeometryError, SurfaceMesh};
pub use topology::{Orientation, Topology};
pub use volume_integrals::mesh_integrals;
pub use weld::coincident_points;
