//! Patches of a surface: triangles that hang together over edges at which the surface bends by less
//! than a feature angle, as the sides of a box. What a load or a support acts on is often one of them.

use std::cmp::Reverse;

use super::DisjointSets;
use super::topology::Side;
use super::{Boundary, SurfaceMesh};
use crate::{ElementFace, VolumeMesh};

/// The patch of each triangle, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patches {
    /// For each triangle its patch, from 0 by falling area; of equal ones the first triangle decides.
    pub of_triangle: Vec<u32>,
    /// Number of patches.
    pub count: usize,
}

impl Patches {
    /// The triangles of each patch, rising.
    pub fn triangles(&self) -> Vec<Vec<u32>> {
        let mut triangles = vec![Vec::new(); self.count];
        for (t, &patch) in self.of_triangle.iter().enumerate() {
            triangles[patch as usize].push(t as u32);
        }
        triangles
    }
}

impl SurfaceMesh {
    /// Parts the surface where the normals of neighbours differ by more than `feature_angle` [rad],
    /// and at edges without exactly two triangles that wind alike. Triangles without area have no normal
    /// and go with a neighbour. n log n in the number of triangles.
    pub fn patches(&self, feature_angle: f64) -> Patches {
        let sides = self.sorted_sides();
        let edges = || sides.chunk_by(|a, b| a.ends == b.ends).filter_map(neighbours);
        let count = self.triangles().len();
        let normals: Vec<_> = (0..count).map(|t| self.area_normal(t).try_normalize(0.0)).collect();
        let mut sets = DisjointSets::new(count);
        for [a, b] in edges() {
            if let (Some(m), Some(n)) = (normals[a as usize], normals[b as usize])
                // By sine and cosine: the cosine alone does not tell small angles apart.
                && m.cross(&n).norm().atan2(m.dot(&n)) <= feature_angle
            {
                sets.join(a, b);
            }
        }
        let mut placed: Vec<bool> = normals.iter().map(Option::is_some).collect();
        let is_loose = |edge: &[u32; 2]| edge.iter().any(|&t| normals[t as usize].is_none());
        let mut loose: Vec<[u32; 2]> = edges().filter(is_loose).collect();
        let mut left = usize::MAX;
        while loose.len() < left {
            left = loose.len();
            loose.retain(|&[a, b]| {
                let ends = [a, b].map(|t| placed[t as usize]);
                if ends[0] != ends[1] {
                    sets.join(a, b);
                    placed[a as usize] = true;
                    placed[b as usize] = true;
                }
                ends == [false, false]
            });
        }
        self.by_area(sets)
    }

    fn by_area(&self, mut sets: DisjointSets) -> Patches {
        let count = self.triangles().len();
        let mut area = vec![0.0; count];
        for t in 0..count {
            area[sets.find(t as u32) as usize] += self.area_normal(t).norm() / 2.0;
        }
        let mut roots: Vec<u32> = (0..count as u32).filter(|&t| sets.find(t) == t).collect();
        // Areas that differ by rounding are equal: seven digits are far more than a tie needs.
        let rank = |t: u32| ((area[t as usize] as f32).to_bits(), Reverse(t));
        roots.sort_unstable_by_key(|&t| Reverse(rank(t)));
        let mut patch_of_root = vec![0; count];
        for (patch, &root) in roots.iter().enumerate() {
            patch_of_root[root as usize] = patch as u32;
        }
        let of_triangle = (0..count as u32).map(|t| patch_of_root[sets.find(t) as usize]).collect();
        Patches { of_triangle, count: roots.len() }
    }
}

/// The two triangles of an edge that is passed once in each direction.
fn neighbours(edge: &[Side]) -> Option<[u32; 2]> {
    match edge {
        [a, b] if a.is_forward != b.is_forward => Some([a.start / 3, b.start / 3]),
        _ => None,
    }
}

