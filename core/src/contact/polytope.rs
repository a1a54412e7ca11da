//! Convex polytopes: corners, edges, faces and their adjacency. A segment is one without faces.

use crate::{Mat3, Vec3};

/// No face: beside the edge of a segment.
pub(super) const NONE: u32 = u32::MAX;

/// An edge from one corner to another; seen from outside, the first face is on its left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// Corners, start and end.
    pub(super) ends: [u32; 2],
    /// Faces, left and right.
    pub(super) faces: [u32; 2],
}

/// Corners and faces in the frame of the shape. Faces wind counterclockwise seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polytope {
    /// Corners [m].
    pub(super) corners: Vec<Vec3>,
    /// Outward unit normals of the faces.
    pub(super) normals: Vec<Vec3>,
    pub(super) edges: Vec<Edge>,
    /// Corners of face f: `starts[f]..starts[f + 1]`; the edge from each to the next in `loop_edges`.
    pub(super) starts: Vec<u32>,
    pub(super) loop_corners: Vec<u32>,
    pub(super) loop_edges: Vec<u32>,
}

impl Polytope {
    /// Corners and loops of faces to a closed surface; `None` where an edge lacks a second face.
    pub(super) fn from_faces(corners: Vec<Vec3>, faces: &[Vec<u32>]) -> Option<Self> {
        let normals = faces.iter().map(|face| newell_normal(&corners, face)).collect();
        let mut shape = Polytope {
            corners,
            normals,
            edges: Vec::new(),
            starts: vec![0],
            loop_corners: faces.concat(),
            loop_edges: Vec::new(),
        };
        for (f, face) in faces.iter().enumerate() {
            for (k, &start) in face.iter().enumerate() {
                let edge = shape.join([start, face[(k + 1) % face.len()]], f as u32)?;
                shape.loop_edges.push(edge);
            }
            shape.starts.push(shape.loop_edges.len() as u32);
        }
        let closed = shape.edges.iter().all(|edge| edge.faces[1] != NONE);
        let euler = shape.corners.len() + faces.len() == shape.edges.len() + 2;
        (closed && euler).then_some(shape)
    }

    /// The edge between two corners, seen from one of its faces: made, or found and completed.
    fn join(&mut self, ends: [u32; 2], face: u32) -> Option<u32> {
        if self.edges.iter().any(|edge| edge.ends == ends) {
            return None;
        }
        let twin = self.edges.iter().position(|edge| edge.ends == [ends[1], ends[0]]);
        let Some(twin) = twin else {
            self.edges.push(Edge { ends, faces: [face, NONE] });
            return Some(self.edges.len() as u32 - 1);
        };
        if self.edges[twin].faces[1] != NONE {
            return None;
        }
        self.edges[twin].faces[1] = face;
        Some(twin as u32)
    }

    /// A box centred on the origin.
    pub(super) fn cuboid(half: &Vec3) -> Self {
        let corner = |i: u32| {
            let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            half.component_mul(&Vec3::new(sign(0), sign(1), sign(2)))
        };
        let faces =
            [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];
        let mut shape = Self::from_faces((0..8).map(corner).collect(), &faces.map(|f| f.to_vec()))
            .expect("the faces of a box close");
        // Exact: a sum of products would leave rounding.
        for (f, normal) in shape.normals.iter_mut().enumerate() {
            *normal = Vec3::zeros();
            normal[f / 2] = if f % 2 == 0 { 1.0 } else { -1.0 };
        }
        shape
    }

    /// A segment along z, centred on the origin.
    pub(super) fn segment(half_length: f64) -> Self {
        Polytope {
            corners: vec![Vec3::new(0.0, 0.0, -half_length), Vec3::new(0.0, 0.0, half_length)],
            normals: Vec::new(),
            edges: vec![Edge { ends: [0, 1], faces: [NONE; 2] }],
            starts: vec![0],
            loop_corners: Vec::new(),
            loop_edges: Vec::new(),
        }
    }

    /// As placed by its own frame.
    pub(super) fn solid(&self) -> Solid<'_> {
        Solid { corners: &self.corners, normals: &self.normals, shape: self }
    }

    /// Corners and normals after a rotation and a shift, into arrays that are kept.
    pub(super) fn place(
        &self,
        turn: &Mat3,
        shift: &Vec3,
        corners: &mut Vec<Vec3>,
        normals: &mut Vec<Vec3>,
    ) {
        corners.clear();
        corners.extend(self.corners.iter().map(|corner| turn * corner + shift));
        normals.clear();
        normals.extend(self.normals.iter().map(|normal| turn * normal));
    }
}

/// A polytope in some frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solid<'a> {
    /// Corners [m].
    pub(super) corners: &'a [Vec3],
    /// Outward unit normals of the faces.
    pub(super) normals: &'a [Vec3],
    /// Adjacency.
    pub(super) shape: &'a Polytope,
}

impl<'a> Solid<'a> {
    /// Corners of a face, in order.
    pub(super) fn face(&self, face: usize) -> &'a [u32] {
        let shape = self.shape;
        &shape.loop_corners[shape.starts[face] as usize..shape.starts[face + 1] as usize]
    }

    /// Edges of a face: from each corner to the next.
    pub(super) fn face_edges(&self, face: usize) -> &'a [u32] {
        let shape = self.shape;
        &shape.loop_edges[shape.starts[face] as usize..shape.starts[face + 1] as usize]
    }

    /// Some corner of a face: a point of its plane.
    pub(super) fn face_point(&self, face: usize) -> Vec3 {
        self.corners[self.face(face)[0] as usize]
    }

    /// Start and end of an edge.
    pub(super) fn segment(&self, edge: usize) -> [Vec3; 2] {
        self.shape.edges[edge].ends.map(|end| self.corners[end as usize])
    }

    /// The farthest corner along a direction; the first of equals.
    pub(super) fn support(&self, direction: &Vec3) -> Vec3 {
        let mut best = self.corners[0];
        let mut height = best.dot(direction);
        for corner in &self.corners[1..] {
            let candidate = corner.dot(direction);
            if candidate > height {
                (best, height) = (*corner, candidate);
            }
        }
        best
    }
}

/// Unit normal of a polygon by the sum of its edges' cross products (Newell), about its first corner.
fn newell_normal(corners: &[Vec3], face: &[u32]) -> Vec3 {
    let origin = corners[face[0] as usize];
    let arm = |k: usize| corners[face[k % face.len()] as usize] - origin;
    (0..face.len()).map(|k| arm(k).cross(&arm(k + 1))).sum::<Vec3>().normalize()
}
