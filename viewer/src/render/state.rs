//! Formats of targets, and short words for the states of pipelines.

/// Solid parts, with their coverage as opacity.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Sums of translucent parts.
pub(super) const SUM: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Format of the transmittance: the share of the background seen through translucent parts.
pub(super) const SEEN: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Depths, 1 near and 0 far.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Format of the openness of a place.
pub(super) const OPENNESS: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Samples of a pixel that smooth edges, where the adapter is a graphics card.
pub(crate) const SAMPLES: u32 = 4;

/// Samples of a pixel that a window takes: one on an adapter that computes on the processor, where each costs as much as
/// the rest of a picture.
pub(crate) fn samples_of_window(adapter: &wgpu::AdapterInfo) -> u32 {
    if adapter.device_type == wgpu::DeviceType::Cpu { 1 } else { SAMPLES }
}

/// Use of depths by a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Nothing.
    None,
    /// Draws what is nearest.
    Tested,
    /// The same, and keeps its depth.
    Written,
}

impl Depth {
    pub(super) fn state(self) -> Option<wgpu::DepthStencilState> {
        (self != Self::None).then(|| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(self == Self::Written),
            depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        })
    }
}

pub(super) fn bindings(
    device: &wgpu::Device,
    types: &[wgpu::BindingType],
) -> wgpu::BindGroupLayout {
    let entry = |(binding, &ty): (usize, &wgpu::BindingType)| wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    };
    let entries: Vec<_> = types.iter().enumerate().map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &entries,
    })
}

fn buffer(ty: wgpu::BufferBindingType) -> wgpu::BindingType {
    wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

pub(super) fn uniform() -> wgpu::BindingType {
    buffer(wgpu::BufferBindingType::Uniform)
}

pub(super) fn storage() -> wgpu::BindingType {
    buffer(wgpu::BufferBindingType::Storage { read_only: true })
}

pub(super) fn texture() -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}

pub(super) fn depth_texture(samples: u32) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: samples > 1,
    }
}

pub(super) fn target(
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> Option<wgpu::ColorTargetState> {
    Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
}

fn component(src: wgpu::BlendFactor, dst: wgpu::BlendFactor) -> wgpu::BlendComponent {
    wgpu::BlendComponent { src_factor: src, dst_factor: dst, operation: wgpu::BlendOperation::Add }
}

/// Over what is there, whose colours are multiplied by its opacity.
pub(super) fn blend_over() -> wgpu::BlendState {
    use wgpu::BlendFactor::{One, OneMinusSrcAlpha, SrcAlpha};
    wgpu::BlendState {
        color: component(SrcAlpha, OneMinusSrcAlpha),
        alpha: component(One, OneMinusSrcAlpha),
    }
}

/// Sums.
pub(super) fn blend_sum() -> wgpu::BlendState {
    use wgpu::BlendFactor::One;
    wgpu::BlendState { color: component(One, One), alpha: component(One, One) }
}

/// Products of what each lets through.
pub(super) fn blend_seen() -> wgpu::BlendState {
    use wgpu::BlendFactor::{OneMinusSrc, Zero};
    wgpu::BlendState { color: component(Zero, OneMinusSrc), alpha: component(Zero, OneMinusSrc) }
}
