//! Meshes in a mirror: elements whose nodes were mirrored are inside out until their nodes are numbered anew.

use super::{ElementFace, ElementKind, VolumeMesh};

impl ElementKind {
    /// Numbers of the nodes of an element in a mirror: node k of the mirrored element is node `[k]` of the element.
    /// Exchanging the first two reference coordinates takes every reference element to itself.
    fn mirrored_nodes(self) -> Vec<usize> {
        let nodes = self.nodes();
        let image = |[x, y, z]: &[f64; 3]| nodes.iter().position(|node| node == &[*y, *x, *z]);
        nodes.iter().enumerate().map(|(k, node)| image(node).unwrap_or(k)).collect()
    }

    /// The face that has the image of a face's nodes.
    fn mirrored_face(self, face: usize) -> usize {
        let order = self.mirrored_nodes();
        let sorted = |nodes: Vec<usize>| {
            let mut nodes = nodes;
            nodes.sort_unstable();
            nodes
        };
        let own = |face: &[u8]| face.iter().map(|&k| usize::from(k)).collect::<Vec<_>>();
        let wanted = sorted(own(self.faces()[face]).into_iter().map(|k| order[k]).collect());
        self.faces().iter().position(|face| sorted(own(face)) == wanted).unwrap_or(face)
    }
}

impl VolumeMesh {
    /// Numbers the nodes of every element the other way round: after its nodes were mirrored, a sound mesh is sound
    /// again. Sets of faces keep their faces.
    pub fn mirror(&mut self) {
        let mut elements = Self::new(Vec::new());
        std::mem::swap(&mut elements.nodes, &mut self.nodes);
        for (kind, nodes) in self.elements() {
            let nodes: Vec<u32> = kind.mirrored_nodes().into_iter().map(|k| nodes[k]).collect();
            // As many nodes of the same mesh.
            let _ = elements.push_element(kind, &nodes);
        }
        let mut face_sets = std::mem::take(&mut self.face_sets);
        for ElementFace { element, face } in face_sets.values_mut().flatten() {
            let mirrored = self.element(*element as usize).0.mirrored_face(usize::from(*face));
            *face = mirrored as u8;
        }
        elements.face_sets = face_sets;
        elements.triangle_sets = std::mem::take(&mut self.triangle_sets);
        // They go on facing the same side.
        elements.triangle_sets.values_mut().flatten().for_each(|triangle| triangle.swap(1, 2));
        elements.node_sets = std::mem::take(&mut self.node_sets);
        elements.element_sets = std::mem::take(&mut self.element_sets);
        elements.node_fields = std::mem::take(&mut self.node_fields);
        elements.element_fields = std::mem::take(&mut self.element_fields);
        *self = elements;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{QuadratureRule, Vec3};

    #[test]
    fn every_element_in_a_mirror_is_sound_and_its_faces_keep_their_nodes() {
        for kind in ElementKind::ALL {
            let nodes: Vec<Vec3> = kind.nodes().iter().map(|&x| Vec3::from(x)).collect();
            let mut mesh = VolumeMesh::new(nodes);
            let all: Vec<u32> = (0..kind.node_count() as u32).collect();
            mesh.push_element(kind, &all).unwrap();
            for face in 0..kind.faces().len() as u8 {
                mesh.face_sets.insert(face.to_string(), vec![ElementFace { element: 0, face }]);
            }
            mesh.nodes.iter_mut().for_each(|x| x.z = -x.z);
            assert!(mesh.jacobian_ratio(0, QuadratureRule::Standard) < 0.0, "{}", kind.name());
            let before = mesh.clone();
            mesh.mirror();
            let ratio = mesh.jacobian_ratio(0, QuadratureRule::Standard);
            assert!(
                (ratio - before.jacobian_ratio(0, QuadratureRule::Standard).abs()).abs() < 2.0
                    && ratio > 0.0
            );
            let of = |mesh: &VolumeMesh, name: &str| {
                let face = mesh.face_sets[name][0].face;
                let nodes = mesh.element(0).1;
                let mut of: Vec<u32> = kind.faces()[usize::from(face)]
                    .iter()
                    .map(|&k| nodes[usize::from(k)])
                    .collect();
                of.sort_unstable();
                of
            };
            for name in mesh.face_sets.keys() {
                assert_eq!(of(&before, name), of(&mesh, name), "{} {name}", kind.name());
            }
            mesh.mirror();
            assert_eq!(mesh, before, "{}", kind.name());
        }
    }
}
