//! The programs as the device gets them, and what each draws into.

use super::layout::sources;
use super::state::{
    Depth, SAMPLES, bindings, blend_over, depth_texture, storage, target, texture, uniform,
};

/// Solid parts, with their coverage as opacity.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Sums of translucent parts.
pub(super) const SUM: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// What is seen through them.
pub(super) const SEEN: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Depths, 1 near and 0 far.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// How open a place lies.
pub(super) const OPENNESS: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Everything that is made once for a device and a format.
pub(super) struct Pipelines {
    pub(super) shared: wgpu::BindGroupLayout,
    pub(super) vertices: wgpu::BindGroupLayout,
    pub(super) depths: wgpu::BindGroupLayout,
    pub(super) parts: wgpu::BindGroupLayout,
    pub(super) surface: wgpu::RenderPipeline,
    pub(super) surface_glass: wgpu::RenderPipeline,
    pub(super) outlines: wgpu::RenderPipeline,
    pub(super) edges: wgpu::RenderPipeline,
    pub(super) tubes: wgpu::RenderPipeline,
    pub(super) tubes_glass: wgpu::RenderPipeline,
    pub(super) marks: wgpu::RenderPipeline,
    pub(super) overlay: wgpu::RenderPipeline,
    pub(super) occlusion: wgpu::RenderPipeline,
    pub(super) compose: wgpu::RenderPipeline,
}

/// One program: text, entry of its fragments, layouts, vertex buffer, targets, depth, samples.
struct Recipe<'a> {
    device: &'a wgpu::Device,
    groups: &'a [&'a wgpu::BindGroupLayout],
    source: &'static str,
    entry: &'static str,
    instances: Option<wgpu::VertexBufferLayout<'static>>,
    targets: &'a [Option<wgpu::ColorTargetState>],
    depth: Depth,
    samples: u32,
}

impl Recipe<'_> {
    fn build(self) -> wgpu::RenderPipeline {
        let groups: Vec<_> = self.groups.iter().map(|group| Some(*group)).collect();
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.entry),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.entry),
            source: wgpu::ShaderSource::Wgsl(self.source.into()),
        });
        let buffers = [self.instances];
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.entry),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("place"),
                compilation_options: Default::default(),
                buffers: if buffers[0].is_some() { &buffers } else { &[] },
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: self.depth.state(),
            multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(self.entry),
                compilation_options: Default::default(),
                targets: self.targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

const FLOATS: wgpu::VertexFormat = wgpu::VertexFormat::Float32x4;

/// Attributes of a mark are the first three of those of a tube.
const ATTRIBUTES: [wgpu::VertexAttribute; 4] = wgpu::vertex_attr_array![
    0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4
];

const EDGE: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Uint32x4];

fn instances(
    attributes: &'static [wgpu::VertexAttribute],
) -> Option<wgpu::VertexBufferLayout<'static>> {
    Some(wgpu::VertexBufferLayout {
        array_stride: FLOATS.size() * attributes.len() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    })
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shared = bindings(device, &[uniform(), storage(), storage(), storage()]);
        let vertices = bindings(device, &[storage(), storage()]);
        let depths = bindings(device, &[depth_texture()]);
        let parts =
            bindings(device, &[texture(), texture(), texture(), texture(), depth_texture()]);
        let solid = [target(COLOR, None)];
        let marks_over = [target(COLOR, Some(blend_over()))];
        let glass = [
            target(SUM, Some(super::state::blend_sum())),
            target(SEEN, Some(super::state::blend_seen())),
        ];
        let (output, over) = ([target(format, None)], [target(format, Some(blend_over()))]);
        let open = [target(OPENNESS, None)];
        let with_vertices = [&shared, &vertices];
        let alone = [&shared];
        let base = |source, entry| Recipe {
            device,
            groups: &alone,
            source,
            entry,
            instances: None,
            targets: &solid,
            depth: Depth::Written,
            samples: SAMPLES,
        };
        let surface = Recipe { groups: &with_vertices, ..base(sources::SURFACE, "solid") };
        let surface_glass = Recipe {
            groups: &with_vertices,
            targets: &glass,
            depth: Depth::Tested,
            ..base(sources::SURFACE, "glass")
        };
        let outlines = Recipe { groups: &with_vertices, ..base(sources::OUTLINES, "solid") };
        let edges = Recipe {
            groups: &with_vertices,
            instances: instances(&EDGE),
            ..base(sources::EDGES, "solid")
        };
        let tubes = Recipe { instances: instances(&ATTRIBUTES), ..base(sources::TUBES, "solid") };
        let tubes_glass = Recipe {
            instances: instances(&ATTRIBUTES),
            targets: &glass,
            depth: Depth::Tested,
            ..base(sources::TUBES, "glass")
        };
        let marks = Recipe {
            instances: instances(&ATTRIBUTES[..3]),
            targets: &marks_over,
            depth: Depth::Tested,
            ..base(sources::MARKS, "soft")
        };
        let flat = |source, entry| Recipe { depth: Depth::None, samples: 1, ..base(source, entry) };
        let overlay = Recipe {
            instances: instances(&ATTRIBUTES[..3]),
            targets: &over,
            ..flat(sources::MARKS, "overlay")
        };
        let occlusion = Recipe {
            groups: &[&shared, &depths],
            targets: &open,
            ..flat(sources::OCCLUSION, "calc")
        };
        let compose = Recipe {
            groups: &[&shared, &parts],
            targets: &output,
            ..flat(sources::COMPOSE, "compose")
        };
        Self {
            surface: surface.build(),
            surface_glass: surface_glass.build(),
            outlines: outlines.build(),
            edges: edges.build(),
            tubes: tubes.build(),
            tubes_glass: tubes_glass.build(),
            marks: marks.build(),
            overlay: overlay.build(),
            occlusion: occlusion.build(),
            compose: compose.build(),
            shared,
            vertices,
            depths,
            parts,
        }
    }
}
