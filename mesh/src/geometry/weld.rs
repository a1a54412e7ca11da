//! Vertices at the same place, or nearly so, made one; triangles that lie on each other.

use std::collections::HashMap;

use rayon::prelude::*;

use super::SurfaceMesh;
use crate::Vec3;

/// For each point the first point that lies at its place, exactly or within `tolerance` [m] of the
/// one that stands for a place. n log n in the number of points.
pub fn coincident_points(points: &[Vec3], tolerance: f64) -> Vec<u32> {
    if tolerance > 0.0 {
        let mut places = WeldGrid { cells: HashMap::new(), points, tolerance };
        return (0..points.len() as u32).map(|i| places.stand_in(i)).collect();
    }
    // Adding zero makes -0 and 0 the same.
    let key = |i: &u32| {
        let p = points[*i as usize];
        [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())
    };
    let mut order: Vec<([u64; 3], u32)> = (0..points.len() as u32).map(|i| (key(&i), i)).collect();
    order.par_sort_unstable();
    let mut stand_in = vec![0; points.len()];
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        same.iter().for_each(|(_, i)| stand_in[*i as usize] = same[0].1);
    }
    stand_in
}

/// The points that stand for a place, by cells as wide as the tolerance.
struct WeldGrid<'p> {
    cells: HashMap<[u64; 3], Vec<u32>>,
    points: &'p [Vec3],
    tolerance: f64,
}

impl WeldGrid<'_> {
    fn stand_in(&mut self, i: u32) -> u32 {
        let p = self.points[i as usize];
        let cell = [p.x, p.y, p.z].map(|x| (x / self.tolerance).floor());
        let near = |offset: usize| {
            let step = |axis: u32| (offset / 3_usize.pow(axis) % 3) as f64 - 1.0;
            [cell[0] + step(0), cell[1] + step(1), cell[2] + step(2)].map(|x| (x + 0.0).to_bits())
        };
        for key in (0..27).map(near) {
            // A cell has few stand-ins: they are farther from each other than the tolerance.
            let mut known = self.cells.get(&key).into_iter().flatten();
            let is_near = |&&k: &&u32| (self.points[k as usize] - p).norm() <= self.tolerance;
            if let Some(&known) = known.find(is_near) {
                return known;
            }
        }
        self.cells.entry(near(13)).or_default().push(i);
        i
    }
}

impl SurfaceMesh {
    /// Number of vertices at the place of an earlier one.
    pub fn count_duplicate_vertices(&self) -> usize {
        let stand_in = coincident_points(self.vertices(), 0.0);
        stand_in.iter().enumerate().filter(|&(i, &s)| i != s as usize).count()
    }

    /// Triangles with the same three vertices as an earlier one, in whatever order.
    pub fn duplicate_triangles(&self) -> Vec<usize> {
        let mut keys: Vec<([u32; 3], usize)> = (self.triangles().iter().enumerate())
            .map(|(t, corners)| {
                let mut key = *corners;
                key.sort_unstable();
                (key, t)
            })
            .collect();
        keys.sort_unstable();
        let repeated = keys.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| w[1].1);
        let mut repeated: Vec<usize> = repeated.collect();
        repeated.sort_unstable();
        repeated
    }

    /// The same surface with vertices at most `tolerance` [m] apart made one (0: at the same place),
    /// unused vertices dropped, and triangles dropped that lose a corner by it.
    #[must_use]
    pub fn welded(&self, tolerance: f64) -> Self {
        let stand_in = coincident_points(self.vertices(), tolerance);
        let renamed = self.triangles().iter().map(|t| t.map(|v| stand_in[v as usize]));
        let mut triangles: Vec<[u32; 3]> =
            renamed.filter(|[a, b, c]| a != b && b != c && c != a).collect();
        const UNUSED: u32 = u32::MAX;
        let mut new_index = vec![UNUSED; self.vertices().len()];
        triangles.as_flattened().iter().for_each(|&v| new_index[v as usize] = 0);
        let mut vertices = Vec::new();
        for (index, &vertex) in new_index.iter_mut().zip(self.vertices()) {
            if *index != UNUSED {
                *index = vertices.len() as u32;
                vertices.push(vertex);
            }
        }
        triangles.as_flattened_mut().iter_mut().for_each(|v| *v = new_index[*v as usize]);
        Self::new(vertices, triangles).expect("indices were renamed among kept vertices")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{cuboid_mesh, icosphere_mesh};

    /// Each triangle with corners of its own, moved by up to `shift`.
    fn soup(mesh: &SurfaceMesh, shift: f64) -> SurfaceMesh {
        let corners = (0..mesh.triangles().len()).flat_map(|t| mesh.corners(t));
        let moved =
            corners.enumerate().map(|(i, p)| p + Vec3::repeat(shift * (i % 3) as f64 / 4.0));
        let vertices: Vec<Vec3> = moved.collect();
        let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
        SurfaceMesh::new(vertices, triangles.collect()).unwrap()
    }

    #[test]
    fn a_soup_of_triangles_is_closed_after_welding() {
        let sphere = icosphere_mesh(0.05, 3).unwrap();
        let apart = soup(&sphere, 0.0);
        assert_eq!(apart.count_duplicate_vertices(), 3840 - 642);
        assert!(!apart.topology().is_closed());
        for (shift, tolerance) in [(0.0, 0.0), (1e-9, 1e-7)] {
            let welded = soup(&sphere, shift).welded(tolerance);
            assert_eq!(welded.vertices().len(), 642, "{tolerance}");
            assert!(welded.topology().is_closed());
        }
    }

    #[test]
    fn welding_drops_triangles_that_become_lines_and_names_doubles() {
        let cube = cuboid_mesh(&Vec3::new(1.0, 1.0, 1e-6)).unwrap();
        assert_eq!(cube.welded(1e-5).vertices().len(), 4);
        let mut triangles = cube.triangles().to_vec();
        triangles.push([triangles[3][1], triangles[3][0], triangles[3][2]]);
        let double = SurfaceMesh::new(cube.vertices().to_vec(), triangles).unwrap();
        assert_eq!(double.duplicate_triangles(), [12]);
    }
}
