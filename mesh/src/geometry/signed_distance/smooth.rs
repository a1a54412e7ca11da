//! Distances from the smooth surface of curved triangles through the corners of a surface, with its normals.

use super::{Foot, SignedDistance};
use crate::Vec3;
use crate::geometry::curved_triangle::{on_curved_triangle, sag};

/// Projections at most; they end when the foot comes no nearer to being below the point.
const PROJECTIONS: usize = 8;

impl SignedDistance {
    /// Distance of `p` [m] from the smooth surface along its normal, which turns without jumps but at creases of 40 degrees: `p` is
    /// projected along the normal at each foot, and the foot of the projection is the next. For points that are nearer than
    /// centres of curvature. `None` for a point that is not finite.
    pub fn smooth_foot(&self, p: &Vec3) -> Option<Foot> {
        let mut best: Option<(f64, Foot)> = None;
        let mut from = *p;
        for _ in 0..PROJECTIONS {
            let (triangle, on) = self.surface.nearest_triangle(&self.tree, &from, |_| true)?;
            let (point, sum) = self.curved(triangle, &on.weights);
            let normal = sum.try_normalize(0.0).unwrap_or(self.face_normals[triangle as usize]);
            let distance = (p - point).dot(&normal);
            from = p - normal * distance;
            let aside = (from - point).norm();
            if best.is_some_and(|(least, _)| aside >= least) {
                break;
            }
            best = Some((aside, Foot { distance, normal, triangle, on }));
        }
        best.map(|(_, foot)| foot)
    }

    /// Greatest distance of the smooth surface from the triangles [m].
    pub fn sag(&self) -> f64 {
        let of_triangle = |t: usize| sag(&self.surface.corners(t), &self.normals_at_corners(t));
        (0..self.face_normals.len()).map(of_triangle).fold(0.0, f64::max)
    }

    fn curved(&self, triangle: u32, weights: &[f64; 3]) -> (Vec3, Vec3) {
        let t = triangle as usize;
        on_curved_triangle(weights, &self.surface.corners(t), &self.normals_at_corners(t))
    }

    fn normals_at_corners(&self, t: usize) -> [Vec3; 3] {
        let (triangle, own) = (&self.surface.triangles()[t], &self.face_normals[t]);
        self.vertex_faces.normals_at_corners(triangle, own, |t| self.surface.area_normal(t))
    }
}
