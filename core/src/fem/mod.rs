//! Finite elements: reference elements, meshes, batches of elements of one kind, lumped mass.

mod batch;
pub mod element;
mod mesh;
mod quality;

pub(crate) use batch::{BatchInput, FemBatch, build as build_batch};
pub use element::{Element, ElementKind, QuadraturePoint, QuadratureRule};
pub use mesh::{MeshError, VolumeMesh};
