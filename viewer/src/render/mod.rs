//! Draws snapshots with wgpu. What a scene holds stays on the device while the scene stays; each
//! snapshot sends what moves.
//!
//! Passes: in the style of publications, a shadow map; solids with depth (four samples a pixel), translucent parts by weighted sums
//! [McGuire2013], obscurance from depths [McGuire2011], then the picture from all of these, and the
//! bar and the directions over it.

mod bellies;
mod buffers;
mod colors;
mod eye;
mod gather;
mod globals;
mod grid;
mod items;
mod label;
mod layout;
mod lights;
mod passes;
mod pipelines;
mod sections;
mod selection;
mod state;
mod substances;
mod surfaces;
mod targets;
#[cfg(test)]
mod tests;
mod upload;
mod writing;

use std::sync::Arc;

use sinew::Vec3;
use sinew::snapshot::{Item, Quantity, Shape, Snapshot};

use crate::geometry::{bounds_of, exaggerated};
use crate::{ColorScale, MarkedFaces, Slice, View, ViewOptions};

pub(crate) use colors::ink;
pub(crate) use gather::Gathered;
pub(crate) use items::{face_color, tones};
pub use label::{Anchor, Label};
pub(crate) use layout::{FLATNESS, Tube};
pub(crate) use sections::update_soup;
pub(crate) use selection::{Selected, opacity};
pub(crate) use state::{SAMPLES, samples_of_window};
pub(crate) use surfaces::{NO_NUMBER, Surfaces};
pub(crate) use writing::{BAR_WIDTH, bar_area};

use lights::{Light, ShadowMaps};
use pipelines::Pipelines;
use sections::Sections;
use selection::Shown;
use targets::Targets;
use upload::Uploads;
use writing::Writing;

/// A texture to draw a picture into, that is used so afterwards.
pub(crate) fn picture_texture(
    device: &wgpu::Device,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
        view_formats: &[],
    })
}

/// Inputs of the last motion of the surfaces: model and snapshot, exaggeration, colours, quantity.
type MovedTo = ([u64; 2], f32, ColorScale, Quantity);

/// Draws snapshots on one device.
pub struct Renderer {
    pipelines: Pipelines,
    uploads: Uploads,
    targets: Option<Targets>,
    shadow_maps: ShadowMaps,
    surfaces: Surfaces,
    gathered: Gathered,
    /// Inputs from which the lines and dots were gathered: model, scene and snapshot, and the
    /// options of the view.
    gathered_from: Option<([u64; 3], ViewOptions)>,
    sections: Sections,
    /// Samples of a pixel.
    samples: u32,
    /// True if the target takes sRGB as it is, and does not convert to it.
    encodes: bool,
    /// Inputs of the last motion of the surfaces.
    moved_to: Option<MovedTo>,
    /// The faces that are marked.
    marked: Option<Arc<MarkedFaces>>,
}

