//! Pressure of contact on the surface of a tissue: forces at its vertices, shared among the faces around them by the areas
//! that these turn to the forces, over their areas. A pressure that is the same everywhere is found exactly on flat
//! sides, up to their rims, since what falls to each node of a face is a fixed share of the face
//! (docs/theory/contact.md, "Pressure maps").

use std::ops::Range;

use sinew_mesh::geometry::{Boundary, nearest_on_triangle};
use sinew_mesh::tree::{Bounds, BoxTree};
use sinew_mesh::{ElementFace, VolumeMesh};

use crate::Vec3;

/// The surface of a tissue that forces of contact are spread over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PressureSurface {
    /// Row of each vertex.
    rows: Vec<u32>,
    /// Vertices by rising rows.
    by_row: Vec<u32>,
    /// Vertices of each triangle, counter-clockwise seen from outside; faces are cut into these.
    triangles: Vec<[u32; 3]>,
    faces: Vec<Face>,
    /// Vertices of the faces, one after the other.
    corners: Vec<u32>,
    /// Start of the faces of each vertex among `loaded`, with the end of the last.
    loaded_by: Vec<u32>,
    /// Faces that a uniform pressure loads each vertex by.
    loaded: Vec<u32>,
}

/// A face of an element.
#[derive(Clone, Debug, PartialEq)]
struct Face {
    triangles: Range<usize>,
    /// Among all corners: those of the face.
    nodes: Range<usize>,
    /// Those that a uniform pressure pushes on: all of a linear face, the middles of the edges of a quadratic one.
    loaded: Range<usize>,
}

/// A force of contact on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceForce {
    /// On the vertex of this row [N].
    Row(u32, Vec3),
    /// On the point of the surface that is nearest to a place [m], of the faces that it pushes on [N].
    Near(Vec3, Vec3),
}

/// Pressure of contact on a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactPressure {
    /// Of each vertex, the mean of those faces around that are pressed, by their areas [Pa].
    pub of_vertices: Vec<f64>,
    /// Of each face [Pa].
    pub of_faces: Vec<f64>,
    /// Area in contact [m²], seen along the forces: of each face the share of its nodes that are pushed.
    pub area: f64,
}

impl PressureSurface {
    /// The surface of a mesh whose nodes have these rows.
    pub fn new(mesh: &VolumeMesh, boundary: &Boundary, row_of_node: &[u32]) -> Self {
        let rows: Vec<u32> =
            boundary.node_of_vertex.iter().map(|&node| row_of_node[node as usize]).collect();
        let mut by_row: Vec<u32> = (0..rows.len() as u32).collect();
        by_row.sort_unstable_by_key(|&v| rows[v as usize]);
        let triangles = boundary.mesh.triangles().to_vec();
        let mut own = Self { rows, by_row, triangles, ..Self::default() };
        let mut start = 0;
        for same in boundary.face_of_triangle.chunk_by(|a, b| a == b) {
            let end = start + same.len();
            own.add_face(mesh, boundary, (same[0], start..end));
            start = end;
        }
        own.list_loaded();
        own
    }

    /// Lists the faces that load each vertex.
    fn list_loaded(&mut self) {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (k, face) in (0..).zip(&self.faces) {
            pairs.extend(self.corners[face.loaded.clone()].iter().map(|&v| (v, k)));
        }
        pairs.sort_unstable();
        let start = |v: usize| pairs.partition_point(|&(vertex, _)| (vertex as usize) < v) as u32;
        self.loaded_by = (0..=self.rows.len()).map(start).collect();
        self.loaded = pairs.into_iter().map(|(_, face)| face).collect();
    }

    /// Area that the vertex of a row stands for where rows are at `q` [m], seen along the direction of a force on it
    /// [m²]: of each face around it that turns to the force, the share by which a uniform pressure loads the vertex. None
    /// for corners of quadratic faces, which a uniform pressure does not load.
    pub fn area_of(&self, row: u32, direction: &Vec3, q: &[Vec3]) -> f64 {
        let Some(vertex) = self.vertex_of(row) else { return 0.0 };
        let at = |v: u32| q[self.rows[v as usize] as usize];
        let share = |&face: &u32| {
            let Face { triangles, loaded, .. } = &self.faces[face as usize];
            let doubled = |[a, b, c]: &[u32; 3]| (at(*b) - at(*a)).cross(&(at(*c) - at(*a)));
            let side: Vec3 = self.triangles[triangles.clone()].iter().map(doubled).sum();
            (-0.5 * side.dot(direction)).max(0.0) / loaded.len() as f64
        };
        let faces = self.loaded_by[vertex] as usize..self.loaded_by[vertex + 1] as usize;
        self.loaded[faces].iter().map(share).sum()
    }

    fn add_face(
        &mut self,
        mesh: &VolumeMesh,
        boundary: &Boundary,
        (face, triangles): (ElementFace, Range<usize>),
    ) {
        let (kind, nodes) = mesh.element(face.element as usize);
        let start = self.corners.len();
        let vertex = |&corner: &u8| {
            let node = nodes[corner as usize];
            let found = boundary.node_of_vertex.binary_search(&node);
            found.expect("nodes of faces are vertices of the surface") as u32
        };
        self.corners.extend(kind.faces()[face.face as usize].iter().map(vertex));
        let nodes = start..self.corners.len();
        let loaded =
            if nodes.len() > 4 { start + nodes.len() / 2..nodes.end } else { nodes.clone() };
        self.faces.push(Face { triangles, nodes, loaded });
    }

