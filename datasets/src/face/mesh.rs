//! Hexahedra in layers between the outside of the face and the bones: depths of the tissue, layers, sets of nodes and elements.

use rayon::prelude::*;
use sinew::Vec3;
use sinew::fem::{ElementFace, ElementKind, MeshError, VolumeMesh};

use super::grid::{Edge, Grid, Lip, PER_DEGREE};
use super::shape::{EYE, Ground, Under, eyeball, outside};
use crate::bones::sdf::{Point, Ray};

/// Refinement of the grid in halves, and layers of elements of skin, of the superficial tissue and of the deep one, by resolution.
const RESOLUTIONS: [(usize, [usize; 3]); 5] =
    [(2, [1, 1, 1]), (3, [1, 2, 1]), (4, [1, 2, 2]), (5, [2, 3, 2]), (6, [2, 4, 3])];
/// Largest resolution.
pub(super) const MOST_RESOLUTION: usize = RESOLUTIONS.len() - 1;

/// Thickness of the skin with its fat [mm], and its largest part of the depth.
const SKIN: f64 = 1.8;
const SKIN_PART: f64 = 0.34;
/// Least depth of the tissue [mm].
const LEAST_DEPTH: f64 = 2.6;
/// Space between free tissue and teeth, gums and eyeballs [mm].
const CLEARANCE: f64 = 0.5;
/// Space before the teeth in which cheeks and lips are free, on the unrolled face [mm]: half width, lower and upper end.
const VESTIBULE: [f64; 3] = [56.0, 19.0, 58.0];
/// Fascia of parotid gland and masseter, which holds what lies on it, on the unrolled face [mm]: from here sideways, and downwards.
const PAROTID: [f64; 2] = [86.0, 80.0];
/// Half axes of the region of the lids on the unrolled face [mm].
const LIDS: [f64; 2] = [17.5 * PER_DEGREE, 13.5];
/// Sweeps by which depths are evened at the coarsest resolution.
const SWEEPS: usize = 4;
/// Millimetres to metres.
const MM: f64 = 1e-3;

/// Layers of the face, from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// Epidermis, dermis and the fat that moves with it.
    Skin,
    /// Muscles of expression and the fat between them.
    Superficial,
    /// Loose fat and connective tissue on the bone.
    Deep,
}

impl Layer {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Skin, Self::Superficial, Self::Deep];

    /// Name of its element set.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Skin => "skin",
            Self::Superficial => "superficial",
            Self::Deep => "deep",
        }
    }
}

/// An element of the face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) layer: Layer,
    /// Number among the layers of elements, from outside.
    pub(super) level: usize,
    /// Centre on the unrolled face [mm]: to the left, up.
    pub(super) at: [f64; 2],
    /// Its edges to the left and up on the unrolled face [mm], and in space [m].
    pub(super) flat: [[f64; 2]; 2],
    pub(super) edges: [Vec3; 2],
    /// Its volume [m³].
    pub(super) volume: f64,
}

/// A free node that comes to rest on teeth and gums when it goes inwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) node: u32,
    /// Unit vector away from the bone.
    pub(super) outward: Vec3,
    /// Way that it may go until it touches [m].
    pub(super) play: f64,
}

/// The mesh with what muscles, attachments and materials need of it.
pub(super) struct FaceMesh {
    pub(super) mesh: VolumeMesh,
    /// Elements, in the order of the mesh.
    pub(super) cells: Vec<Cell>,
    /// Nodes on each bone.
    pub(super) attached: Vec<(Under, Vec<u32>)>,
    /// Innermost nodes before teeth and gums.
    pub(super) stops: Vec<Stop>,
}

/// The tissue under one vertex of the grid.
struct Column {
    ray: Ray,
    /// Distance of the outside along the ray [mm].
    skin: f64,
    /// Depth of the tissue, and of the bone where there is one near [mm].
    depth: f64,
    bone: Option<f64>,
}

