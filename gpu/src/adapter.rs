//! Adapters of this machine, with the properties that matter. Opens no device.

use std::fmt;

/// Sort of device that an adapter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the memory of the CPU.
    Integrated,
    /// A GPU as a virtual machine shows it.
    Virtual,
    /// A driver that computes on the CPU (lavapipe, WARP): for tests, not for speed.
    Software,
    /// The driver does not say.
    Unknown,
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Software => "software",
            Self::Unknown => "unknown",
        })
    }
}

/// One adapter, as a driver reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Name of the device.
    pub name: String,
    /// The graphics interface it is reached by: `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// Sort of device.
    pub kind: AdapterKind,
    /// Driver and its version, as far as they are known.
    pub driver: String,
    /// True if it computes on the CPU: such an adapter is used only when asked for, or in tests.
    pub software: bool,
    /// Largest buffer that one binding of a kernel can see [bytes].
    pub max_storage_buffer_binding_size: u64,
    /// Largest buffer that can be made [bytes].
    pub max_buffer_size: u64,
    /// Those of the [optional features](FEATURES) that it has, by name.
    pub features: Vec<String>,
}

/// The optional features that change what a step on the device can do or report: f64 arithmetic,
/// sums within a subgroup, time stamps per kernel (without the second, each kernel is timed in a
/// pass of its own), compiled kernels kept on disk, and small parameters passed without a buffer.
pub const FEATURES: [(&str, wgpu::Features); 6] = [
    ("SHADER_F64", wgpu::Features::SHADER_F64),
    ("SUBGROUP", wgpu::Features::SUBGROUP),
    ("TIMESTAMP_QUERY", wgpu::Features::TIMESTAMP_QUERY),
    ("TIMESTAMP_QUERY_INSIDE_PASSES", wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
    ("PIPELINE_CACHE", wgpu::Features::PIPELINE_CACHE),
    ("IMMEDIATES", wgpu::Features::IMMEDIATES),
];

/// All adapters of this machine, in the order in which the drivers name them.
///
/// Empty when there is none, or no driver loader at all: that is a machine without a GPU and no
/// error.
pub fn list_adapters() -> Vec<AdapterSummary> {
    adapters().into_iter().map(|(_, summary)| summary).collect()
}

/// The same, with the adapters themselves.
pub(crate) fn adapters() -> Vec<(wgpu::Adapter, AdapterSummary)> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    // No validation layers: they are not needed, and warn when they are not installed.
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.into_iter().map(|adapter| (adapter.clone(), summary(&adapter))).collect()
}

fn summary(adapter: &wgpu::Adapter) -> AdapterSummary {
    let info = adapter.get_info();
    let limits = adapter.limits();
    let available = adapter.features();
    let kind = kind_of(info.device_type);
    let has = FEATURES.iter().filter(|(_, feature)| available.contains(*feature));
    AdapterSummary {
        name: info.name,
        backend: info.backend.to_str().to_owned(),
        kind,
        driver: [info.driver, info.driver_info].join(" ").trim().to_owned(),
        software: kind == AdapterKind::Software,
        max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
        max_buffer_size: limits.max_buffer_size,
        features: has.map(|(name, _)| (*name).to_owned()).collect(),
    }
}

fn kind_of(device_type: wgpu::DeviceType) -> AdapterKind {
    match device_type {
        wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
        wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
        wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
        wgpu::DeviceType::Cpu => AdapterKind::Software,
        wgpu::DeviceType::Other => AdapterKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_adapters_that_compute_on_the_cpu_are_software() {
        for device_type in [
            wgpu::DeviceType::Other,
            wgpu::DeviceType::IntegratedGpu,
            wgpu::DeviceType::DiscreteGpu,
            wgpu::DeviceType::VirtualGpu,
            wgpu::DeviceType::Cpu,
        ] {
            let software = kind_of(device_type) == AdapterKind::Software;
            assert_eq!(software, device_type == wgpu::DeviceType::Cpu, "{device_type:?}");
        }
    }
}
