//! Triangles of one surface that pass through each other. Candidates come from a hierarchy of boxes,
//! the decision is exact.

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rayon::prelude::*;

use super::weld::coincident_points;
use super::{SurfaceMesh, triangle_pair};
use crate::Vec3;

/// Result of [`SurfaceMesh::self_intersections`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelfIntersections {
    /// Pairs of triangles that meet, the smaller number first, rising.
    pub pairs: Vec<[u32; 2]>,
    /// True if the search ended at the limit, so that there may be more.
    pub is_limited: bool,
}

impl SurfaceMesh {
    /// Pairs of triangles that meet anywhere but at vertices and edges that they share, up to about
    /// `limit`. Vertices at the same place count as one; triangles without area are left out, and
    /// triangles of the same three vertices ([`SurfaceMesh::duplicate_triangles`]) are not compared.
    pub fn self_intersections(&self, limit: usize) -> SelfIntersections {
        // Powers of two round nothing, and keep products of six lengths within the numbers.
        let scale = power_of_two_scale(self);
        let stand_in = coincident_points(self.vertices(), 0.0);
        let corners: Vec<[Vec3; 3]> =
            (0..self.triangles().len()).map(|t| self.corners(t).map(|p| p * scale)).collect();
        let names: Vec<[u32; 3]> =
            self.triangles().iter().map(|t| t.map(|v| stand_in[v as usize])).collect();
        let boxes: Vec<Aabb> = corners.iter().map(bounds).collect();
        let has_area: Vec<bool> =
            corners.iter().map(|[a, b, c]| (b - a).cross(&(c - a)) != Vec3::zeros()).collect();
        let (candidates, is_cut) = candidates(&boxes);
        let meets = |&[t, s]: &[u32; 2]| {
            let [t, s] = [t as usize, s as usize];
            let (a, b) = ((names[t], &corners[t]), (names[s], &corners[s]));
            has_area[t] && has_area[s] && triangle_pair::meet(a, b)
        };
        let mut pairs = Vec::new();
        let mut is_limited = is_cut;
        for part in candidates.chunks(CHUNK) {
            pairs.par_extend(part.par_iter().filter(|pair| meets(pair)));
            if pairs.len() > limit {
                is_limited = true;
                break;
            }
        }
        pairs.par_sort_unstable();
        SelfIntersections { pairs, is_limited }
    }
}

/// Pairs that are tested between looks at the limit.
const CHUNK: usize = 1 << 18;
/// Candidates of a triangle that are kept on average: sound surfaces have about 8.
const CANDIDATES: usize = 256;

/// Pairs of triangles whose boxes overlap, smaller number first; whether there were too many to keep.
fn candidates(boxes: &[Aabb]) -> (Vec<[u32; 2]>, bool) {
    let tree = Bvh::from_leaves(BvhBuildStrategy::default(), boxes);
    let most = CANDIDATES * boxes.len();
    let mut pairs = Vec::with_capacity(8 * boxes.len());
    let mut is_cut = false;
    let mut keep = |a: u32, b: u32| {
        if pairs.len() < most {
            pairs.push([a.min(b), a.max(b)]);
        } else {
            is_cut = true;
        }
    };
    tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut keep);
    (pairs, is_cut)
}

fn bounds(corners: &[Vec3; 3]) -> Aabb {
    let [a, b, c] = corners;
    let (lo, hi) = (a.inf(b).inf(c), a.sup(b).sup(c));
    Aabb::new(Vector::new(lo.x, lo.y, lo.z), Vector::new(hi.x, hi.y, hi.z))
}

/// A power of two that brings the largest coordinate near 1.
fn power_of_two_scale(mesh: &SurfaceMesh) -> f64 {
    let largest = mesh.vertices().iter().map(|p| p.amax()).fold(0.0, f64::max);
    if largest > 0.0 { largest.log2().floor().clamp(-1000.0, 1000.0).exp2().recip() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mat3;
    use crate::geometry::{cuboid_mesh, icosphere_mesh};

    fn joined(a: &SurfaceMesh, b: &SurfaceMesh) -> SurfaceMesh {
        let shift = a.vertices().len() as u32;
        let moved = b.triangles().iter().map(|t| t.map(|v| v + shift));
        let vertices = [a.vertices(), b.vertices()].concat();
        SurfaceMesh::new(vertices, a.triangles().iter().copied().chain(moved).collect()).unwrap()
    }

    fn moved(mesh: &SurfaceMesh, by: Vec3) -> SurfaceMesh {
        mesh.transformed(&Mat3::identity(), &by).unwrap()
    }

    #[test]
    fn sound_surfaces_have_none_at_any_size() {
        for size in [1e-30, 0.1, 1e30] {
            let sphere = icosphere_mesh(size, 3).unwrap();
            assert!(sphere.self_intersections(10).pairs.is_empty(), "{size}");
        }
        assert!(SurfaceMesh::default().self_intersections(10).pairs.is_empty());
    }

    /// Against all pairs tried one by one.
    #[test]
    fn overlapping_spheres_meet_in_the_pairs_that_trying_all_finds() {
        let sphere = icosphere_mesh(1.0, 2).unwrap();
        let mesh = joined(&sphere, &moved(&sphere, Vec3::new(0.7, 0.31, 0.2)));
        let corners = |t: usize| mesh.corners(t);
        let mut all = Vec::new();
        for t in 0..mesh.triangles().len() {
            for s in t + 1..mesh.triangles().len() {
                let (a, b) = (corners(t), corners(s));
                if triangle_pair::meet((mesh.triangles()[t], &a), (mesh.triangles()[s], &b)) {
                    all.push([t as u32, s as u32]);
                }
            }
        }
        assert!(all.len() > 30, "{}", all.len());
        assert_eq!(mesh.self_intersections(usize::MAX - 1).pairs, all);
        assert!(mesh.self_intersections(5).is_limited);
    }

    #[test]
    fn boxes_that_touch_with_a_face_are_told_from_boxes_apart() {
        let cube = cuboid_mesh(&Vec3::repeat(1.0)).unwrap();
        let touching = joined(&cube, &moved(&cube, Vec3::new(1.0, 0.25, 0.25)));
        assert!(!touching.self_intersections(100).pairs.is_empty());
        let apart = joined(&cube, &moved(&cube, Vec3::new(1.0 + 1e-15, 0.25, 0.25)));
        assert!(apart.self_intersections(100).pairs.is_empty());
    }

    #[test]
    fn a_folded_strip_meets_itself_and_a_flat_one_does_not() {
        let square = [Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()];
        let flat = SurfaceMesh::new(square.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        assert!(flat.self_intersections(10).pairs.is_empty());
        let mut folded = square.to_vec();
        folded[3] = Vec3::new(1.0, 0.5, 0.0);
        let folded = SurfaceMesh::new(folded, flat.triangles().to_vec()).unwrap();
        assert_eq!(folded.self_intersections(10).pairs, [[0, 1]]);
    }
}
