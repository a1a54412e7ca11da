//! Buffers on the device: those of the scene, and those of the picture that is drawn.

use super::buffers::{Growing, group};
use super::colors::SELECTION;
use super::gather::Gathered;
use super::items::{item_data, marked_data, tones};
use super::layout::{Globals, ItemData, Mark};
use super::lights::{Light, ShadowMaps};
use super::pipelines::Pipelines;
use super::selection::{Highlight, Shown};
use super::surfaces::Surfaces;
use crate::color::linear;
use crate::geometry::Soup;

/// Colours of the map on the device.
const MAP_STEPS: usize = 256;

/// Colour of edges whose style does not ask for them.
const EDGE: [f32; 3] = [0.12; 3];

/// The buffers.
pub(super) struct Uploads {
    globals: Growing,
    light_globals: Growing,
    items: Growing,
    color_map: Growing,
    edge_styles: Growing,
    positions: Growing,
    normals: Growing,
    pub(super) triangles: Growing,
    /// Triangles of marked faces.
    pub(super) marked: Growing,
    pub(super) edges: Growing,
    soup_positions: Growing,
    soup_normals: Growing,
    pub(super) tubes: Growing,
    pub(super) glass: Growing,
    pub(super) marks: Growing,
    pub(super) grid: Growing,
    pub(super) overlay: Growing,
    pub(super) counts: Counts,
    item_data: Vec<ItemData>,
    styles: Vec<[f32; 4]>,
}

/// Number of each kind of instances.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) tubes: u32,
    pub(super) glass: u32,
    pub(super) marks: u32,
    /// Corners of marked faces, and the item that they are drawn as.
    pub(super) marked: [u32; 2],
    pub(super) grid: u32,
    pub(super) overlay: u32,
}

/// Bind groups of the programs.
pub(super) struct Groups {
    pub(super) shared: wgpu::BindGroup,
    /// The same as the light sees it.
    pub(super) from_light: wgpu::BindGroup,
    pub(super) surfaces: wgpu::BindGroup,
    pub(super) soup: wgpu::BindGroup,
}

impl Uploads {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        use wgpu::BufferUsages as Usage;
        let storage = || Growing::new(device, Usage::STORAGE);
        let instances = || Growing::new(device, Usage::VERTEX);
        Self {
            globals: Growing::new(device, Usage::UNIFORM),
            light_globals: Growing::new(device, Usage::UNIFORM),
            items: storage(),
            color_map: storage(),
            edge_styles: storage(),
            positions: storage(),
            normals: storage(),
            triangles: Growing::new(device, Usage::INDEX),
            marked: Growing::new(device, Usage::INDEX),
            edges: instances(),
            soup_positions: storage(),
            soup_normals: storage(),
            tubes: instances(),
            glass: instances(),
            marks: instances(),
            grid: instances(),
            overlay: instances(),
            counts: Counts::default(),
            item_data: Vec::new(),
            styles: Vec::new(),
        }
    }

    /// Surfaces: all of a new scene, or what moves.
    pub(super) fn moving(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        surfaces: &Surfaces,
        is_new: bool,
    ) {
        let count = if is_new { surfaces.positions.len() } else { surfaces.moving };
        self.positions.write(device, queue, &surfaces.positions[..count]);
        self.normals.write(device, queue, &surfaces.normals[..count]);
        if is_new {
            self.triangles.write(device, queue, &surfaces.triangles);
            self.edges.write(device, queue, &surfaces.edges);
        }
    }

    /// The camera.
    pub(super) fn shared(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        (globals, light): (&Globals, Option<&Light>),
    ) {
        self.globals.write(device, queue, &[*globals]);
        self.light_globals.write(device, queue, &[light.map_or(*globals, |light| light.globals)]);
    }

    /// Items and colours.
    pub(super) fn items(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        shown: Shown<'_>,
    ) {
        self.item_data.clear();
        self.styles.clear();
        let scene = &shown.snapshot.scene;
        for ((place, item), tone) in scene.items.iter().enumerate().zip(tones(scene)) {
            self.item_data.push(item_data((place, item, tone), shown));
            let style = &item.style;
            let color = match shown.highlight(place) {
                Highlight::Edges => SELECTION,
                _ if style.draw_edges => style.edge_color,
                _ => EDGE,
            };
            let [r, g, b] = linear(color);
            self.styles.push([r, g, b, style.edge_width]);
        }
        // The next one is that of what belongs to no item, the last one that of marked faces.
        self.item_data.push(ItemData::default());
        self.item_data.push(marked_data(&self.item_data, shown));
        self.counts.marked[1] = scene.items.len() as u32 + 1;
        self.items.write(device, queue, &self.item_data);
        self.edge_styles.write(device, queue, &self.styles);
        let map = shown.view.options.color_map;
        let colors: [[f32; 4]; MAP_STEPS] = std::array::from_fn(|k| {
            let [r, g, b] = linear(map.color(k as f32 / (MAP_STEPS - 1) as f32));
            [r, g, b, 1.0]
        });
        self.color_map.write(device, queue, &colors);
    }

    /// Lines, dots and solids.
    pub(super) fn gathered(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        gathered: &Gathered,
    ) {
        self.tubes.write(device, queue, &gathered.tubes);
        self.glass.write(device, queue, &gathered.glass);
        self.marks.write(device, queue, &gathered.marks);
        self.counts.tubes = gathered.tubes.len() as u32;
        self.counts.glass = gathered.glass.len() as u32;
        self.counts.marks = gathered.marks.len() as u32;
    }

    /// Marked faces.
    pub(super) fn marked(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        triangles: &[[u32; 3]],
    ) {
        self.marked.write(device, queue, triangles);
        self.counts.marked[0] = 3 * triangles.len() as u32;
    }

    /// Sections and shrunken elements.
    pub(super) fn sections(&mut self, (device, queue): (&wgpu::Device, &wgpu::Queue), soup: &Soup) {
        self.soup_positions.write(device, queue, &soup.positions);
        self.soup_normals.write(device, queue, &soup.normals);
    }

    /// The grid, and what is drawn over the picture in pixels.
    pub(super) fn around(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        grid: &[Mark],
        overlay: &mut [Mark],
    ) {
        self.grid.write(device, queue, grid);
        self.overlay.write(device, queue, overlay);
        self.counts.grid = grid.len() as u32;
        self.counts.overlay = overlay.len() as u32;
    }

    pub(super) fn groups(
        &self,
        device: &wgpu::Device,
        pipelines: &Pipelines,
        maps: &ShadowMaps,
    ) -> Groups {
        let shared = |globals, map| {
            let buffers = [globals, &self.items, &self.color_map, &self.edge_styles];
            group(device, &pipelines.shared, &buffers.map(Growing::buffer), Some(map))
        };
        let surfaces = [&self.positions, &self.normals].map(Growing::buffer);
        let soup = [&self.soup_positions, &self.soup_normals].map(Growing::buffer);
        Groups {
            shared: shared(&self.globals, maps.map().unwrap_or(maps.none())),
            from_light: shared(&self.light_globals, maps.none()),
            surfaces: group(device, &pipelines.vertices, &surfaces, None),
            soup: group(device, &pipelines.vertices, &soup, None),
        }
    }
}
