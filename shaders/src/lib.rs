//! Compute kernels in WGSL, a CPU twin of each, the layouts that both sides share, and programs that
//! call them.
//!
//! All kernels stand in ONE table, [`table::kernels`]. A [`program::Program`] is data: a device runs
//! it, or the twins do ([`machine::Machine`]). No wgpu and no physics enters this crate.
#![forbid(unsafe_code)]

pub mod cpu;
pub mod instances;
pub mod joined;
pub mod kernel;
mod law;
pub mod layout;
pub mod machine;
pub mod matrix;
pub mod params;
pub mod program;
pub mod samples;
pub mod source;
pub mod table;
mod unused;
mod variant;
