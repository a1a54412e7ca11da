//! Twin of wgsl/lib/slabs.wgsl and foot.wgsl: distances of features from below and above.

use super::level::{difference, scaled};
use super::sliced::dot;

/// Keeps quotients finite.
const TINY: f32 = 1e-30;

/// A vertex or an edge against a triangle, which may be an edge (its last corners are one).
#[derive(Clone, Copy)]
pub(crate) struct Two {
    pub(crate) ends: [[f32; 3]; 2],
    pub(crate) corners: [[f32; 3]; 3],
}

impl Two {
    /// Width of the slab across `normal`, from the triangle to the other; negative where none parts them.
    fn slab(&self, normal: [f32; 3]) -> f32 {
        let [p, q] = self.ends;
        let [a, b, c] = self.corners;
        let low = dot(normal, difference(p, a)).min(dot(normal, difference(q, a)));
        let high = dot(normal, difference(b, a)).max(dot(normal, difference(c, a))).max(0.0);
        (low - high) / length(normal).max(TINY)
    }

    /// The widest slab across directions between sides and corners, faces and edges.
    pub(crate) fn distance_below(&self) -> f32 {
        let [p, q] = self.ends;
        let [a, b, c] = self.corners;
        let face = cross(difference(b, a), difference(c, a));
        let across = cross(difference(q, p), difference(b, a));
        let normals = [
            face,
            negative(face),
            across,
            negative(across),
            arm(p, a, b),
            arm(p, b, c),
            arm(p, c, a),
            arm(q, a, b),
            negative(arm(a, p, q)),
            negative(arm(b, p, q)),
        ];
        normals.into_iter().map(|normal| self.slab(normal)).fold(f32::NEG_INFINITY, f32::max)
    }

    /// Distance of the first end to some point of the triangle, but for rounding the nearest.
    pub(crate) fn distance_above(&self) -> f32 {
        let [a, b, c] = self.corners;
        let p = self.ends[0];
        let [u, v, w] = [b, c, p].map(|p| difference(p, a));
        let area = (dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v)).max(TINY);
        let s = ((dot(v, v) * dot(u, w) - dot(u, v) * dot(v, w)) / area).clamp(0.0, 1.0);
        let t = ((dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / area).clamp(0.0, 1.0 - s);
        let foot = difference(difference(w, scaled(s, u)), scaled(t, v));
        let arms = [foot, arm(p, a, b), arm(p, b, c), arm(p, c, a)];
        arms.into_iter().map(length).fold(f32::INFINITY, f32::min)
    }

    /// True if a vertex is clearly in front of a triangle.
    pub(crate) fn is_in_front(&self, slack: f32) -> bool {
        let [a, b, c] = self.corners;
        let [u, v, w] = [b, c, self.ends[0]].map(|p| difference(p, a));
        let size = length(u) * length(v) + length(w) * (length(u) + length(v));
        dot(w, cross(u, v)) > slack * size
    }
}

/// From the point of a segment that is nearest to `p`.
fn arm(p: [f32; 3], start: [f32; 3], end: [f32; 3]) -> [f32; 3] {
    let along = difference(end, start);
    let to_p = difference(p, start);
    let t = (dot(to_p, along) / dot(along, along).max(TINY)).clamp(0.0, 1.0);
    difference(to_p, scaled(t, along))
}

/// |v|.
pub(crate) fn length(v: [f32; 3]) -> f32 {
    dot(v, v).sqrt()
}

fn negative(v: [f32; 3]) -> [f32; 3] {
    v.map(|x| -x)
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
