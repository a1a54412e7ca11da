//! Devices for Sinew, by wgpu (Vulkan, Metal, DirectX 12).
//!
//! What is here: the list of adapters with the limits and features that decide which models fit.
//! What is not here yet: a backend that steps a model. Until it is, every model runs on the CPU,
//! and `--backend gpu` says so instead of falling back in silence.
#![forbid(unsafe_code)]

mod adapter;
pub mod elements;

pub use adapter::{AdapterKind, AdapterSummary, FEATURES, list_adapters};
