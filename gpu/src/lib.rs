//! Devices for Sinew, by wgpu (Vulkan, Metal, DirectX 12): the list of adapters, the choice of one,
//! and the executors that run a program of `sinew-shaders` on it or on the twins of its kernels.
#![deny(unsafe_code)]

mod adapter;
mod assisted;
mod bandwidth;
mod bisect;
mod choice;
mod commands;
mod contact;
mod device;
pub mod elements;
mod encode;
mod error;
mod executor;
mod forecast;
mod gpu;
mod health;
mod instances;
mod latency;
mod limits;
mod mechanism;
mod module;
mod open;
mod options;
mod pipeline_cache;
mod pipelines;
mod placed;
mod probe;
mod profile;
mod readback;
pub mod solve;
mod step;
mod survey;
pub mod testing;
mod twin;

pub use adapter::{AdapterKind, AdapterSummary, FEATURES, list_adapters};
pub use assisted::AssistedBackend;
pub use bisect::{BisectExecutor, open_executor};
pub use choice::DeviceSelection;
pub use contact::{DeviceFinder, Touching};
pub use device::DeviceExecutor;
pub use error::{GpuError, INSTALL};
pub use executor::{Executor, ReadPart, ReadTicket, numbers, real_bytes};
pub use forecast::IterationCounts;
pub use gpu::Gpu;
pub(crate) use open::{on_device, on_twins};
pub use options::GpuOptions;
pub use pipelines::Source;
pub use placed::Placed;
pub use step::{Dispatches, GpuBackend, GpuBatch, Options};
pub use survey::Survey;
pub use twin::{NoElements, TwinExecutor};
