//! Areas that the vertices of a rigid surface stand for: a third of each triangle around.

use crate::Vec3;
use crate::geometry::SurfaceMesh;

/// Sum of the area vectors of a closed surface, which is rounding, over its area [-].
const CLOSED: f64 = 1e-9;

/// Area vectors of the triangles around each vertex of a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointAreas {
    /// Start of the triangles of each vertex, with the end of the last.
    starts: Vec<u32>,
    /// A third of the area vectors, out of the solid [m²].
    thirds: Vec<Vec3>,
}

impl PointAreas {
    /// Areas of a surface; of a closed one whose triangles look inwards the other side counts.
    pub fn of(surface: &SurfaceMesh) -> Self {
        let vertices = surface.vertices();
        let corners = |triangle: &[u32; 3]| triangle.map(|v| vertices[v as usize]);
        let (mut volume, mut sum, mut size) = (0.0, Vec3::zeros(), 0.0);
        for triangle in surface.triangles() {
            let [a, b, c] = corners(triangle);
            let area = (b - a).cross(&(c - a));
            volume += a.dot(&area);
            sum += area;
            size += area.norm();
        }
        let is_inside_out = volume < 0.0 && sum.norm() < CLOSED * size;
        let third = if is_inside_out { -1.0 / 6.0 } else { 1.0 / 6.0 };
        let mut parts: Vec<(u32, Vec3)> = Vec::with_capacity(3 * surface.triangles().len());
        for triangle in surface.triangles() {
            let [a, b, c] = corners(triangle);
            let area = (b - a).cross(&(c - a)) * third;
            parts.extend(triangle.map(|v| (v, area)));
        }
        parts.sort_by_key(|part| part.0);
        let start = |v: usize| parts.partition_point(|part| (part.0 as usize) < v) as u32;
        let starts = (0..=vertices.len()).map(start).collect();
        Self { starts, thirds: parts.into_iter().map(|part| part.1).collect() }
    }

    /// Area that a vertex stands for, seen along the direction of a force on it, in the frame of the surface [m²]: that of
    /// the triangles that turn to the force.
    pub fn of_vertex(&self, vertex: u32, direction: &Vec3) -> f64 {
        let Some([start, end]) =
            self.starts.get(vertex as usize..vertex as usize + 2).map(|it| [it[0], it[1]])
        else {
            return 0.0;
        };
        let seen = |area: &Vec3| (-area.dot(direction)).max(0.0);
        self.thirds[start as usize..end as usize].iter().map(seen).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::cuboid_mesh;

    #[test]
    fn vertices_of_a_box_share_the_side_that_is_pushed() {
        let surface = cuboid_mesh(&Vec3::new(0.2, 0.3, 0.4)).unwrap();
        let areas = PointAreas::of(&surface);
        for (axis, side) in [(0, 0.12), (1, 0.08), (2, 0.06)] {
            let mut push = Vec3::zeros();
            push[axis] = 1.0;
            // The force points into the lower side.
            let sum: f64 =
                (0..surface.vertices().len() as u32).map(|v| areas.of_vertex(v, &push)).sum();
            assert!((sum / side - 1.0).abs() < 1e-14, "{sum} m² of {side} m²");
        }
        assert_eq!(areas.of_vertex(1000, &Vec3::x()), 0.0);
        let turned = surface.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        let inside_out = SurfaceMesh::new(surface.vertices().to_vec(), turned).unwrap();
        for vertex in 0..8 {
            let [found, expected] = [PointAreas::of(&inside_out), PointAreas::of(&surface)]
                .map(|it| it.of_vertex(vertex, &Vec3::x()));
            assert!((found - expected).abs() < 1e-15);
        }
    }
}