impl Renderer {
    /// A renderer whose pictures have this format, and so many samples of a pixel: 1 or 4.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat, samples: u32) -> Self {
        Self {
            pipelines: Pipelines::new(device, format, samples),
            samples,
            uploads: Uploads::new(device),
            targets: None,
            shadow_maps: ShadowMaps::new(device),
            surfaces: Surfaces::default(),
            gathered: Gathered::default(),
            gathered_from: None,
            sections: Sections::default(),
            encodes: !format.is_srgb(),
            moved_to: None,
            marked: None,
        }
    }

    /// Draws a snapshot over the whole of `target`, whose size in pixels is `size`.
    #[expect(clippy::too_many_arguments, reason = "the parts of a frame, as wgpu has them")]
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        snapshot: &Snapshot,
        view: &View,
    ) {
        if size.contains(&0) {
            return;
        }
        let snapshot = &*exaggerated(snapshot, &view.options);
        let selected = Selected::of(&snapshot.scene, &view.options.selection);
        self.update_items((device, queue), snapshot, view, &selected);
        let mut writing = Writing::new(snapshot, view, size);
        let shown = Shown { snapshot, view, selected: &selected };
        let plan = passes::Plan::new(&self.surfaces, &self.sections.soup, &self.gathered, shown);
        self.fit_targets(device, size, plan.has_glass());
        let light = Light::of(snapshot, view);
        self.shadow_maps.prepare(device, light.is_some());
        let light = light.as_ref();
        let shared =
            globals::globals(snapshot, view, size, (self.encodes, plan.has_glass()), light);
        self.uploads.shared((device, queue), (&shared, light));
        self.uploads.around((device, queue), &grid_lines(snapshot, view), &mut writing.marks);
        let Some(targets) = &self.targets else { return };
        let groups = self.uploads.groups(device, &self.pipelines, &self.shadow_maps);
        let drawing = passes::Drawing {
            pipelines: &self.pipelines,
            uploads: &self.uploads,
            targets,
            groups: &groups,
            plan: &plan,
            shadow_map: self.shadow_maps.map().filter(|_| light.is_some()),
        };
        drawing.record(encoder, target, view.options.ambient_occlusion);
    }

    fn fit_targets(&mut self, device: &wgpu::Device, size: [u32; 2], translucent: bool) {
        let fits = |t: &Targets| t.size == size && (t.glass.is_some() || !translucent);
        if !self.targets.as_ref().is_some_and(fits) {
            self.targets =
                Some(Targets::new(device, &self.pipelines, size, (translucent, self.samples)));
        }
    }

    /// Texts of a picture, to be written over it.
    pub fn labels(&self, snapshot: &Snapshot, view: &View, size: [u32; 2]) -> Vec<Label> {
        let drawn = exaggerated(snapshot, &view.options);
        let mut labels = Writing::new(&drawn, view, size).labels;
        hide_behind_model(&mut labels, snapshot, view, size);
        labels
    }

    /// Items, lines, dots and sections: a camera that moves leaves them as they are.
    fn update_lists(
        &mut self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        (snapshot, is_new): (&Snapshot, bool),
        view: &View,
        selected: &Selected,
    ) {
        let shown = [snapshot.model, snapshot.scene.serial, snapshot.serial];
        let same = self.gathered_from.as_ref();
        if is_new || same.is_none_or(|(of, options)| (of, options) != (&shown, &view.options)) {
            self.gathered.gather(snapshot, view, selected);
            self.gathered_from = Some((shown, view.options.clone()));
            self.uploads.gathered(gpu, &self.gathered);
            self.uploads.items(gpu, Shown { snapshot, view, selected });
        }
        if self.sections.update(&self.surfaces, snapshot, view) {
            self.uploads.sections(gpu, &self.sections.soup);
        }
    }

    /// Takes in a snapshot, its surfaces first.
    fn update_items(
        &mut self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        snapshot: &Snapshot,
        view: &View,
        selected: &Selected,
    ) {
        let is_new = self.update_surfaces(gpu, snapshot, view);
        self.update_lists(gpu, (snapshot, is_new), view, selected);
        let wanted = Some(view.options.marked.clone());
        if is_new || self.marked != wanted {
            self.uploads.marked(gpu, &self.surfaces.marked(&view.options.marked));
            self.marked = wanted;
        }
    }

    /// True if the scene is another one.
    fn update_surfaces(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        snapshot: &Snapshot,
        view: &View,
    ) -> bool {
        let scale = view.options.color_scale(&snapshot.field);
        let shown = [snapshot.model, snapshot.serial];
        let wanted = Some((shown, view.options.exaggeration, scale, snapshot.field.quantity));
        let is_new = self.surfaces.prepare(snapshot);
        if is_new || self.moved_to != wanted {
            self.surfaces.update(snapshot, scale);
            self.moved_to = wanted;
            self.uploads.moving((device, queue), &self.surfaces, is_new);
        }
        is_new
    }
}

/// The lines of the grids that a view shows.
fn grid_lines(snapshot: &Snapshot, view: &View) -> Vec<layout::Mark> {
    let mut lines = Vec::new();
    for grid in grid::grids_of(snapshot, view) {
        grid.add_marks(snapshot.scene.origin, view.options.background, &mut lines);
    }
    lines
}

/// Triangles of a model for which it is looked whether they lie before a text: of larger ones, texts are seen
/// through.
const MOST_LOOKED_AT: usize = 60_000;

/// Leaves out texts of the grid that the model lies before.
fn hide_behind_model(labels: &mut Vec<Label>, snapshot: &Snapshot, view: &View, size: [u32; 2]) {
    let count = |item: &Item| match &item.shape {
        Shape::Rigid { triangles, .. } | Shape::Tissue { triangles, .. } => triangles.len(),
        Shape::Points(_) | Shape::Lines(_) | Shape::Fibres { .. } | Shape::Frame { .. } => 0,
    };
    if snapshot.scene.items.iter().map(count).sum::<usize>() > MOST_LOOKED_AT {
        return;
    }
    labels.retain(|label| {
        let Some(depth) = label.depth else { return true };
        let hit = crate::pick(snapshot, view, size, label.pixel.map(f64::from));
        let before = hit.and_then(|hit| view.camera.project(hit.point, size));
        before.is_none_or(|(_, of_model)| of_model > depth)
    });
}

/// Corners of the grid behind a box, as a camera sees it [m]; those of the box where there is none.
pub(crate) fn grid_corners(bounds: [Vec3; 2], camera: &crate::Camera) -> [Vec3; 4] {
    let none = [bounds[0], bounds[1], bounds[0], bounds[1]];
    grid::Grid::new(bounds, camera).map_or(none, |grid| grid.corners())
}

/// The plane of the grid that a view shows, as one that cuts.
pub fn grid_plane(snapshot: &Snapshot, view: &View) -> Option<Slice> {
    let bounds: [Vec3; 2] = bounds_of(&exaggerated(snapshot, &view.options));
    grid::Grid::new(bounds, &view.camera).map(|grid| grid.slice())
}
