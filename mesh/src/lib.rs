//! Meshes: reference elements, volume meshes and triangle surfaces, location of points in them,
//! checks, and mesh files. Not here: materials, forces, models.
#![forbid(unsafe_code)]

pub mod element;
mod element_quality;
mod face_rule;
mod fibre_lines;
mod fill;
pub mod geometry;
mod grid;
mod harmonic;
pub mod io;
mod locate;
mod mesh;
mod mesh_document;
mod mirror;
mod quality;
mod real;
pub mod tree;

pub use element::{Element, ElementKind, QuadraturePoint, QuadratureRule};
pub use element_quality::{ElementQuality, Histogram};
pub use face_rule::{FACE_NODES, FacePoint, face_points};
pub use fibre_lines::directions_along;
pub use fill::{FillError, fill};
pub use grid::grid_mesh;
pub use harmonic::{HarmonicError, directions_between};
pub use locate::{Placed, PlacedFrame, locate, locate_frames, surface_nodes, tie};
pub use mesh::{ElementFace, Field, MeshError, VolumeMesh};
pub use real::{Real, lit};

/// A vector in space, f64. The unit stands with each use.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3 x 3 matrix, f64.
pub type Mat3 = nalgebra::Matrix3<f64>;
