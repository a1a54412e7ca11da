//! Elements as tetrahedra with straight edges, which can be cut by a plane and shrunk.

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
    /// of other quadratic elements the middles of edges are left out. Neighbours split the face between
    /// them alike, by the diagonal from its least node: a section has no gaps where faces are warped.
    pub fn of(mesh: &VolumeMesh, points: &[u32]) -> Self {
        let mut all = Self::default();
        for (element, (kind, nodes)) in (0u32..).zip(mesh.elements()) {
            for_each_part(kind, nodes, &mut |part: [u8; 4]| {
                all.corners.push(part.map(|k| points[nodes[k as usize] as usize]));
                all.elements.push(element);
            });
        }
        all
    }
}

/// Hands corners of the tetrahedra that make up an element with these nodes to `visit`.
fn for_each_part(kind: ElementKind, nodes: &[u32], visit: &mut dyn FnMut([u8; 4])) {
    if kind == ElementKind::Tet10 {
        return TET10.into_iter().for_each(visit);
    }
    let least = |corners: &[u8]| (0..corners.len()).min_by_key(|&k| nodes[corners[k] as usize]);
    let linear = kind.linear();
    let corners: [u8; 8] = std::array::from_fn(|k| k as u8);
    let Some(top) = least(&corners[..linear.node_count()]) else { return };
    // Elements are convex: a corner sees every face that it is not part of from behind.
    let far = linear.faces().iter().filter(|face| !face.contains(&(top as u8)));
    for face in far {
        let Some(first) = least(face) else { continue };
        let at = |k: usize| face[(first + k) % face.len()];
        (1..face.len() - 1).for_each(|k| visit([top as u8, at(0), at(k), at(k + 1)]));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

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
            let nodes: Vec<u32> = (0..kind.node_count() as u32).collect();
            let mut parts = Vec::new();
            for_each_part(kind, &nodes, &mut |part| parts.push(part));
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

    /// A grid of n³ cubes, its nodes numbered as they come by `number`.
    fn cubes(n: usize, number: &[u32]) -> VolumeMesh {
        let count = (n + 1).pow(3);
        let mut mesh = VolumeMesh::new(vec![Vec3::zeros(); count]);
        for cell in 0..n.pow(3) {
            let base = [cell % n, cell / n % n, cell / n / n];
            let corners = ElementKind::Hex8.nodes().iter().map(|r| {
                let at: [usize; 3] = std::array::from_fn(|k| base[k] + usize::from(r[k] > 0.0));
                number[(at[2] * (n + 1) + at[1]) * (n + 1) + at[0]]
            });
            mesh.push_element(ElementKind::Hex8, &corners.collect::<Vec<u32>>()).unwrap();
        }
        mesh
    }

    #[test]
    fn neighbours_split_the_face_between_them_alike_however_nodes_are_numbered() {
        const N: usize = 3;
        let count = (N + 1).pow(3) as u32;
        // Strides without a common divisor with the count number the nodes in other orders.
        for stride in [1, 5, 23, 37, 63] {
            let number: Vec<u32> = (0..count).map(|k| k * stride % count).collect();
            let points: Vec<u32> = (0..count).collect();
            let tetrahedra = Tetrahedra::of(&cubes(N, &number), &points);
            let mut faces: HashMap<[u32; 3], usize> = HashMap::new();
            for [a, b, c, d] in &tetrahedra.corners {
                for mut face in [[*a, *b, *c], [*a, *b, *d], [*a, *c, *d], [*b, *c, *d]] {
                    face.sort_unstable();
                    *faces.entry(face).or_default() += 1;
                }
            }
            let outside = faces.values().filter(|&&uses| uses == 1).count();
            assert_eq!(outside, 6 * 2 * N * N, "stride {stride}");
            assert!(faces.values().all(|&uses| uses <= 2), "stride {stride}");
        }
    }
}