    /// Row of each vertex.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    fn vertex_of(&self, row: u32) -> Option<usize> {
        let place = self.by_row.binary_search_by_key(&row, |&v| self.rows[v as usize]).ok()?;
        Some(self.by_row[place] as usize)
    }

    /// The pressure of `forces` where rows are at `q` [m]. Forces at rows of another surface are left out.
    pub fn spread(
        &self,
        forces: impl Iterator<Item = SurfaceForce>,
        q: &[Vec3],
    ) -> ContactPressure {
        let at = |v: &u32| q[self.rows[*v as usize] as usize];
        let area_of = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.each_ref().map(at);
            (b - a).cross(&(c - a)) * 0.5
        };
        let normals: Vec<Vec3> = self.triangles.iter().map(area_of).collect();
        let mut pushes = vec![Vec3::zeros(); self.rows.len()];
        let mut tree = None;
        for force in forces {
            match force {
                SurfaceForce::Row(row, force) => {
                    self.vertex_of(row).into_iter().for_each(|v| pushes[v] += force);
                }
                SurfaceForce::Near(point, force) => {
                    let tree = tree.get_or_insert_with(|| self.boxes(q));
                    self.push_near((point, force), (&normals, tree), q, &mut pushes);
                }
            }
        }
        self.over_faces(&pushes, &normals)
    }

    fn boxes(&self, q: &[Vec3]) -> BoxTree {
        let at = |v: &u32| q[self.rows[*v as usize] as usize];
        let around = |triangle: &[u32; 3]| Bounds::of(triangle.iter().map(at), Vec3::zeros());
        BoxTree::new(self.triangles.iter().map(around).collect())
    }

    /// Spreads a force that pushes on the nearest triangle that it pushes into.
    fn push_near(
        &self,
        (point, force): (Vec3, Vec3),
        (normals, tree): (&[Vec3], &BoxTree),
        q: &[Vec3],
        pushes: &mut [Vec3],
    ) {
        let mut nearest = None;
        tree.find_nearest(&point, f64::INFINITY, &mut |t, bound| {
            if normals[t].dot(&force) >= 0.0 {
                return bound;
            }
            let corners = self.triangles[t].map(|v| q[self.rows[v as usize] as usize]);
            let on = nearest_on_triangle(&point, &corners);
            let distance = (point - on.point).norm_squared();
            if distance >= bound {
                return bound;
            }
            nearest = Some((t, on.weights));
            distance
        });
        if let Some((t, weights)) = nearest {
            for (v, weight) in self.triangles[t].into_iter().zip(weights) {
                pushes[v as usize] += force * weight;
            }
        }
    }

    /// Pressures of the forces on vertices, with the area vectors of triangles.
    fn over_faces(&self, pushes: &[Vec3], normals: &[Vec3]) -> ContactPressure {
        let sizes: Vec<f64> = pushes.iter().map(Vec3::norm).collect();
        let sides: Vec<Vec3> =
            self.faces.iter().map(|face| normals[face.triangles.clone()].iter().sum()).collect();
        // Area of a face seen along the force on a vertex [m² N].
        let seen = |face: usize, v: usize| (-sides[face].dot(&pushes[v])).max(0.0);
        let mut around = vec![0.0; pushes.len()];
        for (k, face) in self.faces.iter().enumerate() {
            let nodes = self.corners[face.nodes.clone()].iter().map(|&v| v as usize);
            nodes.for_each(|v| around[v] += seen(k, v));
        }
        let mut result =
            ContactPressure { of_vertices: vec![0.0; pushes.len()], ..ContactPressure::default() };
        let mut pressed = vec![0.0; pushes.len()];
        for (k, face) in self.faces.iter().enumerate() {
            let area = sides[k].norm();
            let nodes = &self.corners[face.nodes.clone()];
            // Sizes of forces that vanish but for rounding are zero.
            let is_pushed = |v: usize| sizes[v] > 0.0 && around[v] > 0.0 && seen(k, v) > 0.0;
            let share =
                |v: usize| if is_pushed(v) { sizes[v] * seen(k, v) / around[v] } else { 0.0 };
            let force: f64 = nodes.iter().map(|&v| share(v as usize)).sum();
            let pressure = if force > 0.0 { force / area } else { 0.0 };
            result.of_faces.push(pressure);
            if pressure == 0.0 {
                continue;
            }
            let loaded = self.corners[face.loaded.clone()].iter().map(|&v| v as usize);
            let turned = loaded.filter(|&v| is_pushed(v)).map(|v| seen(k, v) / sizes[v]);
            result.area += turned.sum::<f64>() / face.loaded.len() as f64;
            for &v in nodes {
                result.of_vertices[v as usize] += pressure * area;
                pressed[v as usize] += area;
            }
        }
        let vertices = result.of_vertices.iter_mut().zip(&pressed);
        vertices.filter(|(_, area)| **area > 0.0).for_each(|(force, area)| *force /= area);
        result
    }
}
