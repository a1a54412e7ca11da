//! Kernels as the driver gets them. WebGPU has every loop counted along, so that none can run for ever: on an H200 that
//! takes a fifteenth of a step, and the texts of this project have no such loop (`shaders/tests/loops.rs`).
#![allow(unsafe_code)]

/// The module of a text; errors go to the scopes of the device. Loops of a text that is `proven` are not counted.
pub(crate) fn shader_module(
    device: &wgpu::Device,
    (name, text): (&'static str, String),
    proven: bool,
) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(name),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    };
    if !proven {
        return device.create_shader_module(descriptor);
    }
    let mut checks = wgpu::ShaderRuntimeChecks::checked();
    checks.force_loop_bounding = false;
    // SAFETY: every other check stays, and a test proves of each loop of each kernel that it ends.
    unsafe { device.create_shader_module_trusted(descriptor, checks) }
}
