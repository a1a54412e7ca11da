//! Surfaces of a scene as arrays: those that stay while the scene stays, and those that each
//! snapshot moves.

use std::ops::Range;
use std::sync::Arc;

use sinew::snapshot::{Quantity, Scene, Shape, Snapshot};

use crate::geometry::Skin;
use crate::{ColorScale, MarkedFaces};

/// Number of what has no value on the colour map.
pub(crate) const NO_NUMBER: f32 = -1e9;

/// Numbers are kept within this, so that those interpolated with them stay numbers.
const LARGEST_NUMBER: f32 = 1e5;

/// The surface of one item.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Index of the item.
    pub(crate) item: usize,
    /// True if its vertices are points of the snapshot; they are of a frame otherwise.
    pub(crate) moves: bool,
    skin: Skin,
    /// Its vertices among all.
    pub(crate) vertices: Range<usize>,
    /// Its triangles among all.
    pub(crate) triangles: Range<u32>,
    /// Its edges among all.
    pub(crate) edges: Range<u32>,
}

/// Surfaces of all items: vertices that move come first.
#[derive(Debug, Default)]
pub(crate) struct Surfaces {
    scene: Option<Arc<Scene>>,
    point_count: usize,
    /// Points with their numbers on the colour map.
    pub(crate) points: Vec<[f32; 4]>,
    /// Place of each vertex, and its number.
    pub(crate) positions: Vec<[f32; 4]>,
    /// Normal of each.
    pub(crate) normals: Vec<[f32; 4]>,
    /// Number of vertices that move.
    pub(crate) moving: usize,
    /// Vertices of each triangle.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Vertices at the ends of each edge, its item, nothing.
    pub(crate) edges: Vec<[u32; 4]>,
    /// One a surface.
    pub(crate) parts: Vec<Part>,
}

impl Surfaces {
    /// Makes the arrays of the scene of a snapshot, unless they are there; whether they are new.
    pub(crate) fn prepare(&mut self, snapshot: &Snapshot) -> bool {
        let items = &snapshot.scene.items;
        let same = self.scene.as_ref().is_some_and(|scene| Arc::ptr_eq(&scene.items, items));
        if same && self.point_count == snapshot.points.len() {
            return false;
        }
        *self = Self {
            scene: Some(snapshot.scene.clone()),
            point_count: snapshot.points.len(),
            ..Self::default()
        };
        for moves in [true, false] {
            for (place, item) in snapshot.scene.items.iter().enumerate() {
                match &item.shape {
                    Shape::Tissue { triangles, edges, .. } if moves => {
                        let skin = Skin::new(&snapshot.points, triangles);
                        self.add(place, true, skin, edges);
                    }
                    Shape::Rigid { vertices, triangles, .. } if !moves => {
                        let skin = Skin::new(vertices, triangles);
                        self.add_rigid(place, skin, vertices, triangles);
                    }
                    Shape::Tissue { .. }
                    | Shape::Rigid { .. }
                    | Shape::Fibres { .. }
                    | Shape::Points(_)
                    | Shape::Lines(_)
                    | Shape::Frame { .. } => {}
                }
            }
            if moves {
                self.moving = self.positions.len();
            }
        }
        true
    }

    /// Vertices of the triangles of marked faces.
    pub(crate) fn marked(&self, marked: &MarkedFaces) -> Vec<[u32; 3]> {
        let Some(scene) = &self.scene else { return Vec::new() };
        let of_owner = |part: &&Part| Some(scene.items[part.item].owner) == marked.owner;
        let Some(part) = self.parts.iter().filter(|part| part.moves).find(of_owner) else {
            return Vec::new();
        };
        let range = part.triangles.start as usize..part.triangles.end as usize;
        let all = &self.triangles[range];
        marked.triangles.iter().filter_map(|&t| all.get(t as usize).copied()).collect()
    }

    fn add(&mut self, item: usize, moves: bool, skin: Skin, edges: &[[u32; 2]]) {
        let first = self.positions.len();
        let triangle = self.triangles.len() as u32;
        let edge = self.edges.len() as u32;
        let shifted = |t: &[u32; 3]| t.map(|v| first as u32 + v);
        self.triangles.extend(skin.triangles.iter().map(shifted));
        let last = skin.points.iter().max().map_or(0, |p| *p as usize + 1);
        let mut vertex_of = vec![u32::MAX; last];
        for (vertex, point) in skin.points.iter().enumerate() {
            vertex_of[*point as usize] = (first + vertex) as u32;
        }
        for ends in edges {
            let [Some(&a), Some(&b)] = ends.map(|p| vertex_of.get(p as usize)) else { continue };
            if a != u32::MAX && b != u32::MAX {
                self.edges.push([a, b, item as u32, 0]);
            }
        }
        let end = first + skin.points.len();
        self.positions.resize(end, [0.0, 0.0, 0.0, NO_NUMBER]);
        self.normals.resize(end, [0.0; 4]);
        self.parts.push(Part {
            item,
            moves,
            skin,
            vertices: first..end,
            triangles: triangle..self.triangles.len() as u32,
            edges: edge..self.edges.len() as u32,
        });
    }

    fn add_rigid(
        &mut self,
        item: usize,
        skin: Skin,
        vertices: &[[f32; 3]],
        triangles: &[[u32; 3]],
    ) {
        let sides = triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        self.add(item, false, skin, &edges);
        let Some(part) = self.parts.last() else { return };
        let range = part.vertices.clone();
        for (vertex, point) in range.clone().zip(&part.skin.points) {
            let [x, y, z] = vertices[*point as usize];
            self.positions[vertex] = [x, y, z, NO_NUMBER];
        }
        part.skin.calc_normals(&self.positions[range.clone()], &mut self.normals[range]);
    }

    /// Moves what moves to where it is in the snapshot, with numbers on a colour map by this scale.
    pub(crate) fn update(&mut self, snapshot: &Snapshot, scale: ColorScale) {
        self.points.clear();
        let number = numbers(snapshot, scale);
        let numbered = snapshot.points.iter().enumerate();
        self.points.extend(numbered.map(|(k, &[x, y, z])| [x, y, z, number(k)]));
        for part in self.parts.iter().filter(|part| part.moves) {
            let vertices = &mut self.positions[part.vertices.clone()];
            for (vertex, point) in vertices.iter_mut().zip(&part.skin.points) {
                *vertex = self.points[*point as usize];
            }
            part.skin.calc_normals(vertices, &mut self.normals[part.vertices.clone()]);
        }
    }
}

/// Number on a colour map of each point.
fn numbers(snapshot: &Snapshot, scale: ColorScale) -> impl Fn(usize) -> f32 {
    let field = &snapshot.field;
    let there = field.quantity != Quantity::None;
    move |point| match field.values.get(point) {
        Some(value) if there && value.is_finite() => {
            scale.number(*value).clamp(-LARGEST_NUMBER, LARGEST_NUMBER)
        }
        _ => NO_NUMBER,
    }
}
