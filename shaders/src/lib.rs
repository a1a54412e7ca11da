//! Compute kernels in WGSL, a CPU twin of each, and the layouts that both sides share.
//!
//! What is here: the vector and matrix kernels of an iterative solve, listed in ONE table,
//! [`table::KERNELS`]. Not here yet: kernels of elements and materials, and any code that runs on
//! a device; no wgpu and no physics enters this crate.
#![forbid(unsafe_code)]

pub mod cpu;
pub mod layout;
pub mod table;
