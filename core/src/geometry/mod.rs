//! Triangle surfaces: validity, topology, integrals over the surface and the solid inside, and
//! analytic solids as meshes. No physics, no collision queries, no files.

mod integrals;
mod shapes;
mod surface_mesh;
mod topology;

pub use integrals::{SolidIntegrals, SurfaceIntegrals};
pub use shapes::{capsule_mesh, cuboid_mesh, cylinder_mesh, ellipsoid_mesh, icosphere_mesh};
pub use surface_mesh::{GeometryError, SurfaceMesh};
pub use topology::{Orientation, Topology};
