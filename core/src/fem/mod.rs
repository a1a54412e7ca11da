//! Finite elements: reference elements, meshes, batches of elements of one kind, lumped mass, where
//! points are in a mesh.

mod batch;
pub mod element;
mod element_quality;
mod locate;
mod mesh;
mod muscle;
mod quality;

pub(crate) use batch::{BatchInput, ElementReport, FemBatch, build as build_batch, build_fibres};
pub use element::{Element, ElementKind, QuadraturePoint, QuadratureRule};
pub use element_quality::{ElementQuality, Histogram};
pub(crate) use locate::surface_nodes;
pub use locate::{Placed, PlacedFrame, locate, locate_frames};
pub use mesh::{ElementFace, Field, MeshError, VolumeMesh};
pub(crate) use muscle::{Contraction, Muscles};