impl Boundary {
    /// Adds the face sets `patch_1`, `patch_2`, ... by falling area to the mesh that it was made of:
    /// the faces of each of the [patches](SurfaceMesh::patches). A face that is cut into triangles goes
    /// with the first of them. Returns how many there are.
    pub fn add_patches(&self, mesh: &mut VolumeMesh, feature_angle: f64) -> usize {
        let patches = self.mesh.patches(feature_angle);
        let mut sets = vec![Vec::new(); patches.count];
        let mut last = None;
        for (&face, &patch) in self.face_of_triangle.iter().zip(&patches.of_triangle) {
            if last.replace(face) != Some(face) {
                sets[patch as usize].push(face);
            }
        }
        let named = sets.into_iter().filter(|set: &Vec<ElementFace>| !set.is_empty());
        let mut count = 0;
        for (i, mut set) in named.enumerate() {
            set.sort_unstable();
            mesh.face_sets.insert(format!("patch_{}", i + 1), set);
            count = i + 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElementKind;
    use crate::Vec3;
    use crate::geometry::{boundary, cuboid_mesh, cylinder_mesh, icosphere_mesh};

    /// Areas of the patches.
    fn areas(mesh: &SurfaceMesh, degrees: f64) -> Vec<f64> {
        let triangles = mesh.patches(degrees.to_radians()).triangles();
        let area = |t: &u32| mesh.area_normal(*t as usize).norm() / 2.0;
        triangles.iter().map(|patch| patch.iter().map(area).sum()).collect()
    }

    #[test]
    fn a_box_has_six_patches_by_falling_area_until_the_angle_is_a_right_one() {
        let mesh = cuboid_mesh(&Vec3::new(1.0, 2.0, 3.0)).unwrap();
        for degrees in [0.0, 40.0, 89.9] {
            assert_eq!(areas(&mesh, degrees), [6.0, 6.0, 3.0, 3.0, 2.0, 2.0]);
        }
        assert_eq!(areas(&mesh, 90.1), [22.0]);
    }

    #[test]
    fn a_cylinder_has_a_side_and_two_ends() {
        // Facets of 11.25 degrees.
        let mesh = cylinder_mesh(0.1, 1.0, 32).unwrap();
        assert_eq!(areas(&mesh, 40.0).len(), 3);
        assert_eq!(areas(&mesh, 11.3).len(), 3);
        assert_eq!(areas(&mesh, 11.2).len(), 32 + 2);
        assert_eq!(areas(&icosphere_mesh(1.0, 3).unwrap(), 40.0).len(), 1);
    }

    #[test]
    fn a_triangle_without_area_joins_one_patch_and_does_not_bridge_two() {
        // Two squares at a right angle, and a needle in the edge between them.
        let vertices = [[0, 0, 0], [2, 0, 0], [1, 0, 0], [1, 2, 0], [1, 0, 2]];
        let vertices = vertices.map(|p| Vec3::from(p.map(f64::from)));
        let triangles = vec![[0, 1, 3], [0, 2, 1], [0, 4, 2], [2, 4, 1]];
        let mesh = SurfaceMesh::new(vertices.to_vec(), triangles).unwrap();
        let patches = mesh.patches(0.7);
        assert_eq!(patches.count, 2);
        assert_ne!(patches.of_triangle[0], patches.of_triangle[2]);
        assert_eq!(patches.of_triangle[2], patches.of_triangle[3]);
    }

    #[test]
    fn neighbours_that_wind_against_each_other_are_apart() {
        let vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]];
        let vertices = vertices.map(|p| Vec3::from(p.map(f64::from))).to_vec();
        let count = |second| {
            let mesh = SurfaceMesh::new(vertices.clone(), vec![[0, 1, 2], second]).unwrap();
            mesh.patches(4.0).count
        };
        assert_eq!((count([2, 1, 3]), count([1, 2, 3])), (1, 2));
    }

    #[test]
    fn the_faces_of_hexahedra_are_in_the_set_of_their_side_once() {
        // Two cubes on each other.
        let square = |z| [[0, 0, z], [1, 0, z], [1, 1, z], [0, 1, z]];
        let nodes = [square(2), square(1), square(0)].concat();
        let mut mesh =
            VolumeMesh::new(nodes.iter().map(|p| Vec3::from(p.map(f64::from))).collect());
        for first in [0, 4] {
            let nodes: [u32; 8] = std::array::from_fn(|i| first + i as u32);
            mesh.push_element(ElementKind::Hex8, &nodes).unwrap();
        }
        assert_eq!(boundary(&mesh).add_patches(&mut mesh, 0.7), 6);
        let sizes: Vec<usize> = mesh.face_sets.values().map(Vec::len).collect();
        assert_eq!(sizes, [2, 2, 2, 2, 1, 1]);
    }
}
