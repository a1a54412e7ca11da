//! Triangle surfaces: validity, topology, integrals over the surface and the solid inside, and
//! analytic solids as meshes; services on surfaces and volume meshes (boundary, patches, welding,
//! size, self-intersection). No physics, no collision queries, no files.

mod boundary;
mod elevate;
mod facing;
mod integrals;
mod patches;
mod self_intersection;
mod shapes;
mod size;
mod surface_mesh;
mod surface_report;
mod topology;
mod triangle_pair;
mod volume_integrals;
mod volume_report;
mod weld;

pub use boundary::{Boundary, boundary};
pub use elevate::{quadratic, surface_of};
pub use integrals::{SolidIntegrals, SurfaceIntegrals};
pub use patches::Patches;
pub use self_intersection::SelfIntersections;
pub use shapes::{capsule_mesh, cuboid_mesh, cylinder_mesh, ellipsoid_mesh, icosphere_mesh};
pub use size::{UnitGuess, guess_unit, recentring};
pub use surface_mesh::{GeometryError, SurfaceMesh};
pub use surface_report::SurfaceReport;
pub use topology::{Orientation, Topology};
pub use volume_integrals::mesh_integrals;
pub use volume_report::{VolumeReport, volume_report};
pub use weld::coincident_points;
