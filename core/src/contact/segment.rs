//! Two segments: their nearest points (Ericson2005, 5.1.9), and the one or two contacts between
//! them. Segments that are nearly parallel touch at both ends of where they face each other.

use super::point::tangents;
use super::touch::{Buffer, CornerOrEdge, Feature, Touch};
use crate::Vec3;

/// Below this sine two segments face each other along a stretch: two contacts hold what lies on an
/// edge, and a turn of 0.6 degrees moves them by 1 % of the stretch off the true surface.
const PARALLEL: f64 = 0.01;

/// Nearest points of two segments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub(super) a: Vec3,
    pub(super) b: Vec3,
    /// Coordinates of the nearest points along each segment, from 0 to 1.
    pub(super) at: [f64; 2],
}

/// The point of a segment that is nearest to another.
pub(crate) fn closest_on_segment(p: &Vec3, start: &Vec3, end: &Vec3) -> Vec3 {
    let along = end - start;
    start + along * ((p - start).dot(&along) / along.norm_squared()).clamp(0.0, 1.0)
}

/// Nearest points of two segments of positive length.
pub(super) fn nearest(a: &[Vec3; 2], b: &[Vec3; 2]) -> Nearest {
    let (da, db, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (aa, bb, ab) = (da.norm_squared(), db.norm_squared(), da.dot(&db));
    let (ca, cb) = (da.dot(&r), db.dot(&r));
    let cross = da.cross(&db).norm_squared();
    // Parallel to rounding: any point of A will do, its end at the start.
    let s = if cross > 1e-24 * aa * bb { (ab * cb - ca * bb) / cross } else { 0.0 };
    let s = s.clamp(0.0, 1.0);
    let t = ((ab * s + cb) / bb).clamp(0.0, 1.0);
    let s = ((ab * t - ca) / aa).clamp(0.0, 1.0);
    Nearest { a: a[0] + da * s, b: b[0] + db * t, at: [s, t] }
}

/// A direction from B into A for segments that meet: across both, towards the middle of A.
pub(super) fn crossing_normal(a: &[Vec3; 2], b: &[Vec3; 2]) -> Vec3 {
    let (da, db) = ((a[1] - a[0]).normalize(), (b[1] - b[0]).normalize());
    let cross = da.cross(&db);
    let normal = if cross.norm() > 1e-8 { cross.normalize() } else { tangents(&da).0 };
    let towards = (a[0] + a[1] - b[0] - b[1]).dot(&normal);
    if towards < 0.0 { -normal } else { normal }
}

/// An edge of a polytope as a contact sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) points: [Vec3; 2],
    /// Numbers of its ends.
    pub(super) ends: [u32; 2],
    /// Its own number.
    pub(super) edge: u32,
}

impl Side {
    /// The corner or the edge at a place from 0 to 1. Edges that share a corner agree on it.
    fn piece(&self, at: f64) -> CornerOrEdge {
        const END: f64 = 1e-9;
        if at < END {
            CornerOrEdge::Corner(self.ends[0])
        } else if at > 1.0 - END {
            CornerOrEdge::Corner(self.ends[1])
        } else {
            CornerOrEdge::Edge(self.edge)
        }
    }
}

/// Contacts of two edges along a normal from B into A: one, or two where they are nearly parallel.
pub(super) fn add_contacts(a: &Side, b: &Side, at: &Nearest, normal: &Vec3, out: &mut Buffer) {
    let (da, db) = (a.points[1] - a.points[0], b.points[1] - b.points[0]);
    let sine = da.cross(&db).norm() / (da.norm() * db.norm());
    let along = da.normalize();
    if sine < PARALLEL && along.dot(normal).abs() < 0.1 {
        let before = out.len();
        add_stretch(a, b, &along, normal, out);
        if out.len() > before + 1 {
            return;
        }
        out.truncate(before);
    }
    let feature = Feature::Across(a.piece(at.at[0]), b.piece(at.at[1]));
    out.push(Touch::between(feature, at.a, at.b, *normal));
}

/// The ends of the stretch where two nearly parallel edges face each other.
fn add_stretch(a: &Side, b: &Side, along: &Vec3, normal: &Vec3, out: &mut Buffer) {
    let tolerance = 1e-9 * (a.points[1] - a.points[0]).norm();
    for k in 0..2 {
        if let Some(other) = across(&a.points[k], &b.points, along, tolerance) {
            out.push(Touch::on_a(Feature::CornerOfA(a.ends[k]), a.points[k], &other, *normal));
        }
    }
    for k in 0..2 {
        if let Some(other) = across(&b.points[k], &a.points, along, -tolerance) {
            out.push(Touch::on_b(Feature::CornerOfB(b.ends[k]), b.points[k], &other, *normal));
        }
    }
}

/// Point at which the plane across `along` through a point cuts a segment.
fn across(p: &Vec3, segment: &[Vec3; 2], along: &Vec3, tolerance: f64) -> Option<Vec3> {
    let run = segment[1] - segment[0];
    let length = run.dot(along);
    let at = (p - segment[0]).dot(along) / length;
    let slack = tolerance / length.abs();
    (at >= -slack && at <= 1.0 + slack).then(|| segment[0] + run * at.clamp(0.0, 1.0))
}
