//! The surface of a tissue as contact has it: triangles and edges over rows of positions, in trees of boxes that
//! are refitted as it moves. What touches what: `surface_pair.rs`; what would pass: `surface_crossing.rs`.

use std::collections::BTreeMap;

use sinew_mesh::geometry::{VertexFaces, sag};
use sinew_mesh::tree::{Bounds, BoxTree};

use crate::Vec3;

/// Triangles whose corners are rows of the array of positions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Row of each vertex.
    pub rows: Vec<u32>,
    /// Vertices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Number of the thing that moves each vertex: those with equal numbers do not move against each other.
    pub holders: Vec<u32>,
    /// Number of vertices, the last ones, that belong to sheets without an inside; each has a vertex and triangles for either side.
    pub sheet_vertices: u32,
}

impl Surface {
    /// The holder of vertices that move by themselves.
    pub const FREE: u32 = u32::MAX;

    /// Ends of its edges in the order of their numbers: each edge once, the lesser end first.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        edges_of(&self.triangles).iter().map(|edge| edge.ends).collect()
    }

    /// True if every list speaks of the same vertices, and a corner of every triangle is there.
    pub(super) fn is_sound(&self) -> bool {
        let count = self.rows.len();
        let is_there = |v: &u32| (*v as usize) < count;
        count == self.holders.len() && self.triangles.as_flattened().iter().all(is_there)
    }
}

/// An edge of one or two triangles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    /// Its triangles; the same one twice on a border.
    pub(super) faces: [u32; 2],
    /// The corner of the second triangle that is no end.
    opposite: u32,
}

/// A surface with its edges, where it is and how far it goes.
#[derive(Debug, Clone)]
pub(super) struct Skin {
    pub(super) surface: Surface,
    pub(super) edges: Vec<Edge>,
    /// Of each vertex: where it is, how far it goes [m], its normal.
    pub(super) points: Vec<Vec3>,
    pub(super) steps: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// Normal of each triangle; zero where it has no area.
    pub(super) face_normals: Vec<Vec3>,
    /// For the smooth surface.
    vertex_faces: VertexFaces,
    faces_near: Boxes,
    edges_near: Boxes,
    /// Margin of the boxes [m].
    border: f64,
}

impl Skin {
    pub(super) fn new(surface: Surface) -> Self {
        let count = surface.rows.len();
        let zeros = |count| vec![Vec3::zeros(); count];
        Self {
            edges: edges_of(&surface.triangles),
            points: zeros(count),
            steps: zeros(count),
            normals: zeros(count),
            face_normals: zeros(surface.triangles.len()),
            vertex_faces: VertexFaces::new(&surface.triangles, count),
            faces_near: Boxes::default(),
            edges_near: Boxes::default(),
            border: 0.0,
            surface,
        }
    }

    /// Takes the positions `q` [m] and how far they go, `steps` [m], of all rows; what is missing stays.
    pub(super) fn place(&mut self, q: &[Vec3], steps: &[Vec3]) {
        for (v, &row) in self.surface.rows.iter().enumerate() {
            self.points[v] = q[row as usize];
            self.steps[v] = steps.get(row as usize).copied().unwrap_or_default();
        }
        self.normals.fill(Vec3::zeros());
        for (normal, triangle) in self.face_normals.iter_mut().zip(&self.surface.triangles) {
            let [a, b, c] = triangle.map(|v| self.points[v as usize]);
            let area = (b - a).cross(&(c - a));
            *normal = area.try_normalize(0.0).unwrap_or_default();
            triangle.iter().for_each(|&v| self.normals[v as usize] += area);
        }
        for normal in &mut self.normals {
            *normal = normal.try_normalize(0.0).unwrap_or_default();
        }
    }

    /// Mean of the steps of its vertices [m].
    pub(super) fn mean_step(&self) -> Vec3 {
        self.steps.iter().sum::<Vec3>() / self.steps.len().max(1) as f64
    }

    /// Greatest distance of the smooth surface through its corners from the middles of its triangles and of their sides [m].
    pub(super) fn sag(&self) -> f64 {
        let of_face = |face: usize| sag(&self.corners(face), &self.normals_at_corners(face));
        (0..self.surface.triangles.len()).map(of_face).fold(0.0, f64::max)
    }

    /// Unit normals of the smooth surface at the corners of a triangle.
    pub(super) fn normals_at_corners(&self, face: usize) -> [Vec3; 3] {
        let area_normal = |face: usize| {
            let [a, b, c] = self.corners(face);
            (b - a).cross(&(c - a))
        };
        let (triangle, own) = (&self.surface.triangles[face], &self.face_normals[face]);
        self.vertex_faces.normals_at_corners(triangle, own, area_normal)
    }

    /// Takes the step of a frame off all steps [m].
    pub(super) fn seen_from(&mut self, frame: &Vec3) {
        self.steps.iter_mut().for_each(|step| *step -= frame);
    }

