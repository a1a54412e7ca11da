//! Separating axes of two polytopes: normals of faces and cross products of edges whose arcs on the
//! Gauss map cross (Gottschalk1996, Gregorius2013).

use super::polytope::{NONE, Solid};
use crate::Vec3;

/// The direction along which two polytopes are farthest apart, or overlap least.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// Unit, from B into A.
    pub(super) normal: Vec3,
    /// Width of the slab between them [m].
    pub(super) gap: f64,
    /// What it belongs to.
    pub(super) origin: Origin,
}

/// What gives an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A face of A or of B.
    Face,
    /// An edge of A and one of B.
    Edges(usize, usize),
}

/// The best axis, or nothing if they are farther apart than `limit`. Where axes are equal within
/// `tie`, faces of A win over faces of B over edges, and the first over later ones.
pub(super) fn best(a: &Solid<'_>, b: &Solid<'_>, limit: f64, tie: f64) -> Option<Axis> {
    let mut best = Axis { normal: Vec3::z(), gap: f64::NEG_INFINITY, origin: Origin::Face };
    for (solid, other, sign) in [(a, b, -1.0), (b, a, 1.0)] {
        for (face, normal) in solid.normals.iter().enumerate() {
            let level = solid.face_point(face).dot(normal);
            let lowest = other.corners.iter().map(|p| p.dot(normal)).fold(f64::INFINITY, f64::min);
            let gap = lowest - level;
            if gap > limit {
                return None;
            }
            if gap > best.gap + tie {
                best = Axis { normal: normal * sign, gap, origin: Origin::Face };
            }
        }
    }
    for i in 0..a.shape.edges.len() {
        for j in 0..b.shape.edges.len() {
            let Some((normal, gap)) = edge_axis(a, i, b, j) else { continue };
            if gap > best.gap + tie && slab(a, b, &normal) > best.gap + tie {
                best = Axis { normal, gap, origin: Origin::Edges(i, j) };
            }
            if best.gap > limit {
                return None;
            }
        }
    }
    Some(best)
}

/// Width of the slab between two polytopes across a normal from B into A.
fn slab(a: &Solid<'_>, b: &Solid<'_>, normal: &Vec3) -> f64 {
    (a.support(&-normal) - b.support(normal)).dot(normal)
}

/// The axis across two edges, if both support it.
fn edge_axis(a: &Solid<'_>, i: usize, b: &Solid<'_>, j: usize) -> Option<(Vec3, f64)> {
    let ([a0, a1], [b0, b1]) = (a.segment(i), b.segment(j));
    let (da, db) = (a1 - a0, b1 - b0);
    let arc = |solid: &Solid<'_>, edge: usize| {
        let faces = solid.shape.edges[edge].faces;
        (faces[0] != NONE).then(|| faces.map(|face| solid.normals[face as usize]))
    };
    let (arc_a, arc_b) = (arc(a, i), arc(b, j));
    if !arcs_cross(arc_a, &da, arc_b, &db) {
        return None;
    }
    let cross = da.cross(&db);
    let length = cross.norm();
    // Edges closer to parallel than this have no direction across them within rounding.
    if length < 1e-8 * da.norm() * db.norm() {
        return None;
    }
    let outward = match (arc_a, arc_b) {
        (_, Some([left, right])) => left + right,
        (Some([left, right]), None) => -(left + right),
        (None, None) => a0 + a1 - b0 - b1,
    };
    let normal = if cross.dot(&outward) < 0.0 { -cross / length } else { cross / length };
    Some((normal, (a0 - b0).dot(&normal)))
}

/// Whether the arcs of normals of an edge of A and of one of B, reversed, cross on the sphere. An
/// edge without faces has a whole circle.
fn arcs_cross(a: Option<[Vec3; 2]>, da: &Vec3, b: Option<[Vec3; 2]>, db: &Vec3) -> bool {
    let sides_b = b.map(|[left, right]| (left.dot(da), right.dot(da)));
    let sides_a = a.map(|[left, right]| (left.dot(db), right.dot(db)));
    let apart = |sides: Option<(f64, f64)>| sides.is_none_or(|(l, r)| l * r < 0.0);
    let facing = match (sides_a, sides_b) {
        (Some((_, right)), Some((left, _))) => left * right < 0.0,
        _ => true,
    };
    apart(sides_a) && apart(sides_b) && facing
}
