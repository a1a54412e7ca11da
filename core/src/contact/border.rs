//! The border to parry: hulls of points, and a first direction between shapes that are not flat.
//! Nothing else of the crate names parry's types.

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::details::contact_support_map_support_map;
use parry3d_f64::shape::SupportMap;
use parry3d_f64::transformation::try_convex_hull;

use super::support::Core;
use crate::Vec3;

fn to_parry(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn from_parry(v: Vector) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

impl SupportMap for Core<'_> {
    fn local_support_point(&self, direction: Vector) -> Vector {
        to_parry(&self.support(&from_parry(direction)))
    }
}

/// Corners and triangles of the hull of points, by quickhull.
pub(super) fn hull_triangles(points: &[Vec3]) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let points: Vec<Vector> = points.iter().map(to_parry).collect();
    let (corners, triangles) = try_convex_hull(&points).ok()?;
    Some((corners.into_iter().map(from_parry).collect(), triangles))
}

/// A unit direction from B into A along which they are nearest, or overlap least (GJK, EPA), as far
/// as these converge: about 1e-4. Both are given in one frame, A near its origin.
pub(super) fn nearest_direction(a: &Core<'_>, b: &Core<'_>) -> Option<Vec3> {
    let contact = contact_support_map_support_map(&Pose::IDENTITY, b, a, f64::MAX)?;
    let normal = from_parry(contact.normal1);
    (normal.norm_squared() > 0.25).then(|| normal.normalize())
}
