//! The surface of a volume mesh: faces that belong to one element, as outward triangles.

use rayon::prelude::*;

use super::SurfaceMesh;
use crate::Vec3;
use crate::{ElementFace, VolumeMesh};

/// The surface of a volume mesh, and where its parts come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boundary {
    /// Outward triangles, by rising element. Quadrangles are cut along their shorter diagonal,
    /// quadratic faces through their mid-edge nodes (4 and 6 triangles).
    pub mesh: SurfaceMesh,
    /// The node that each vertex is, rising.
    pub node_of_vertex: Vec<u32>,
    /// The element that each triangle is a part of.
    pub element_of_triangle: Vec<u32>,
    /// The face that each triangle is a part of.
    pub face_of_triangle: Vec<ElementFace>,
    /// Faces that more than two elements have.
    pub crowded_face_count: usize,
}

/// A face: its corners, sorted, and where it is.
type Face = ([u32; 4], u32, u8);

/// The surface of `mesh`. n log n in the number of elements.
pub fn boundary(mesh: &VolumeMesh) -> Boundary {
    let mut faces: Vec<Face> = (0..mesh.element_count() as u32)
        .flat_map(|e| {
            let count = mesh.element(e as usize).0.faces().len();
            (0..count as u8).map(move |f| (key(mesh, e, f), e, f))
        })
        .collect();
    faces.par_sort_unstable();
    let groups = || faces.chunk_by(|a, b| a.0 == b.0);
    let crowded_face_count = groups().filter(|same| same.len() > 2).count();
    let mut outer: Vec<(u32, u8)> =
        groups().filter(|same| same.len() == 1).map(|same| (same[0].1, same[0].2)).collect();
    outer.sort_unstable();
    let mut triangles = Vec::with_capacity(outer.len());
    let mut face_of_triangle = Vec::with_capacity(outer.len());
    for (e, f) in outer {
        cut(mesh, &face_nodes(mesh, e, f), &mut triangles);
        face_of_triangle.resize(triangles.len(), ElementFace { element: e, face: f });
    }
    let (mesh, node_of_vertex) = compact(mesh, triangles);
    let element_of_triangle = face_of_triangle.iter().map(|at| at.element).collect();
    Boundary { mesh, node_of_vertex, element_of_triangle, face_of_triangle, crowded_face_count }
}

fn face_nodes(mesh: &VolumeMesh, e: u32, f: u8) -> Vec<u32> {
    let (kind, nodes) = mesh.element(e as usize);
    kind.faces()[f as usize].iter().map(|&i| nodes[i as usize]).collect()
}

fn key(mesh: &VolumeMesh, e: u32, f: u8) -> [u32; 4] {
    let (kind, nodes) = mesh.element(e as usize);
    let mut key = [u32::MAX; 4];
    for (node, &corner) in key.iter_mut().zip(kind.linear().faces()[f as usize]) {
        *node = nodes[corner as usize];
    }
    key.sort_unstable();
    key
}

/// Cuts a face into triangles; its nodes are the corners, then the middles of the edges.
fn cut(mesh: &VolumeMesh, face: &[u32], triangles: &mut Vec<[u32; 3]>) {
    match *face {
        [a, b, c] => triangles.push([a, b, c]),
        [a, b, c, d] => quadrangle(mesh, [a, b, c, d], triangles),
        [a, b, c, ab, bc, ca] => {
            triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        [a, b, c, d, ab, bc, cd, da] => {
            triangles.extend([[a, ab, da], [b, bc, ab], [c, cd, bc], [d, da, cd]]);
            quadrangle(mesh, [ab, bc, cd, da], triangles);
        }
        // Faces have 3, 4, 6 or 8 nodes.
        _ => {}
    }
}

fn quadrangle(mesh: &VolumeMesh, [a, b, c, d]: [u32; 4], triangles: &mut Vec<[u32; 3]>) {
    let length = |i: u32, j: u32| (mesh.nodes[i as usize] - mesh.nodes[j as usize]).norm_squared();
    if length(a, c) <= length(b, d) {
        triangles.extend([[a, b, c], [a, c, d]]);
    } else {
        triangles.extend([[a, b, d], [b, c, d]]);
    }
}

/// The triangles with the nodes that they use alone, and those nodes.
fn compact(mesh: &VolumeMesh, mut triangles: Vec<[u32; 3]>) -> (SurfaceMesh, Vec<u32>) {
    let mut vertex_of_node = vec![u32::MAX; mesh.nodes.len()];
    triangles.as_flattened().iter().for_each(|&n| vertex_of_node[n as usize] = 0);
    let mut nodes = Vec::new();
    for (n, vertex) in vertex_of_node.iter_mut().enumerate().filter(|(_, v)| **v == 0) {
        *vertex = nodes.len() as u32;
        nodes.push(n as u32);
    }
    triangles.as_flattened_mut().iter_mut().for_each(|n| *n = vertex_of_node[*n as usize]);
    let positions: Vec<Vec3> = nodes.iter().map(|&n| mesh.nodes[n as usize]).collect();
    let surface = SurfaceMesh::new(positions, triangles).expect("elements name nodes of the mesh");
    (surface, nodes)
}

impl Boundary {
    /// Adds the set `boundary` of all nodes on the surface to the mesh that it was made of.
    pub fn add_node_set(&self, mesh: &mut VolumeMesh) {
        mesh.node_sets.insert("boundary".to_owned(), self.node_of_vertex.clone());
    }
}
