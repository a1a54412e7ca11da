//! Devices for Sinew, by wgpu (Vulkan, Metal, DirectX 12): the list of adapters, the choice of one,
//! and the executors that run a program of `sinew-shaders` on it or on the twins of its kernels.
#![deny(unsafe_code)]

mod adapter;
mod bandwidth;
mod bisect;
mod choice;
mod commands;
mod device;
mod encode;
mod error;
mod executor;
mod gpu;
mod health;
mod limits;
mod options;
mod pipeline_cache;
mod pipelines;
mod profile;
mod readback;
pub mod solve;
pub mod testing;
mod twin;

pub use adapter::{AdapterKind, AdapterSummary, FEATURES, list_adapters};
pub use bisect::{BisectExecutor, open_executor};
pub use choice::DeviceChoice;
pub use device::DeviceExecutor;
pub use error::{GpuError, INSTALL};
pub use executor::{Executor, KernelTime, ReadTicket, numbers, real_bytes};
pub use gpu::Gpu;
pub use options::GpuOptions;
pub use pipelines::Source;
pub use twin::{NoElements, TwinExecutor};