impl Column {
    /// The column at a vertex; the outside moves away from bone that would come too near.
    fn new(ray: Ray, at: [f64; 2], head: &impl Fn(Point) -> f64, ground: &Ground) -> Self {
        const REACH: f64 = 150.0;
        // A ray that finds nothing ends at the place of the table.
        let mut skin = ray.hit([0.0, REACH], head).unwrap_or(60.0);
        let most = most_depth(at);
        let bone = ray.hit([skin - LEAST_DEPTH, skin + most + 6.0], |p| ground.value(p));
        let free = bone.is_some_and(|bone| is_free(at, ray.at(bone)));
        let clear = if free { CLEARANCE } else { 0.0 };
        if let Some(bone) = bone {
            skin = skin.min(bone - LEAST_DEPTH - clear);
        }
        let bone = bone.map(|bone| bone - clear - skin);
        Self { ray, skin, depth: bone.unwrap_or(most).min(most), bone }
    }

    /// The point at a part of the depth [m].
    fn at(&self, part: f64) -> Vec3 {
        Vec3::from(self.ray.at(self.skin + part * self.depth)) * MM
    }
}

/// Depth of tissue that lies on no bone [mm].
fn most_depth([s, z]: [f64; 2]) -> f64 {
    let aside = s.abs();
    // 1 inside of an ellipse, 0 outside of one twice as large.
    let near = |center: [f64; 2], axes: [f64; 2]| {
        let [a, b] = [(aside - center[0]) / axes[0], (z - center[1]) / axes[1]];
        (2.0 - (a * a + b * b).sqrt()).clamp(0.0, 1.0)
    };
    let cheek = near([55.0, 48.0], [26.0, 24.0]);
    let lips = near([0.0, 39.0], [24.0, 12.0]);
    let nose = near([0.0, 76.0], [18.0, 16.0]);
    let lids = near([27.0 * PER_DEGREE, EYE[2]], LIDS);
    let low = (1.0 - z / 16.0).clamp(0.0, 1.0);
    let depth = 10.0 + 6.0 * cheek + 1.5 * lips + 3.0 * nose - 2.0 * low;
    depth + (3.0 - depth) * lids
}

/// True where tissue slides on what it lies on: before the teeth, and on the eyeballs.
fn is_free([s, z]: [f64; 2], p: Point) -> bool {
    let [aside, low, high] = VESTIBULE;
    (s.abs() < aside && low < z && z < high) || eyeball(p) < 1.0
}

/// Rounds the outside where it has steps between rays, and evens the depths where no bone bounds them; both sides stay mirror images.
fn smooth(columns: &mut [Column], beside: &[Vec<usize>], sweeps: usize) {
    /// Part of the way to the mean of the neighbours that the outside goes [-].
    const ROUNDED: f64 = 0.4;
    let means = |columns: &[Column], of: fn(&Column) -> f64| -> Vec<f64> {
        let mean = |near: &Vec<usize>| {
            near.iter().map(|&k| of(&columns[k])).sum::<f64>() / near.len() as f64
        };
        beside.iter().map(mean).collect()
    };
    let skins = means(columns, |column| column.skin);
    for (column, mean) in columns.iter_mut().zip(skins) {
        // Less inwards than outwards: a ridge would lose its height.
        let moved = (ROUNDED * (mean - column.skin)).clamp(-1.0, 0.3);
        column.skin += moved;
        column.bone = column.bone.map(|bone| bone - moved);
        column.depth = column.bone.unwrap_or(f64::INFINITY).min(column.depth);
    }
    for _ in 0..sweeps {
        let means = means(columns, |column| column.depth);
        for (column, mean) in columns.iter_mut().zip(means) {
            let wanted = 0.5 * (column.depth + mean);
            let most = column.bone.unwrap_or(f64::INFINITY);
            column.depth = wanted.max(LEAST_DEPTH).min(most);
        }
    }
}

/// Vertices beside each vertex, along the edges of cells.
fn neighbours(count: usize, cells: &[[usize; 4]]) -> Vec<Vec<usize>> {
    let mut beside = vec![Vec::new(); count];
    for cell in cells {
        for k in 0..4 {
            let (a, b) = (cell[k], cell[(k + 1) % 4]);
            for (a, b) in [(a, b), (b, a)] {
                if !beside[a].contains(&b) {
                    beside[a].push(b);
                }
            }
        }
    }
    beside
}

