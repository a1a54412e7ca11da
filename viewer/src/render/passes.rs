//! The passes of a picture, in their order.

use std::ops::Range;

use sinew::snapshot::Shape;

use super::gather::Gathered;
use super::layout::TUBE_VERTICES;
use super::pipelines::Pipelines;
use super::selection::{Highlight, Shown, opacity};
use super::surfaces::{Part, Surfaces};
use super::targets::Targets;
use super::upload::{Groups, Uploads};
use crate::geometry::Soup;

/// An item, and what of it is drawn: indices, vertices or edges.
type DrawRange = (u32, Range<u32>);

/// Surfaces that each pass draws.
#[derive(Debug, Default)]
pub(super) struct Plan {
    solid: Vec<DrawRange>,
    glass: Vec<DrawRange>,
    soup_solid: Vec<DrawRange>,
    soup_glass: Vec<DrawRange>,
    outlines: Vec<DrawRange>,
    soup_outlines: Vec<DrawRange>,
    edges: Vec<Range<u32>>,
    glass_tubes: bool,
}

impl Plan {
    pub(super) fn new(
        surfaces: &Surfaces,
        soup: &Soup,
        gathered: &Gathered,
        shown: Shown<'_>,
    ) -> Self {
        let mut plan = Self { glass_tubes: !gathered.glass.is_empty(), ..Self::default() };
        surfaces.parts.iter().for_each(|part| plan.add_surface(part, shown));
        soup.parts.iter().for_each(|piece| plan.add_soup(piece, shown));
        plan
    }

    fn add_surface(&mut self, part: &Part, shown: Shown<'_>) {
        let Shown { snapshot, view, .. } = shown;
        let (options, item) = (&view.options, &snapshot.scene.items[part.item]);
        if !item.style.visible {
            return;
        }
        let piece = (part.item as u32, 3 * part.triangles.start..3 * part.triangles.end);
        let highlight = shown.highlight(part.item);
        if highlight == Highlight::Outline && options.shrink == 0.0 {
            self.outlines.push(piece.clone());
        }
        let replaced = options.shrink > 0.0 || shown.sections_alone();
        if replaced && matches!(item.shape, Shape::Tissue { .. }) {
            return;
        }
        let edged = options.edges || item.style.draw_edges || highlight == Highlight::Edges;
        if options.wireframe || edged {
            self.edges.push(part.edges.clone());
        }
        if !options.wireframe {
            let is_glass = opacity(item, view) < 1.0;
            if is_glass { &mut self.glass } else { &mut self.solid }.push(piece);
        }
    }

    /// A section, or the shrunken elements of a tissue.
    fn add_soup(&mut self, piece: &DrawRange, shown: Shown<'_>) {
        let place = piece.0 as usize;
        let is_glass = opacity(&shown.snapshot.scene.items[place], shown.view) < 1.0;
        let list = if is_glass { &mut self.soup_glass } else { &mut self.soup_solid };
        list.push(piece.clone());
        let outlined = shown.highlight(place) == Highlight::Outline;
        if outlined && shown.view.options.shrink > 0.0 {
            self.soup_outlines.push(piece.clone());
        }
    }

    /// True if something is translucent.
    pub(super) fn has_glass(&self) -> bool {
        self.glass_tubes || !self.glass.is_empty() || !self.soup_glass.is_empty()
    }
}

/// All that a picture is drawn from.
pub(super) struct Drawing<'a> {
    pub(super) pipelines: &'a Pipelines,
    pub(super) uploads: &'a Uploads,
    pub(super) targets: &'a Targets,
    pub(super) groups: &'a Groups,
    pub(super) plan: &'a Plan,
    /// Map of shadows, where some fall.
    pub(super) shadow_map: Option<&'a wgpu::TextureView>,
}

fn attachment<'a>(
    view: &'a wgpu::TextureView,
    resolved: Option<&'a wgpu::TextureView>,
    clear: [f64; 4],
) -> Option<wgpu::RenderPassColorAttachment<'a>> {
    let [r, g, b, a] = clear;
    let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a });
    let resolved = resolved.filter(|resolved| *resolved != view);
    let store = if resolved.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    Some(wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: resolved,
        ops: wgpu::Operations { load, store },
    })
}

