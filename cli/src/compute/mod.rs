//! Computation: the processor or a device, chosen or asked for; models that are driven by hand; the
//! end of a run.

#[cfg(feature = "gpu")]
mod adapters;
mod choose;
#[cfg_attr(not(feature = "gpu"), path = "no_device.rs")]
pub(crate) mod device;
mod forecast;
pub(crate) mod live;
pub(crate) mod machine;
mod signal;

pub(crate) use choose::{Chosen, Kind, on_cpu};
pub(crate) use device::DeviceError;
pub(crate) use live::Live;
pub(crate) use signal::Interrupt;
