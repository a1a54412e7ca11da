//! Draws snapshots with wgpu. What a scene holds stays on the device while the scene stays; each
//! snapshot sends what moves.
//!
//! Passes: solids with depth (four samples a pixel), translucent parts by weighted sums
//! [McGuire2013], obscurance from depths [McGuire2011], then the picture from all of these, and the
//! bar and the directions over it.

mod buffers;
mod gather;
mod globals;
mod grid;
mod labels;
mod layout;
mod passes;
mod pipelines;
mod selection;
mod state;
mod surfaces;
mod targets;
#[cfg(test)]
mod tests;
mod upload;

use sinew::Vec3;
use sinew::snapshot::{Quantity, Shape, Snapshot};

use crate::geometry::{Soup, add_section, add_shrunk, bounds_of, exaggerated};
use crate::scene_view::SliceKind;
use crate::{Slice, View};

pub(crate) use gather::Gathered;
pub(crate) use globals::{face_color, opacity};
pub use labels::{Anchor, Label};
pub(crate) use layout::Tube;
pub(crate) use selection::Selected;
pub(crate) use state::{SAMPLES, samples_of_window};
pub(crate) use surfaces::{NO_NUMBER, Surfaces};

use labels::Writing;
use pipelines::Pipelines;
use selection::Shown;
use targets::Targets;
use upload::Uploads;

/// Colour of what is selected.
pub(crate) const SELECTION: [f32; 3] = [1.0, 0.55, 0.05];

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

/// Snapshot, exaggeration, range and quantity.
type MovedTo = (u64, f32, [f32; 2], Quantity);

/// Draws snapshots on one device.
pub struct Renderer {
    pipelines: Pipelines,
    uploads: Uploads,
    targets: Option<Targets>,
    surfaces: Surfaces,
    gathered: Gathered,
    soup: Soup,
    /// Samples of a pixel.
    samples: u32,
    /// Whether the target takes sRGB as it is, and does not convert to it.
    encodes: bool,
    /// What the surfaces were last moved to.
    moved_to: Option<MovedTo>,
}

impl Renderer {
    /// A renderer whose pictures have this format, and so many samples of a pixel: 1 or 4.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat, samples: u32) -> Self {
        Self {
            pipelines: Pipelines::new(device, format, samples),
            samples,
            uploads: Uploads::new(device),
            targets: None,
            surfaces: Surfaces::default(),
            gathered: Gathered::default(),
            soup: Soup::default(),
            encodes: !format.is_srgb(),
            moved_to: None,
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
        self.update_surfaces((device, queue), snapshot, view);
        self.gathered.gather(snapshot, view, &selected);
        update_soup(&mut self.soup, &self.surfaces, snapshot, view);
        let mut writing = Writing::new(snapshot, view, size);
        let shown = Shown { snapshot, view, selected: &selected };
        let plan = passes::Plan::new(&self.surfaces, &self.soup, &self.gathered, shown);
        let translucent = plan.has_glass();
        self.fit_targets(device, size, translucent);
        let shared = globals::globals(snapshot, view, size, (self.encodes, translucent));
        self.uploads.shared((device, queue), &shared, shown);
        if view.options.grid
            && let Some(grid) = grid::Grid::new(bounds_of(snapshot), &view.camera)
        {
            let marks = &mut self.gathered.marks;
            grid.add_marks(snapshot.scene.origin, view.options.background, marks);
        }
        self.uploads.lists((device, queue), &self.gathered, &self.soup, &mut writing.marks);
        let Some(targets) = &self.targets else { return };
        let groups = self.uploads.groups(device, &self.pipelines);
        let drawing = passes::Drawing {
            pipelines: &self.pipelines,
            uploads: &self.uploads,
            targets,
            groups: &groups,
            plan: &plan,
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
        Writing::new(&exaggerated(snapshot, &view.options), view, size).labels
    }

    fn update_surfaces(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        snapshot: &Snapshot,
        view: &View,
    ) {
        let range = view.options.range_of(snapshot.field.range);
        let exaggeration = view.options.exaggeration;
        let wanted = Some((snapshot.serial, exaggeration, range, snapshot.field.quantity));
        let is_new = self.surfaces.prepare(snapshot);
        if is_new || self.moved_to != wanted {
            self.surfaces.update(snapshot, range);
            self.moved_to = wanted;
            self.uploads.moving((device, queue), &self.surfaces, is_new);
        }
    }
}

/// The plane of the grid that a view shows, as one that cuts.
pub fn grid_plane(snapshot: &Snapshot, view: &View) -> Option<Slice> {
    let bounds: [Vec3; 2] = bounds_of(&exaggerated(snapshot, &view.options));
    grid::Grid::new(bounds, &view.camera).map(|grid| grid.slice(&view.camera))
}

/// Sections and shrunken elements of all tissues that are visible.
pub(crate) fn update_soup(soup: &mut Soup, surfaces: &Surfaces, snapshot: &Snapshot, view: &View) {
    soup.clear();
    let options = &view.options;
    let plane = options.slice.and_then(|slice| slice.plane(snapshot.scene.origin));
    let alone = plane.is_some() && options.slice.is_some_and(|s| s.kind == SliceKind::Slice);
    for (place, item) in snapshot.scene.items.iter().enumerate() {
        let Shape::Tissue { inside, .. } = &item.shape else { continue };
        if !item.style.visible {
            continue;
        }
        let begin = soup.positions.len();
        if options.shrink > 0.0 && !alone {
            add_shrunk(inside, &surfaces.points, options.shrink.min(1.0), soup);
        } else if let Some((normal, d)) = plane {
            let normal: [f32; 3] = normal.map(|x| x as f32).into();
            add_section(inside, &surfaces.points, (normal, d as f32), soup);
        }
        soup.end_part(place, begin);
    }
}
