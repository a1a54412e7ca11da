//! Outer side of the triangles of a surface, found by rays: it needs neither a closed surface nor
//! neighbours that wind alike.

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use parry3d_f64::query::Ray;
use rayon::prelude::*;

use super::SurfaceMesh;
use crate::Vec3;

/// Triangles that rays are sent from: the share is found to about 3 % by so many.
const SAMPLES: usize = 1000;

impl SurfaceMesh {
    /// The share of triangles whose normal points to the inside [-], from a sample: along the normal
    /// the surface is crossed an odd number of times more. 0 for an outward surface, 1 for one that
    /// is inside-out; `None` without triangles that have an area.
    pub fn inward_share(&self) -> Option<f64> {
        let boxes: Vec<Aabb> =
            (0..self.triangles().len()).map(|t| bounds(&self.corners(t))).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::default(), &boxes);
        let step = self.triangles().len().div_ceil(SAMPLES).max(1);
        let is_inward = |t: usize| {
            let direction = self.area_normal(t).try_normalize(0.0)?;
            let [a, b, c] = self.corners(t);
            // Not the middle: lines between symmetric triangles would meet edges.
            let from = a * 0.41 + b * 0.33 + c * 0.26;
            let ray = Ray::new(to_parry(&from), to_parry(&direction));
            let hits = tree.leaves(|node| node.cast_ray(&ray, f64::MAX) < f64::MAX);
            let crossed = |s: &u32| {
                *s as usize != t && crosses(&from, &direction, &self.corners(*s as usize))
            };
            Some(hits.filter(crossed).count() % 2 == 1)
        };
        let sample: Vec<bool> = (0..self.triangles().len())
            .into_par_iter()
            .step_by(step)
            .filter_map(is_inward)
            .collect();
        let inward = sample.iter().filter(|&&inward| inward).count();
        (!sample.is_empty()).then(|| inward as f64 / sample.len() as f64)
    }
}

fn to_parry(p: &Vec3) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn bounds([a, b, c]: &[Vec3; 3]) -> Aabb {
    Aabb::new(to_parry(&a.inf(b).inf(c)), to_parry(&a.sup(b).sup(c)))
}

/// True if the ray passes through the triangle (Moeller1997).
fn crosses(from: &Vec3, direction: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(&ac);
    let determinant = ab.dot(&p);
    if determinant == 0.0 {
        return false;
    }
    let to = from - a;
    let u = to.dot(&p) / determinant;
    let q = to.cross(&ab);
    let v = direction.dot(&q) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && ac.dot(&q) / determinant > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::icosphere_mesh;

    #[test]
    fn the_share_of_turned_triangles_is_found_even_where_neighbours_disagree() {
        let sphere = icosphere_mesh(0.05, 3).unwrap();
        assert_eq!(sphere.inward_share(), Some(0.0));
        assert_eq!(sphere.clone().flipped().inward_share(), Some(1.0));
        let mut triangles = sphere.triangles().to_vec();
        triangles.iter_mut().take(960).for_each(|t| t.swap(0, 1));
        let mixed = SurfaceMesh::new(sphere.vertices().to_vec(), triangles).unwrap();
        // Every second triangle is asked.
        assert_eq!(mixed.inward_share(), Some(0.75));
        assert_eq!(SurfaceMesh::default().inward_share(), None);
    }
}