    /// The box around all ways, wider by `border` [m].
    pub(super) fn way(&self, border: f64) -> Bounds {
        let ways = self.points.iter().zip(&self.steps).flat_map(|(p, step)| [*p, p + step]);
        Bounds::of(ways, Vec3::repeat(border))
    }

    /// Takes the margin of all boxes [m].
    pub(super) fn set_border(&mut self, border: f64) {
        self.border = border;
    }

    /// Renews the hierarchies of the boxes of features.
    pub(super) fn sweep(&mut self) {
        let border = self.border;
        let (points, steps) = (&self.points, &self.steps);
        let triangles = self.surface.triangles.iter();
        self.faces_near.renew(triangles.map(|corners| around(points, steps, corners, border)));
        let edges = self.edges.iter();
        self.edges_near.renew(edges.map(|edge| around(points, steps, &edge.ends, border)));
    }

    /// Visits the triangles whose boxes overlap a box.
    pub(super) fn visit_faces(&self, with: &Bounds, visit: &mut dyn FnMut(usize)) {
        self.faces_near.visit(with, visit);
    }

    /// Visits the edges whose boxes overlap a box.
    pub(super) fn visit_edges(&self, with: &Bounds, visit: &mut dyn FnMut(usize)) {
        self.edges_near.visit(with, visit);
    }

    /// The box around the way of a vertex.
    pub(super) fn vertex_box(&self, v: usize) -> Bounds {
        around(&self.points, &self.steps, &[v as u32], self.border)
    }

    /// The box around the way of a triangle.
    pub(super) fn face_box(&self, face: usize) -> Bounds {
        around(&self.points, &self.steps, &self.surface.triangles[face], self.border)
    }

    /// The box around the way of an edge.
    pub(super) fn edge_box(&self, edge: usize) -> Bounds {
        around(&self.points, &self.steps, &self.edges[edge].ends, self.border)
    }

    /// True if a vertex belongs to a sheet, which has no inside to overlap with.
    pub(super) fn is_thin(&self, v: u32) -> bool {
        v as usize + self.surface.sheet_vertices as usize >= self.points.len()
    }

    pub(super) fn corners(&self, face: usize) -> [Vec3; 3] {
        self.surface.triangles[face].map(|v| self.points[v as usize])
    }

    pub(super) fn ends(&self, edge: usize) -> [Vec3; 2] {
        self.edges[edge].ends.map(|v| self.points[v as usize])
    }

    /// Depth of the far corner of an edge's second triangle below the plane of the first [m]:
    /// positive where the edge stands out, infinite on a border.
    pub(super) fn stands_out(&self, edge: usize) -> f64 {
        let Edge { ends, faces, opposite } = self.edges[edge];
        if faces[0] == faces[1] {
            return f64::INFINITY;
        }
        let arm = self.points[ends[0] as usize] - self.points[opposite as usize];
        arm.dot(&self.face_normals[faces[0] as usize])
    }
}

/// Boxes of features of one kind, in a tree.
#[derive(Debug, Clone, Default)]
struct Boxes {
    boxes: Vec<Bounds>,
    tree: Option<BoxTree>,
}

impl Boxes {
    fn renew(&mut self, boxes: impl Iterator<Item = Bounds>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        match &mut self.tree {
            Some(tree) => tree.refit(&self.boxes),
            None => self.tree = Some(BoxTree::new(self.boxes.clone())),
        }
    }

    fn visit(&self, with: &Bounds, visit: &mut dyn FnMut(usize)) {
        if let Some(tree) = &self.tree {
            tree.visit_overlapping(with, &mut |number| visit(number as usize));
        }
    }
}

/// The box around vertices and their ways.
fn around(points: &[Vec3], steps: &[Vec3], vertices: &[u32], border: f64) -> Bounds {
    let at = |v: &u32| points[*v as usize];
    let ways = vertices.iter().flat_map(|v| [at(v), at(v) + steps[*v as usize]]);
    Bounds::of(ways, Vec3::repeat(border))
}

/// Each edge once, by rising ends; one of more than two triangles is a border.
fn edges_of(triangles: &[[u32; 3]]) -> Vec<Edge> {
    let mut sides: BTreeMap<[u32; 2], Vec<(u32, u32)>> = BTreeMap::new();
    for (t, triangle) in (0..).zip(triangles) {
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            sides.entry([a.min(b), a.max(b)]).or_default().push((t, triangle[(k + 2) % 3]));
        }
    }
    let of_side = |(&ends, faces): (&[u32; 2], &Vec<(u32, u32)>)| {
        let first = faces[0];
        let second = if faces.len() == 2 { faces[1] } else { first };
        Edge { ends, faces: [first.0, second.0], opposite: second.1 }
    };
    sides.iter().map(of_side).collect()
}
