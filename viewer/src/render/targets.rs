//! Textures of the size of a picture, between the passes that make it.

use super::pipelines::Pipelines;
use super::state::{COLOR, DEPTH, OPENNESS, SEEN, SUM};

/// Textures that one picture is drawn into before it is composed.
pub(super) struct Targets {
    pub(super) size: [u32; 2],
    pub(super) color: wgpu::TextureView,
    pub(super) resolved: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) openness: wgpu::TextureView,
    /// Sums and what is seen through them, each with what it is resolved into; only where something is
    /// translucent.
    pub(super) glass: Option<[wgpu::TextureView; 4]>,
    pub(super) depths: wgpu::BindGroup,
    pub(super) parts: wgpu::BindGroup,
}

fn view(
    device: &wgpu::Device,
    size: [u32; 2],
    format: wgpu::TextureFormat,
    samples: u32,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}

/// Group of bindings of textures, in their order.
pub(super) fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    views: &[&wgpu::TextureView],
) -> wgpu::BindGroup {
    let numbered = (0u32..).zip(views);
    let entries: Vec<_> = numbered
        .map(|(binding, view)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::TextureView(view),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

impl Targets {
    pub(super) fn new(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        size: [u32; 2],
        (translucent, samples): (bool, u32),
    ) -> Self {
        // One sample is resolved as it is.
        let pair = |format| {
            let many = view(device, size, format, samples);
            let one = if samples > 1 { view(device, size, format, 1) } else { many.clone() };
            [many, one]
        };
        let [color, resolved] = pair(COLOR);
        let depth = view(device, size, DEPTH, samples);
        let openness = view(device, size.map(|n| n.div_ceil(2)), OPENNESS, 1);
        let glass = translucent.then(|| {
            let ([sum, sum_resolved], [seen, seen_resolved]) = (pair(SUM), pair(SEEN));
            [sum, sum_resolved, seen, seen_resolved]
        });
        let [sums, seen] = match &glass {
            Some([_, sums, _, seen]) => [sums, seen],
            // Bound, and not read.
            None => [&openness, &openness],
        };
        let depths = group(device, &pipelines.depths, &[&depth]);
        let parts = group(device, &pipelines.parts, &[&resolved, &openness, sums, seen, &depth]);
        Self { size, color, resolved, depth, openness, glass, depths, parts }
    }
}
