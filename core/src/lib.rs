//! Sinew: anatomy simulated at interactive rates. This crate holds all of the physics, on the CPU.
//!
//! A [`model::Model`] is built or read, [compiled](model::Model::compile) into a
//! [`system::CompiledModel`] (flat arrays, index maps, sparsity pattern) and a
//! [`system::State`], and advanced by a [`solve::MechSystemSolver`]. Units are SI throughout.
#![forbid(unsafe_code)]

pub mod fem;
pub mod force;
pub mod io;
pub mod linalg;
pub mod material;
pub mod model;
mod real;
pub mod solve;
pub mod system;

pub use real::{Real, lit};

/// A vector in space, f64. The unit stands with each use.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3 x 3 matrix, f64.
pub type Mat3 = nalgebra::Matrix3<f64>;
