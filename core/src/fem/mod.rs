//! Finite elements: reference elements, meshes, batches of elements of one kind, lumped mass.

pub mod element;
mod mesh;

pub use element::{Element, ElementKind, QuadraturePoint};
pub use mesh::{MeshError, VolumeMesh};
