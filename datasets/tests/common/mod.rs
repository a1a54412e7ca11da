//! For the tests: geometry of meshes (corner faces, volumes by tetrahedra, boundary surfaces), folders of public data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};

/// A folder of public data; `None`, and a line, where it is not there.
pub(crate) fn public_data(name: &str) -> Option<PathBuf> {
    let shared = std::env::var("SINEW_SHARED")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared").to_owned());
    let folder = PathBuf::from(shared).join("datasets").join(name);
    if !folder.is_dir() {
        println!("no {}: published data not tried", folder.display());
        return None;
    }
    Some(folder)
}

/// Corner count and corner faces (outward winding) of a kind.
pub(crate) fn corner_faces(kind: ElementKind) -> (usize, &'static [&'static [usize]]) {
    use ElementKind::*;
    match kind {
        Tet4 | Tet10 => (4, &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]]),
        Hex8 | Hex20 => (
            8,
            &[
                &[0, 1, 2, 3],
                &[4, 7, 6, 5],
                &[0, 4, 5, 1],
                &[1, 5, 6, 2],
                &[2, 6, 7, 3],
                &[3, 7, 4, 0],
            ],
        ),
        Wedge6 | Wedge15 => {
            (6, &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]])
        }
        Pyramid5 | Pyramid13 => {
            (5, &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]])
        }
    }
}

/// Volume enclosed by the corner faces of an element [m³]: quadrilaterals as fans about their
/// middle, which is exact for bilinear faces up to terms that cancel between neighbours.
pub(crate) fn element_volume(mesh: &VolumeMesh, kind: ElementKind, nodes: &[u32]) -> f64 {
    let (_, faces) = corner_faces(kind);
    faces.iter().map(|face| fan_volume(&points(mesh, nodes, face))).sum()
}

fn points(mesh: &VolumeMesh, nodes: &[u32], face: &[usize]) -> Vec<Vec3> {
    face.iter().map(|&corner| mesh.nodes[nodes[corner] as usize]).collect()
}

/// Signed volume between the origin and a face [m³].
fn fan_volume(face: &[Vec3]) -> f64 {
    let middle = face.iter().sum::<Vec3>() / face.len() as f64;
    let n = face.len();
    (0..n).map(|k| middle.dot(&face[k].cross(&face[(k + 1) % n])) / 6.0).sum()
}

/// Volume of all elements [m³].
pub(crate) fn volume(mesh: &VolumeMesh) -> f64 {
    mesh.elements().map(|(kind, nodes)| element_volume(mesh, kind, nodes)).sum()
}

/// Faces that belong to one element, as node lists, and the largest number of elements at a face.
/// Faces match by their set of corners, so a quadrilateral against two triangles shows up as
/// boundary.
pub(crate) fn boundary(mesh: &VolumeMesh) -> (Vec<Vec<u32>>, usize) {
    let mut faces: BTreeMap<Vec<u32>, (Vec<u32>, usize)> = BTreeMap::new();
    for (kind, nodes) in mesh.elements() {
        for face in corner_faces(kind).1 {
            let list: Vec<u32> = face.iter().map(|&corner| nodes[corner]).collect();
            let mut key = list.clone();
            key.sort_unstable();
            faces.entry(key).or_insert((list, 0)).1 += 1;
        }
    }
    let most = faces.values().map(|(_, count)| *count).max().unwrap_or(0);
    let once = faces.into_values().filter(|(_, count)| *count == 1).map(|(face, _)| face);
    (once.collect(), most)
}

/// V - E + F of a closed surface of polygons; `None` when an edge is not shared by two of them.
pub(crate) fn euler_characteristic(faces: &[Vec<u32>]) -> Option<i64> {
    let mut edges: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    let mut vertices = BTreeSet::new();
    for face in faces {
        for (k, &a) in face.iter().enumerate() {
            let b = face[(k + 1) % face.len()];
            *edges.entry([a.min(b), a.max(b)]).or_default() += 1;
            vertices.insert(a);
        }
    }
    let closed = edges.values().all(|&count| count == 2);
    closed.then(|| vertices.len() as i64 - edges.len() as i64 + faces.len() as i64)
}

/// Number of sets of elements that no node connects.
pub(crate) fn component_count(mesh: &VolumeMesh) -> usize {
    fn root(of: &mut [u32], mut node: u32) -> u32 {
        while of[node as usize] != node {
            of[node as usize] = of[of[node as usize] as usize];
            node = of[node as usize];
        }
        node
    }
    let mut of: Vec<u32> = (0..mesh.nodes.len() as u32).collect();
    for (_, nodes) in mesh.elements() {
        let first = root(&mut of, nodes[0]);
        for &node in nodes {
            let other = root(&mut of, node);
            of[other as usize] = first;
        }
    }
    (0..of.len() as u32).filter(|&node| of[node as usize] == node).count()
}

/// Number of pairs of nodes nearer to each other than `distance` [m].
pub(crate) fn near_pairs(mesh: &VolumeMesh, distance: f64) -> usize {
    let mut sorted: Vec<Vec3> = mesh.nodes.clone();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut pairs = 0;
    for (i, p) in sorted.iter().enumerate() {
        let ahead = sorted[i + 1..].iter().take_while(|q| q.x - p.x < distance);
        pairs += ahead.filter(|q| (*q - p).norm() < distance).count();
    }
    pairs
}