impl Drawing<'_> {
    /// Records all passes.
    pub(super) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        occlusion: bool,
    ) {
        if let Some(map) = self.shadow_map {
            self.shadows(encoder, map);
        }
        self.solids(encoder);
        if self.plan.has_glass() {
            self.glass(encoder);
        }
        if occlusion {
            let colors = [attachment(&self.targets.openness, None, [1.0; 4])];
            let mut pass = begin(encoder, &colors, None);
            pass.set_pipeline(&self.pipelines.occlusion);
            pass.set_bind_group(0, &self.groups.shared, &[]);
            pass.set_bind_group(1, &self.targets.depths, &[]);
            pass.draw(0..3, 0..1);
        }
        let colors = [attachment(target, None, [0.0; 4])];
        let mut pass = begin(encoder, &colors, None);
        pass.set_bind_group(0, &self.groups.shared, &[]);
        pass.set_bind_group(1, &self.targets.parts, &[]);
        pass.set_pipeline(&self.pipelines.compose);
        pass.draw(0..3, 0..1);
        pass.set_pipeline(&self.pipelines.overlay);
        pass.set_vertex_buffer(0, self.uploads.overlay.buffer().slice(..));
        pass.draw(0..6, 0..self.uploads.counts.overlay);
    }

    /// Draws what casts shadows, as the light sees it.
    fn shadows(&self, encoder: &mut wgpu::CommandEncoder, map: &wgpu::TextureView) {
        let clear =
            wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store };
        let mut pass = begin(encoder, &[], Some((map, clear)));
        pass.set_bind_group(0, &self.groups.from_light, &[]);
        pass.set_pipeline(&self.pipelines.surface_shadow);
        self.surfaces(&mut pass, &self.plan.solid, &self.plan.soup_solid);
        pass.set_pipeline(&self.pipelines.tubes_shadow);
        pass.set_vertex_buffer(0, self.uploads.tubes.buffer().slice(..));
        pass.draw(0..TUBE_VERTICES, 0..self.uploads.counts.tubes);
    }

    fn solids(&self, encoder: &mut wgpu::CommandEncoder) {
        let colors = [attachment(&self.targets.color, Some(&self.targets.resolved), [0.0; 4])];
        let clear =
            wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store };
        let mut pass = begin(encoder, &colors, Some((&self.targets.depth, clear)));
        pass.set_bind_group(0, &self.groups.shared, &[]);
        pass.set_pipeline(&self.pipelines.surface);
        self.surfaces(&mut pass, &self.plan.solid, &self.plan.soup_solid);
        self.marked_faces(&mut pass);
        pass.set_pipeline(&self.pipelines.outlines);
        self.surfaces(&mut pass, &self.plan.outlines, &self.plan.soup_outlines);
        let (uploads, counts) = (self.uploads, self.uploads.counts);
        pass.set_pipeline(&self.pipelines.tubes);
        pass.set_vertex_buffer(0, uploads.tubes.buffer().slice(..));
        pass.draw(0..TUBE_VERTICES, 0..counts.tubes);
        pass.set_pipeline(&self.pipelines.edges);
        pass.set_bind_group(1, &self.groups.surfaces, &[]);
        pass.set_vertex_buffer(0, uploads.edges.buffer().slice(..));
        for range in &self.plan.edges {
            pass.draw(0..6, range.clone());
        }
        pass.set_pipeline(&self.pipelines.marks);
        pass.set_vertex_buffer(0, uploads.marks.buffer().slice(..));
        pass.draw(0..6, 0..counts.marks);
        pass.set_vertex_buffer(0, uploads.grid.buffer().slice(..));
        pass.draw(0..6, 0..counts.grid);
    }

    /// Over the faces that they are, whose depths are the same.
    fn marked_faces(&self, pass: &mut wgpu::RenderPass<'_>) {
        let [corners, item] = self.uploads.counts.marked;
        pass.set_bind_group(1, &self.groups.surfaces, &[]);
        let indices = self.uploads.marked.buffer().slice(..);
        pass.set_index_buffer(indices, wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..corners, 0, item..item + 1);
    }

    fn glass(&self, encoder: &mut wgpu::CommandEncoder) {
        let Some([sum, sum_resolved, seen, seen_resolved]) = &self.targets.glass else { return };
        let colors = [
            attachment(sum, Some(sum_resolved), [0.0; 4]),
            attachment(seen, Some(seen_resolved), [1.0; 4]),
        ];
        let keep = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
        let mut pass = begin(encoder, &colors, Some((&self.targets.depth, keep)));
        pass.set_bind_group(0, &self.groups.shared, &[]);
        pass.set_pipeline(&self.pipelines.surface_glass);
        self.surfaces(&mut pass, &self.plan.glass, &self.plan.soup_glass);
        pass.set_pipeline(&self.pipelines.tubes_glass);
        pass.set_vertex_buffer(0, self.uploads.glass.buffer().slice(..));
        pass.draw(0..TUBE_VERTICES, 0..self.uploads.counts.glass);
    }

    fn surfaces(&self, pass: &mut wgpu::RenderPass<'_>, pieces: &[DrawRange], soup: &[DrawRange]) {
        pass.set_bind_group(1, &self.groups.surfaces, &[]);
        let indices = self.uploads.triangles.buffer().slice(..);
        pass.set_index_buffer(indices, wgpu::IndexFormat::Uint32);
        for (item, range) in pieces {
            pass.draw_indexed(range.clone(), 0, *item..*item + 1);
        }
        pass.set_bind_group(1, &self.groups.soup, &[]);
        for (item, range) in soup {
            pass.draw(range.clone(), *item..*item + 1);
        }
    }
}

fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    colors: &[Option<wgpu::RenderPassColorAttachment<'_>>],
    depth: Option<(&wgpu::TextureView, wgpu::Operations<f32>)>,
) -> wgpu::RenderPass<'e> {
    let attached = depth.map(|(view, ops)| wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(ops),
        stencil_ops: None,
    });
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: colors,
        depth_stencil_attachment: attached,
        ..Default::default()
    })
}
