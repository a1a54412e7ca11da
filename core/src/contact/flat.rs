//! Contacts of two polytopes, one of which may be a segment: separating axes, then the overlap of
//! the faces that face each other; apart from each other across edges or corners, their nearest edges.

use super::axis::{self, Axis, Origin};
use super::patch::Overlap;
use super::polytope::Solid;
use super::segment::{self, Nearest, Side};
use super::touch::{Feature, Touch};

/// Lengths below this part of the pair's size are equal: ten thousand roundings, so that contacts of
/// bodies at rest do not change with the last bits of their poses.
pub(super) const EQUAL: f64 = 1e-10;

/// Adds contacts in the common frame, gaps up to `limit`, of a pair of some size [m].
pub(super) fn add(a: &Solid<'_>, b: &Solid<'_>, limit: f64, size: f64, overlap: &mut Overlap) {
    let tie = EQUAL * size;
    let Some(axis) = axis::best(a, b, limit, tie) else { return };
    if add_meeting(a, b, &axis, tie, overlap) {
        return;
    }
    overlap.found.clear();
    if axis.gap <= 0.0 {
        overlap.found.push(deepest(a, b, &axis));
        return;
    }
    let (i, j, at) = nearest_edges(a, b, &axis);
    let arm = at.a - at.b;
    let distance = arm.norm();
    if distance <= limit {
        // The direction between points that nearly coincide is noise.
        let normal = if distance > tie { arm / distance } else { axis.normal };
        segment::add_contacts(&side(a, i), &side(b, j), &at, &normal, &mut overlap.found);
    }
}

/// Adds the contacts that an axis stands for; false if its faces or edges are not those nearest.
fn add_meeting(a: &Solid<'_>, b: &Solid<'_>, axis: &Axis, tie: f64, overlap: &mut Overlap) -> bool {
    let least = axis.gap + tie;
    overlap.a.take_face(a, &-axis.normal, tie);
    overlap.b.take_face(b, &axis.normal, tie);
    let Origin::Edges(i, j) = axis.origin else {
        overlap.clip(&axis.normal, tie);
        return overlap.reaches(least);
    };
    let (side_a, side_b) = (side(a, i), side(b, j));
    let at = segment::nearest(&side_a.points, &side_b.points);
    if axis.gap > 0.0 && (at.a - at.b).norm() > least {
        return false;
    }
    // Of faces that lie on each other but for a slight tilt, edges may be the deepest.
    if overlap.a.is_flush(&axis.normal) && overlap.b.is_flush(&axis.normal) {
        overlap.clip(&axis.normal, tie);
    }
    if !overlap.reaches(least) {
        overlap.found.clear();
        segment::add_contacts(&side_a, &side_b, &at, &axis.normal, &mut overlap.found);
    }
    true
}

fn side(solid: &Solid<'_>, edge: usize) -> Side {
    let ends = solid.shape.edges[edge].ends;
    Side { points: solid.segment(edge), ends, edge: edge as u32 }
}

/// The farthest corner of A against the axis, where rounding left no overlap of faces.
fn deepest(a: &Solid<'_>, b: &Solid<'_>, axis: &Axis) -> Touch {
    let p = a.support(&-axis.normal);
    Touch::on_a(Feature::Deepest, p, &b.support(&axis.normal), axis.normal)
}

/// The nearest of all pairs of edges; those too far from the slab between the solids are passed by.
fn nearest_edges(a: &Solid<'_>, b: &Solid<'_>, axis: &Axis) -> (usize, usize, Nearest) {
    let n = axis.normal;
    let (top, bottom) = (b.support(&n).dot(&n), a.support(&-n).dot(&n));
    let mut best = (0, 0, segment::nearest(&a.segment(0), &b.segment(0)));
    let mut distance = (best.2.a - best.2.b).norm();
    for i in 0..a.shape.edges.len() {
        let of_a = a.segment(i);
        if of_a[0].dot(&n).min(of_a[1].dot(&n)) - top >= distance {
            continue;
        }
        for j in 0..b.shape.edges.len() {
            let of_b = b.segment(j);
            if bottom - of_b[0].dot(&n).max(of_b[1].dot(&n)) >= distance {
                continue;
            }
            let at = segment::nearest(&of_a, &of_b);
            let candidate = (at.a - at.b).norm();
            if candidate < distance {
                (best, distance) = ((i, j, at), candidate);
            }
        }
    }
    best
}