/// The columns of tissue of all vertices: those of the left, and their mirror images.
fn columns(grid: &Grid, sweeps: usize) -> Vec<Column> {
    let (ground, outside) = (Ground::new(), outside());
    let head = |p: Point| outside.value(p);
    let count = grid.vertices.len();
    let made: Vec<Column> = (0..count)
        .into_par_iter()
        .map(|k| {
            let left = if grid.vertices[k].column < 0 { grid.mirrored(k) } else { k };
            let column = Column::new(grid.ray(left), grid.unrolled(left), &head, &ground);
            Column { ray: grid.ray(k), ..column }
        })
        .collect();
    let mut columns = made;
    smooth(&mut columns, &neighbours(count, &grid.cells()), sweeps);
    columns
}

/// Bounds of the layers of elements as parts of a depth [mm], from outside.
fn levels(depth: f64, counts: [usize; 3]) -> Vec<f64> {
    let skin = (SKIN / depth).min(SKIN_PART);
    let middle = skin + 0.5 * (1.0 - skin);
    let ends = [0.0, skin, middle, 1.0];
    let within = |k: usize| {
        let (from, to, n) = (ends[k], ends[k + 1], counts[k]);
        (1..=n).map(move |i| from + (to - from) * i as f64 / n as f64)
    };
    std::iter::once(0.0).chain((0..3).flat_map(within)).collect()
}

/// The mesh of a resolution.
///
/// # Errors
/// None that a resolution up to [`MOST_RESOLUTION`] can have.
pub(super) fn face_mesh(resolution: usize) -> Result<FaceMesh, MeshError> {
    let (halves, counts) = RESOLUTIONS[resolution];
    let grid = Grid::new(halves);
    let columns = columns(&grid, SWEEPS * halves / 2 * halves / 2);
    let level_count = counts.iter().sum::<usize>();
    let mut mesh = VolumeMesh::default();
    for column in &columns {
        mesh.nodes.extend(levels(column.depth, counts).into_iter().map(|part| column.at(part)));
    }
    let node = |vertex: usize, level: usize| (vertex * (level_count + 1) + level) as u32;
    let layer_of = |level: usize| match level {
        level if level < counts[0] => Layer::Skin,
        level if level < counts[0] + counts[1] => Layer::Superficial,
        _ => Layer::Deep,
    };
    let mut cells = Vec::new();
    for corners in grid.cells() {
        for level in 0..level_count {
            let face = |level| corners.map(|vertex| node(vertex, level));
            let nodes = [face(level), face(level + 1)].concat();
            mesh.push_element(ElementKind::Hex8, &nodes)?;
            cells.push(cell(
                &mesh,
                &nodes,
                (layer_of(level), level),
                corners.map(|v| grid.unrolled(v)),
            ));
        }
    }
    add_sets(&mut mesh, &grid, &cells, level_count);
    let attached = attached(&grid, &columns, level_count);
    let stops = stops(&grid, &columns, level_count);
    Ok(FaceMesh { mesh, cells, attached, stops })
}

fn cell(
    mesh: &VolumeMesh,
    nodes: &[u32],
    (layer, level): (Layer, usize),
    flat: [[f64; 2]; 4],
) -> Cell {
    let x = |k: usize| mesh.nodes[nodes[k] as usize];
    let mean = |of: [usize; 4]| of.iter().map(|&k| x(k)).sum::<Vec3>() / 4.0;
    let left = mean([1, 2, 5, 6]) - mean([0, 3, 4, 7]);
    let up = mean([2, 3, 6, 7]) - mean([0, 1, 4, 5]);
    let out = mean([0, 1, 2, 3]) - mean([4, 5, 6, 7]);
    let side = |of: [usize; 2], axis: usize| 0.5 * (flat[of[0]][axis] + flat[of[1]][axis]);
    let edge =
        |to: [usize; 2], from: [usize; 2]| [0, 1].map(|axis| side(to, axis) - side(from, axis));
    Cell {
        layer,
        level,
        at: [0, 1].map(|axis| 0.5 * (side([0, 1], axis) + side([2, 3], axis))),
        flat: [edge([1, 2], [0, 3]), edge([2, 3], [0, 1])],
        edges: [left, up],
        volume: left.cross(&up).dot(&out),
    }
}

