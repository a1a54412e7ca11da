//! Distances of points from a surface, by a tree of boxes over its triangles.

use rayon::prelude::*;

use super::SurfaceMesh;
use super::triangle_point::{OnTriangle, nearest_on_triangle};
use crate::Vec3;
use crate::tree::{Bounds, BoxTree};

impl SurfaceMesh {
    /// Distance of each point from the nearest triangle \[m\], on either side of the surface; infinite
    /// where no triangle has an area, or the point is not finite.
    pub fn distances(&self, points: &[Vec3]) -> Vec<f64> {
        let tree = self.triangle_tree();
        let has_area = |t: usize| self.area_normal(t) != Vec3::zeros();
        let has_area: Vec<bool> = (0..self.triangles().len()).map(has_area).collect();
        let distance = |p: &Vec3| {
            let nearest = self.nearest_triangle(&tree, p, |t| has_area[t]);
            nearest.map_or(f64::INFINITY, |(_, on)| (p - on.point).norm())
        };
        points.par_iter().map(distance).collect()
    }

    /// The boxes of all triangles.
    pub(super) fn triangle_tree(&self) -> BoxTree {
        let bounds = |t: usize| Bounds::of(self.corners(t).into_iter(), Vec3::zeros());
        BoxTree::new((0..self.triangles().len()).map(bounds).collect())
    }

    /// The triangle that is nearest to `p` [m] of those that count, and the point on it; of several the first. `None`
    /// where none counts, or the point is not finite.
    pub(super) fn nearest_triangle(
        &self,
        tree: &BoxTree,
        p: &Vec3,
        counts: impl Fn(usize) -> bool,
    ) -> Option<(u32, OnTriangle)> {
        if !p.iter().all(|x| x.is_finite()) {
            return None;
        }
        let mut best: Option<(f64, u32, OnTriangle)> = None;
        tree.find_nearest(p, f64::INFINITY, &mut |t, bound| {
            if !counts(t) {
                return bound;
            }
            let on = nearest_on_triangle(p, &self.corners(t));
            let far = (p - on.point).norm_squared();
            if best.is_none_or(|(old, triangle, _)| (far, t as u32) < (old, triangle)) {
                best = Some((far, t as u32, on));
            }
            bound.min(far)
        });
        best.map(|(_, triangle, on)| (triangle, on))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{cuboid_mesh, icosphere_mesh};

    #[test]
    fn distances_from_a_box_are_those_to_its_faces_edges_and_corners() {
        let surface = cuboid_mesh(&Vec3::new(2.0, 4.0, 6.0)).unwrap();
        let points = [
            Vec3::new(1.5, 0.3, -0.4),
            Vec3::new(0.2, 0.0, 0.0),
            Vec3::new(4.0, 6.0, 1.0),
            Vec3::new(2.0, 3.0, 4.0),
            Vec3::new(1.0, 2.0, 3.0),
        ];
        // Outside of a face, inside, beside an edge (3-4-5), beyond a corner, on a corner.
        let exact = [0.5, 0.8, 5.0, 3.0_f64.sqrt(), 0.0];
        for (found, exact) in surface.distances(&points).into_iter().zip(exact) {
            assert!((found - exact).abs() < 1e-14, "{found} {exact}");
        }
    }

    #[test]
    fn points_of_a_ball_are_as_far_as_the_nearest_of_all_triangles() {
        let surface = icosphere_mesh(1.0, 3).unwrap();
        let points: Vec<Vec3> = (0..40)
            .map(|k| Vec3::new((3.0 * f64::from(k)).sin(), f64::from(k).cos(), 0.05 * f64::from(k)))
            .collect();
        for (point, found) in points.iter().zip(surface.distances(&points)) {
            // A vertex is at most so much further than the surface as edges are long.
            let vertex = surface.vertices().iter().map(|v| (v - point).norm());
            let vertex = vertex.fold(f64::INFINITY, f64::min);
            assert!(found <= vertex + 1e-15 && vertex < found + 0.2, "{found} {vertex}");
            let ball = (point.norm() - 1.0).abs();
            assert!((found - ball).abs() < 0.01, "{found} {ball}");
        }
    }

    #[test]
    fn what_has_no_distance_is_infinitely_far() {
        let surface = cuboid_mesh(&Vec3::repeat(1.0)).unwrap();
        assert_eq!(surface.distances(&[Vec3::new(f64::NAN, 0.0, 0.0)]), [f64::INFINITY]);
        let flat = SurfaceMesh::new(vec![Vec3::zeros(); 3], vec![[0, 1, 2]]).unwrap();
        assert_eq!(flat.distances(&[Vec3::zeros()]), [f64::INFINITY]);
        assert_eq!(SurfaceMesh::default().distances(&[Vec3::zeros()]), [f64::INFINITY]);
        // A triangle without area is not there: the point lies on it.
        let vertices = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z() * 2.0];
        let part = SurfaceMesh::new(vertices, vec![[3, 3, 3], [0, 1, 2]]).unwrap();
        assert_eq!(part.distances(&[Vec3::z() * 2.0]), [2.0]);
    }
}
