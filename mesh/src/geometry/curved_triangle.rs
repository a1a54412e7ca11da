//! Curved triangles through corners with normals: each point is pulled half of the way to the planes across the normals of the
//! corners (Boubekeur2008). Sides are those of parabolas, which follow a circle to the fourth order of their length as those of
//! Nagata2005 do, and depend on their own two corners alone, so that neighbours fit.

use crate::Vec3;

/// Share of the way to the planes: that at which a side between normals of a circle has the height of its arc.
const PULL: f64 = 0.5;

/// The point at weights of the corners [m], and the sum of the normals there, not of unit length.
pub fn on_curved_triangle(
    weights: &[f64; 3],
    corners: &[Vec3; 3],
    normals: &[Vec3; 3],
) -> (Vec3, Vec3) {
    let flat: Vec3 = (0..3).map(|k| corners[k] * weights[k]).sum();
    let pull = |k: usize| normals[k] * (weights[k] * (corners[k] - flat).dot(&normals[k]));
    let point = flat + (0..3).map(pull).sum::<Vec3>() * PULL;
    (point, (0..3).map(|k| normals[k] * weights[k]).sum())
}

/// Cosine of the angle, 40 degrees, from which a turn between triangles is a crease, at which normals stop.
const CREASE: f64 = 0.766;

/// The triangles at each vertex of a surface, for normals at corners.
#[derive(Clone, Debug, Default)]
pub struct VertexFaces {
    /// Of each vertex the place of its first triangle, and the end of the last.
    starts: Vec<u32>,
    faces: Vec<u32>,
}

impl VertexFaces {
    /// Of triangles between so many vertices.
    pub fn new(triangles: &[[u32; 3]], vertex_count: usize) -> Self {
        let mut corners: Vec<(u32, u32)> =
            (0..).zip(triangles).flat_map(|(t, it)| it.map(|vertex| (vertex, t))).collect();
        corners.sort_unstable();
        let start = |v: usize| corners.partition_point(|corner| (corner.0 as usize) < v) as u32;
        Self {
            starts: (0..=vertex_count).map(start).collect(),
            faces: corners.iter().map(|corner| corner.1).collect(),
        }
    }

    /// Unit normals at the corners of a triangle with the unit normal `own`: means of those of the triangles there that do not
    /// turn away at a crease, by `area_normal`, their normals times their areas.
    pub fn normals_at_corners(
        &self,
        triangle: &[u32; 3],
        own: &Vec3,
        area_normal: impl Fn(usize) -> Vec3,
    ) -> [Vec3; 3] {
        triangle.map(|v| {
            let [start, end] = [0, 1].map(|k| self.starts[v as usize + k] as usize);
            let normals = self.faces[start..end].iter().map(|&t| area_normal(t as usize));
            let alike = normals.filter(|it| it.dot(own) > CREASE * it.norm());
            alike.sum::<Vec3>().try_normalize(0.0).unwrap_or(*own)
        })
    }
}

/// Weights at which the height of a curved triangle is looked at: middles of sides, and the middle.
const SAMPLES: [[f64; 3]; 4] =
    [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]];

/// Greatest distance of a curved triangle from the flat one, at its middle and those of its sides [m].
pub fn sag(corners: &[Vec3; 3], normals: &[Vec3; 3]) -> f64 {
    let off = |weights: &[f64; 3]| {
        let flat: Vec3 = (0..3).map(|k| corners[k] * weights[k]).sum();
        (on_curved_triangle(weights, corners, normals).0 - flat).norm()
    };
    SAMPLES.iter().map(off).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side of 2 sin(a) on a circle of radius 1, whose arc is at most so much higher.
    #[test]
    fn sides_follow_a_circle_to_the_fourth_order() {
        let error = |half: f64| {
            let at = |turn: f64| Vec3::new(turn.sin(), 0.0, turn.cos());
            let ends = [at(-half), at(half), Vec3::y()];
            (0..=10)
                .map(|k| {
                    let t = f64::from(k) / 10.0;
                    let (point, _) = on_curved_triangle(&[1.0 - t, t, 0.0], &ends, &ends);
                    (point.norm() - 1.0).abs()
                })
                .fold(0.0, f64::max)
        };
        let [coarse, fine] = [error(0.2), error(0.1)];
        // The chord is 0.02 below the arc, the curve cos(a) (1 + sin(a)² / 2) high: 3/8 a⁴ too low.
        let middle = 1.0 - 0.2f64.cos() * (1.0 + 0.5 * 0.2f64.sin().powi(2));
        assert!((coarse / middle - 1.0).abs() < 1e-9, "{coarse} {middle}");
        assert!((14.0..18.0).contains(&(coarse / fine)), "{coarse} {fine}");
    }

    #[test]
    fn normals_of_a_plane_leave_it_flat() {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let (point, normal) = on_curved_triangle(&[0.2, 0.5, 0.3], &corners, &[Vec3::z(); 3]);
        assert!(
            (point - Vec3::new(0.5, 0.3, 0.0)).norm() < 1e-15
                && (normal - Vec3::z()).norm() < 1e-15
        );
    }
}
