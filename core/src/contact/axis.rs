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
    /// Its origin.
    pub(super) origin: Origin,
}

/// Origin of an axis.
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
        let edge = EdgeOf::new(a, i);
        for j in 0..b.shape.edges.len() {
            let Some((normal, gap)) = edge_axis(&edge, &EdgeOf::new(b, j)) else { continue };
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

/// An edge with the normals of its faces; a segment has none.
struct EdgeOf {
    start: Vec3,
    run: Vec3,
    arc: Option<[Vec3; 2]>,
}

impl EdgeOf {
    fn new(solid: &Solid<'_>, edge: usize) -> Self {
        let [start, end] = solid.segment(edge);
        let faces = solid.shape.edges[edge].faces;
        let arc = (faces[0] != NONE).then(|| faces.map(|face| solid.normals[face as usize]));
        EdgeOf { start, run: end - start, arc }
    }

    /// Heights of the ends of the arc of normals along a direction.
    fn sides(&self, direction: &Vec3) -> Option<[f64; 2]> {
        self.arc.map(|arc| arc.map(|normal| normal.dot(direction)))
    }
}

/// The axis across two edges, if both support it.
fn edge_axis(a: &EdgeOf, b: &EdgeOf) -> Option<(Vec3, f64)> {
    if !arcs_cross(a, b) {
        return None;
    }
    let cross = a.run.cross(&b.run);
    let length = cross.norm();
    // Edges closer to parallel than this have no direction across them within rounding.
    if length < 1e-8 * a.run.norm() * b.run.norm() {
        return None;
    }
    let outward = match (a.arc, b.arc) {
        (_, Some([left, right])) => left + right,
        (Some([left, right]), None) => -(left + right),
        (None, None) => a.start - b.start,
    };
    let normal = if cross.dot(&outward) < 0.0 { -cross / length } else { cross / length };
    Some((normal, (a.start - b.start).dot(&normal)))
}

/// True if the arcs of normals of an edge of A and of one of B, reversed, cross on the sphere. An
/// edge without faces has a whole circle.
fn arcs_cross(a: &EdgeOf, b: &EdgeOf) -> bool {
    let apart = |sides: Option<[f64; 2]>| sides.is_none_or(|[left, right]| left * right < 0.0);
    let sides_b = b.sides(&a.run);
    if !apart(sides_b) {
        return false;
    }
    let sides_a = a.sides(&b.run);
    apart(sides_a)
        && match (sides_a, sides_b) {
            (Some([_, right]), Some([left, _])) => left * right < 0.0,
            _ => true,
        }
}
