//! Elements as tetrahedra with straight edges: what can be cut by a plane and shrunk.

use crate::fem::{ElementKind, VolumeMesh};

/// Elements as tetrahedra with straight edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tetrahedra {
    /// Points of each, right-handed.
    pub corners: Vec<[u32; 4]>,
    /// Element of the mesh that each is part of.
    pub elements: Vec<u32>,
}

/// Parts of a 10-node tetrahedron: its four corners, then the octahedron between them about the diagonal
/// from the middle of edge 0 1 to that of edge 2 3.
const TET10: [[u8; 4]; 8] = [
    [0, 4, 6, 7],
    [4, 1, 5, 8],
    [6, 5, 2, 9],
    [7, 8, 9, 3],
    [4, 9, 5, 6],
    [4, 9, 6, 7],
    [4, 9, 7, 8],
    [4, 9, 8, 5],
];

impl Tetrahedra {
    /// The elements of `mesh`, whose nodes are the points `points`. Quadratic tetrahedra become eight;
    /// of other quadratic elements the middles of edges are left out.
    pub fn of(mesh: &VolumeMesh, points: &[u32]) -> Self {
        let parts = ElementKind::ALL.map(|kind| (kind, parts_of(kind)));
        let mut all = Self::default();
        for (element, (kind, nodes)) in (0u32..).zip(mesh.elements()) {
            let parts = parts.iter().find(|(of, _)| *of == kind).map_or(&[][..], |(_, p)| p);
            for part in parts {
                all.corners.push(part.map(|k| points[nodes[k as usize] as usize]));
                all.elements.push(element);
            }
        }
        all
    }
}

/// Corners of the tetrahedra that make up an element.
fn parts_of(kind: ElementKind) -> Vec<[u8; 4]> {
    if kind == ElementKind::Tet10 {
        return TET10.to_vec();
    }
    // Elements are convex: the first corner sees every face that it is not part of from behind.
    let far = kind.linear().faces().iter().filter(|face| !face.contains(&0));
    let fan = |face: &&'static [u8]| {
        let face = *face;
        (1..face.len() - 1).map(move |k| [0, face[0], face[k], face[k + 1]])
    };
    far.flat_map(fan).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;

    /// Six times the volume of a tetrahedron.
    fn sixfold([a, b, c, d]: [Vec3; 4]) -> f64 {
        (b - a).cross(&(c - a)).dot(&(d - a))
    }

    #[test]
    fn parts_are_right_handed_and_fill_every_element() {
        for kind in ElementKind::ALL {
            let corners: Vec<Vec3> = kind.nodes().iter().map(|&at| Vec3::from(at)).collect();
            let parts = parts_of(kind);
            let volumes = parts.iter().map(|part| sixfold(part.map(|k| corners[k as usize])));
            let volumes: Vec<f64> = volumes.collect();
            assert!(volumes.iter().all(|&v| v > 1e-3), "{kind:?}: {volumes:?}");
            // Six times the volume inside the faces, by the theorem of divergence.
            let fans = kind
                .linear()
                .faces()
                .iter()
                .flat_map(|face| (1..face.len() - 1).map(|k| [face[0], face[k], face[k + 1]]));
            let of_fan = |[a, b, c]: [u8; 3]| {
                let [a, b, c] = [a, b, c].map(|k| corners[k as usize]);
                a.cross(&b).dot(&c)
            };
            let whole: f64 = fans.map(of_fan).sum();
            assert!((volumes.iter().sum::<f64>() - whole).abs() < 1e-9, "{kind:?}: {volumes:?}");
        }
    }
}