/// Node sets of corners and edges of mouth and lids, element sets of layers, the face set `outside`.
fn add_sets(mesh: &mut VolumeMesh, grid: &Grid, cells: &[Cell], level_count: usize) {
    let outer = |vertices: Vec<usize>| -> Vec<u32> {
        vertices.into_iter().map(|vertex| (vertex * (level_count + 1)) as u32).collect()
    };
    let [left, right] = grid.mouth_corners();
    let sets = [
        ("left_mouth_corner", vec![left]),
        ("right_mouth_corner", vec![right]),
        ("upper_lip", grid.lip(Lip::Upper)),
        ("lower_lip", grid.lip(Lip::Lower)),
        ("left_upper_lid", grid.lid(1, Lip::Upper)),
        ("left_lower_lid", grid.lid(1, Lip::Lower)),
        ("right_upper_lid", grid.lid(-1, Lip::Upper)),
        ("right_lower_lid", grid.lid(-1, Lip::Lower)),
    ];
    mesh.node_sets.extend(sets.map(|(name, vertices)| (name.to_owned(), outer(vertices))));
    for layer in Layer::ALL {
        let own = (0..).zip(cells).filter(|(_, cell)| cell.layer == layer).map(|(e, _)| e);
        mesh.element_sets.insert(layer.name().to_owned(), own.collect());
    }
    let skin = (0..).zip(cells).filter(|(_, cell)| cell.level == 0);
    // The first face of a hexahedron is the outer one.
    let faces = skin.map(|(element, _)| ElementFace { element, face: 0 });
    mesh.face_sets.insert("outside".to_owned(), faces.collect());
}

/// Innermost nodes on bone and on the fascia before the ear; all nodes at the edges of the mesh, where the tissue goes on, and at the
/// corners of the eyes, which tendons hold.
fn attached(grid: &Grid, columns: &[Column], level_count: usize) -> Vec<(Under, Vec<u32>)> {
    const TOUCH: f64 = 0.05;
    let ground = Ground::new();
    let mut found = Under::ALL.map(|bone| (bone, Vec::new()));
    for (vertex, column) in columns.iter().enumerate() {
        let at = grid.unrolled(vertex);
        let inner = column.ray.at(column.skin + column.depth);
        let lies = column.bone.is_some_and(|bone| column.depth > bone - TOUCH);
        let on_fascia = at[0].abs() > PAROTID[0] && at[1] < PAROTID[1];
        let (under, levels) = match grid.edge(vertex) {
            Some(Edge::Bottom) => (Some(Under::Mandible), 0..level_count + 1),
            Some(Edge::Other) => (Some(Under::Cranium), 0..level_count + 1),
            Some(Edge::EyeCorner) => (Some(Under::Maxilla), 0..level_count + 1),
            None if is_free(at, inner) => (None, 0..0),
            None if lies => (ground.under(inner), level_count..level_count + 1),
            None if on_fascia => (Some(Under::Mandible), level_count..level_count + 1),
            None => (None, 0..0),
        };
        if let Some((_, nodes)) = found.iter_mut().find(|(bone, _)| Some(*bone) == under) {
            nodes.extend(levels.map(|level| (vertex * (level_count + 1) + level) as u32));
        }
    }
    found.into()
}

/// Innermost nodes that slide on teeth and gums.
fn stops(grid: &Grid, columns: &[Column], level_count: usize) -> Vec<Stop> {
    let stop = |(vertex, column): (usize, &Column)| {
        let inner = column.ray.at(column.skin + column.depth);
        let before_teeth = is_free(grid.unrolled(vertex), inner) && eyeball(inner) > 1.0;
        let play = (column.bone? - column.depth + CLEARANCE) * MM;
        let outward = -Vec3::from(column.ray.inward);
        let node = (vertex * (level_count + 1) + level_count) as u32;
        before_teeth.then_some(Stop { node, outward, play })
    };
    columns.iter().enumerate().filter_map(stop).collect()
}
