//! Behaviours: forces on outputs of blocks, which Q = Jᵀ f makes generalized ones (Witkin1990, equation 8).

mod energies;
mod image;
mod law;
mod potential;
mod pulls;
mod robust;
mod semidefinite;

pub use energies::{Bending, TroidElasticity};
pub use image::{EdgeField, GrayImage, ImageError};
pub use law::{Behaviour, PortMotion};
pub use potential::{Energy, Potential};
pub use pulls::{ConstantForce, Damper, Motor, Objective, Pull, Spring};
pub use robust::{Norm, Residuals};
