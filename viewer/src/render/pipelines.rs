//! The programs as the device gets them, and the targets that each draws into.

use std::borrow::Cow;

use super::layout::sources;
use super::state::{
    COLOR, Depth, OPENNESS, SEEN, SUM, bindings, blend_over, blend_seen, blend_sum, depth_texture,
    storage, target, texture, uniform,
};

/// Everything that is made once for a device and a format.
pub(super) struct Pipelines {
    pub(super) shared: wgpu::BindGroupLayout,
    pub(super) vertices: wgpu::BindGroupLayout,
    pub(super) depths: wgpu::BindGroupLayout,
    pub(super) parts: wgpu::BindGroupLayout,
    pub(super) surface: wgpu::RenderPipeline,
    pub(super) surface_glass: wgpu::RenderPipeline,
    pub(super) surface_shadow: wgpu::RenderPipeline,
    pub(super) outlines: wgpu::RenderPipeline,
    pub(super) edges: wgpu::RenderPipeline,
    pub(super) tubes: wgpu::RenderPipeline,
    pub(super) tubes_glass: wgpu::RenderPipeline,
    pub(super) tubes_shadow: wgpu::RenderPipeline,
    pub(super) marks: wgpu::RenderPipeline,
    pub(super) overlay: wgpu::RenderPipeline,
    pub(super) occlusion: wgpu::RenderPipeline,
    pub(super) compose: wgpu::RenderPipeline,
}

/// One program: text, entry of its fragments, layouts, vertex buffer, targets, depth, samples.
struct Recipe<'a> {
    device: &'a wgpu::Device,
    groups: &'a [&'a wgpu::BindGroupLayout],
    source: Cow<'static, str>,
    entry: &'static str,
    instances: Option<wgpu::VertexBufferLayout<'static>>,
    targets: &'a [Option<wgpu::ColorTargetState>],
    depth: Depth,
    samples: u32,
}

impl<'a> Recipe<'a> {
    /// Recipe for items drawn among others, which hide what is behind them.
    fn with_depth(
        (device, samples): (&'a wgpu::Device, u32),
        groups: &'a [&'a wgpu::BindGroupLayout],
        targets: &'a [Option<wgpu::ColorTargetState>],
        (source, entry): (&'static str, &'static str),
    ) -> Self {
        let (depth, source) = (Depth::Written, with_samples(source, samples));
        Self { device, groups, source, entry, instances: None, targets, depth, samples }
    }

    /// Recipe for a drawing over a whole picture.
    fn flat(
        picture: (&'a wgpu::Device, u32),
        groups: &'a [&'a wgpu::BindGroupLayout],
        targets: &'a [Option<wgpu::ColorTargetState>],
        program: (&'static str, &'static str),
    ) -> Self {
        let recipe = Self::with_depth(picture, groups, targets, program);
        Self { depth: Depth::None, samples: 1, ..recipe }
    }

    /// The same in a shadow map, which has depths alone.
    fn of_shadows(self) -> Self {
        Self { entry: "shade", targets: &[], samples: 1, ..self }
    }

    fn build(self) -> wgpu::RenderPipeline {
        let groups: Vec<_> = self.groups.iter().map(|group| Some(*group)).collect();
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.entry),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.entry),
            source: wgpu::ShaderSource::Wgsl(self.source),
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

/// A program that reads depths, for so many samples of a pixel.
pub(super) fn with_samples(source: &'static str, samples: u32) -> Cow<'static, str> {
    match samples {
        1 => source.replace("texture_depth_multisampled_2d", "texture_depth_2d").into(),
        _ => source.into(),
    }
}

const FLOATS: wgpu::VertexFormat = wgpu::VertexFormat::Float32x4;

/// Attributes of a mark are the first three of those of a tube.
const ATTRIBUTES: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4
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
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat, samples: u32) -> Self {
        let picture = (device, samples);
        let shared =
            bindings(device, &[uniform(), storage(), storage(), storage(), depth_texture(1)]);
        let vertices = bindings(device, &[storage(), storage()]);
        let depths = bindings(device, &[depth_texture(samples)]);
        let parts =
            bindings(device, &[texture(), texture(), texture(), texture(), depth_texture(samples)]);
        let [surface, surface_glass, surface_shadow, outlines, edges] =
            surfaces(picture, [&shared, &vertices]);
        let [tubes, tubes_glass, tubes_shadow, marks] = lines(picture, [&shared]);
        let (alone, from_depths, from_parts) = ([&shared], [&shared, &depths], [&shared, &parts]);
        let (open, output) = ([target(OPENNESS, None)], [target(format, None)]);
        let over = [target(format, Some(blend_over()))];
        let overlay = Recipe {
            instances: instances(&ATTRIBUTES[..3]),
            ..Recipe::flat(picture, &alone, &over, (sources::MARKS, "overlay"))
        };
        let occlusion = Recipe::flat(picture, &from_depths, &open, (sources::OCCLUSION, "calc"));
        let compose = Recipe::flat(picture, &from_parts, &output, (sources::COMPOSE, "compose"));
        Self {
            surface,
            surface_glass,
            surface_shadow,
            outlines,
            edges,
            tubes,
            tubes_glass,
            tubes_shadow,
            marks,
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

/// Targets of translucent parts.
fn glass() -> [Option<wgpu::ColorTargetState>; 2] {
    [target(SUM, Some(blend_sum())), target(SEEN, Some(blend_seen()))]
}

/// Surfaces, the same seen through and in shadow maps, lines around them, their edges.
fn surfaces(
    picture: (&wgpu::Device, u32),
    groups: [&wgpu::BindGroupLayout; 2],
) -> [wgpu::RenderPipeline; 5] {
    let (solid, glass) = ([target(COLOR, None)], glass());
    let with_depth = |source| Recipe::with_depth(picture, &groups, &solid, (source, "solid"));
    let surface_glass = Recipe {
        entry: "glass",
        targets: &glass,
        depth: Depth::Tested,
        ..with_depth(sources::SURFACE)
    };
    let surface_shadow = with_depth(sources::SURFACE).of_shadows();
    let edges = Recipe { instances: instances(&EDGE), ..with_depth(sources::EDGES) };
    let outlines = with_depth(sources::OUTLINES);
    [with_depth(sources::SURFACE), surface_glass, surface_shadow, outlines, edges]
        .map(Recipe::build)
}

/// Solids about lines, the same seen through and in shadow maps, lines and dots of a width in pixels.
fn lines(
    picture: (&wgpu::Device, u32),
    groups: [&wgpu::BindGroupLayout; 1],
) -> [wgpu::RenderPipeline; 4] {
    let (solid, glass) = ([target(COLOR, None)], glass());
    let over = [target(COLOR, Some(blend_over()))];
    let tubes = |targets, entry| Recipe {
        instances: instances(&ATTRIBUTES),
        ..Recipe::with_depth(picture, &groups, targets, (sources::TUBES, entry))
    };
    let tubes_glass = Recipe { depth: Depth::Tested, ..tubes(&glass, "glass") };
    let marks = Recipe {
        instances: instances(&ATTRIBUTES[..3]),
        depth: Depth::Tested,
        ..Recipe::with_depth(picture, &groups, &over, (sources::MARKS, "soft"))
    };
    let tubes_shadow = tubes(&solid, "solid").of_shadows();
    [tubes(&solid, "solid"), tubes_glass, tubes_shadow, marks].map(Recipe::build)
}
