//! Named faces, which files give by their corners, as faces of elements.

use std::collections::{BTreeMap, HashMap};

use crate::io::volume::builder::NamedFace;
use crate::{ElementFace, VolumeMesh};

/// The corners of face `face` of element `e` in rising order, as [`NamedFace`] has them.
fn corners(mesh: &VolumeMesh, e: usize, face: &[u8]) -> [u32; 4] {
    let (_, nodes) = mesh.element(e);
    let mut found = [u32::MAX; 4];
    for (slot, &corner) in found.iter_mut().zip(face) {
        *slot = nodes[corner as usize];
    }
    found.sort_unstable();
    found
}

/// Faces of element `e` by their corners.
fn faces_of(mesh: &VolumeMesh, e: usize) -> impl Iterator<Item = ([u32; 4], ElementFace)> {
    let faces = mesh.element(e).0.linear().faces();
    faces.iter().enumerate().map(move |(i, face)| {
        (corners(mesh, e, face), ElementFace { element: e as u32, face: i as u8 })
    })
}

/// Makes face sets of the mesh; of two elements that share a face without a name for its element,
/// the first is taken. A note tells how many faces belong to no element.
pub(in crate::io) fn store(
    mesh: &mut VolumeMesh,
    named: &BTreeMap<String, Vec<NamedFace>>,
    notes: &mut Vec<String>,
) {
    let free = named.values().flatten().filter(|face| face.element.is_none());
    let found = find(mesh, free.map(|face| face.corners));
    for (name, faces) in named {
        let place = |face: &NamedFace| match face.element {
            Some(e) => faces_of(mesh, e as usize)
                .find_map(|(corners, at)| (corners == face.corners).then_some(at)),
            None => found.get(&face.corners).copied().flatten(),
        };
        let mut set: Vec<ElementFace> = faces.iter().filter_map(place).collect();
        let lost = faces.len() - set.len();
        if lost > 0 {
            notes.push(format!(
                "{lost} of {} faces of `{name}` belong to no element and were passed over",
                faces.len()
            ));
        }
        set.sort_unstable();
        set.dedup();
        if !set.is_empty() {
            mesh.face_sets.insert(name.clone(), set);
        }
    }
}

/// The elements of faces that are given by their corners alone.
fn find(
    mesh: &VolumeMesh,
    wanted: impl Iterator<Item = [u32; 4]>,
) -> HashMap<[u32; 4], Option<ElementFace>> {
    let mut found: HashMap<[u32; 4], Option<ElementFace>> =
        wanted.map(|corners| (corners, None)).collect();
    // Most faces of a solid are inside it: a look at the nodes spares looking them up.
    let mut is_named = vec![false; mesh.nodes.len()];
    for corners in found.keys() {
        for &node in corners.iter().filter(|&&node| node != u32::MAX) {
            is_named[node as usize] = true;
        }
    }
    if found.is_empty() {
        return found;
    }
    for e in 0..mesh.element_count() {
        for (corners, at) in faces_of(mesh, e) {
            let all = corners.iter().all(|&n| n == u32::MAX || is_named[n as usize]);
            if let Some(slot) = found.get_mut(&corners).filter(|slot| all && slot.is_none()) {
                *slot = Some(at);
            }
        }
    }
    found
}
