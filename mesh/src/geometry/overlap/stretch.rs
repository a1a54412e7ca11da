//! Stretches of the borders of inside parts, and integrals over what they surround: the divergence theorem
//! turns those over a solid into sums over triangles (Mirtich1996).

use super::result::{Operand, Region, SurfacePart};
use crate::Vec3;

/// A stretch of the border of the inside part of a triangle, that part to its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) ends: [Vec3; 2],
    /// The node of its start among those that hang together.
    pub(super) node: u32,
    /// Winding number of the other surface about the part.
    pub(super) weight: f64,
}

/// Unit normal of a triangle, and the point that integrals over volumes are taken about [m].
pub(super) struct Frame {
    pub(super) normal: Vec3,
    pub(super) origin: Vec3,
}

/// Adds the triangle between a stretch and the apex, a point of its border, and the tetrahedron between that
/// and the origin.
pub(super) fn add_stretch(
    region: &mut Region,
    of: Operand,
    stretch: &Stretch,
    apex: &Vec3,
    frame: &Frame,
) {
    let [a, b] = stretch.ends;
    let area_vector = (a - apex).cross(&(b - apex)) * (0.5 * stretch.weight);
    let area = area_vector.dot(&frame.normal);
    let part: &mut SurfacePart = &mut region.parts[of.index()];
    part.area += area;
    part.area_vector += area_vector;
    part.moment += (apex + a + b) * (area / 3.0);
    let arms = [*apex, a, b].map(|p| p - frame.origin);
    let volume = area_vector.dot(&arms[0]) / 3.0;
    region.solid.volume += volume;
    region.solid.moment += (arms[0] + arms[1] + arms[2]) * (0.25 * volume);
}

/// Signed crossing of a stretch by a ray from `p` in the plane of `normal`, seen along its largest component.
pub(super) fn crossing(stretch: &Stretch, p: &Vec3, normal: &Vec3) -> i8 {
    let axis = normal.iamax();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let [a, b] = stretch.ends.map(|end| end - p);
    if (a[v] > 0.0) == (b[v] > 0.0) {
        return 0;
    }
    // Where the stretch has the height of the point, it is to its right.
    let is_right = (a[u] * b[v] - a[v] * b[u] > 0.0) == (b[v] > a[v]);
    let way = i8::from(b[v] > a[v]) - i8::from(b[v] < a[v]);
    if is_right { way } else { 0 }
}

/// Unit normal of a triangle; zero without area.
pub(super) fn unit_normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
}
