//! Contacts of a mesh with another solid: corners of each against the distance of the other, and convex
//! edges against convex edges where their normals allow it. docs/theory/contact.md derives it.

use super::Shape;
use super::bounds::Bounds;
use super::mesh::{ConvexEdge, MeshSolid};
use super::narrow::Placement;
use super::segment::nearest;
use super::support::Core;
use super::touch::{Buffer, CornerOrEdge, Feature, Touch};
use crate::Vec3;

/// Overlaps deeper than this share of the smaller solid are not those of its corners: what is nearest there
/// is the far side.
const DEEPEST: f64 = 0.25;
/// Points that stand for the rim of an end of a cylinder: they lie within 0.5 % of the radius.
pub(super) const RIM: u32 = 32;
/// Golden sections of an edge: 0.618^45 is 4e-10 of its length.
const SECTIONS: usize = 45;
/// Nearer to an end of an edge than this share, the corner there tells.
const END: f64 = 1e-6;
/// Edges whose sine is below this meet along a stretch: their corners tell where.
const PARALLEL: f64 = 1e-3;
/// Sine of the angle by which the normal of two edges may lie beyond the faces beside them: of faces that lie on each other it is
/// that of a face, and rounding decides on which side.
const BESIDE: f64 = 0.02;
/// Rounding of a distance, over the lengths of two edges.
const ROUNDING: f64 = 1e-12;
/// The nearest point of a solid is that of an edge when their distances agree to this share.
const SAME: f64 = 1e-6;

/// A solid beside the mesh, placed in the frame of the mesh.
pub(super) struct Beside<'a> {
    /// Itself, and where it is.
    pub(super) shape: &'a Shape,
    pub(super) at: &'a Placement,
    /// Its skeleton there; `None` for a mesh.
    pub(super) core: Option<Core<'a>>,
    /// The box around it there.
    pub(super) bounds: Bounds,
    /// The box around the mesh.
    pub(super) of_mesh: Bounds,
    /// Half the diagonals of the boxes of both [m].
    pub(super) sizes: [f64; 2],
}

impl Beside<'_> {
    /// The signed distance of a point of the frame of the mesh [m], and the normal, in that frame; from the
    /// skeleton where the solid is round.
    fn foot(&self, p: &Vec3) -> (f64, Vec3) {
        let foot = self.shape.foot(&self.at.inverse(p), self.sizes[0]);
        (foot.gap + self.shape.roundness(), self.at.turn * foot.normal)
    }

    fn deepest(&self) -> f64 {
        DEEPEST * self.sizes[0].min(self.sizes[1])
    }
}

/// Adds contacts with gaps up to `limit` between skeletons; A is what stands beside the mesh.
pub(super) fn add(a: &Beside<'_>, b: &MeshSolid, limit: f64, out: &mut Buffer) {
    let mut visit = |corner: u32, p: Vec3| {
        if a.of_mesh.near_point(&p, limit) {
            let foot = b.foot(&p);
            if foot.gap <= limit && foot.gap >= -a.deepest() {
                let surface = p - foot.normal * foot.gap;
                out.push(Touch::between(Feature::CornerOfA(corner), p, surface, foot.normal));
            }
        }
    };
    visit_corners(a, &mut visit);
    for (corner, p) in (0..).zip(b.surface().vertices()) {
        if a.bounds.near_point(p, limit) {
            let (gap, outward) = a.foot(p);
            if gap <= limit && gap >= -a.deepest() {
                let surface = p - outward * gap;
                out.push(Touch::between(Feature::CornerOfB(corner), surface, *p, -outward));
            }
        }
    }
    add_edges(a, b, limit, out);
}

/// Hands over the corners of the solid beside the mesh, with their numbers.
fn visit_corners(a: &Beside<'_>, visit: &mut dyn FnMut(u32, Vec3)) {
    match (&a.core, a.shape) {
        (Some(Core::Flat(solid)), _) => {
            (0..).zip(solid.corners).for_each(|(k, corner)| visit(k, *corner));
        }
        (Some(Core::Disk(disk)), _) => {
            for end in 0..2 {
                (0..RIM).for_each(|k| visit(end * RIM + k, disk.rim(end, k, RIM)));
            }
        }
        (None, Shape::Mesh(mesh)) => {
            let corners = (0..).zip(mesh.surface().vertices());
            corners.for_each(|(k, corner)| visit(k, a.at.apply(corner)));
        }
        (None, _) => {}
    }
}

/// Adds crossings of edges.
fn add_edges(a: &Beside<'_>, b: &MeshSolid, limit: f64, out: &mut Buffer) {
    let mut against = |number: u32, ends: [Vec3; 2], normals: Option<[Vec3; 2]>| {
        b.visit_edges_near(&ends, limit, &mut |other| {
            let edge = &b.edges()[other as usize];
            if let Some(touch) = crossing(a, b, (&ends, normals), edge, limit) {
                let feature =
                    Feature::Across(CornerOrEdge::Edge(number), CornerOrEdge::Edge(other));
                out.push(Touch { key: feature.key(), ..touch });
            }
        });
    };
    match (&a.core, a.shape) {
        (Some(Core::Flat(solid)), _) => {
            for (k, edge) in (0..).zip(&solid.shape.edges) {
                let normal = |face: u32| solid.normals.get(face as usize).copied();
                let normals = normal(edge.faces[0]).zip(normal(edge.faces[1]));
                against(k, solid.segment(k as usize), normals.map(|(l, r)| [l, r]));
            }
        }
        (None, Shape::Mesh(mesh)) => {
            for (k, edge) in (0..).zip(mesh.edges()) {
                let ends = edge.ends.map(|end| a.at.apply(&end));
                if a.of_mesh.near(&Bounds::around(ends.into_iter()), limit) {
                    against(k, ends, Some(edge.normals.map(|normal| a.at.turn * normal)));
                }
            }
        }
        (Some(Core::Disk(_)), _) => add_edges_of_mesh(a, b, limit, out),
        (None, _) => {}
    }
}

/// Adds where convex edges of the mesh come nearest to a round solid: its signed distance is convex along a
/// segment, so that a search by golden sections finds the least.
fn add_edges_of_mesh(a: &Beside<'_>, b: &MeshSolid, limit: f64, out: &mut Buffer) {
    let corners = [a.bounds.low, a.bounds.high];
    b.visit_edges_near(&corners, limit, &mut |number| {
        let edge = &b.edges()[number as usize];
        let on = |t: f64| edge.ends[0].lerp(&edge.ends[1], t);
        let t = least(|t| a.foot(&on(t)).0);
        if !(END..=1.0 - END).contains(&t) {
            return;
        }
        let p = on(t);
        let (gap, outward) = a.foot(&p);
        let fits = is_between(&-outward, &edge.normals);
        if fits && gap <= limit && gap >= -a.deepest() {
            let feature = Feature::Across(CornerOrEdge::Corner(0), CornerOrEdge::Edge(number));
            out.push(Touch::between(feature, p - outward * gap, p, -outward));
        }
    });
}

/// Minimizer of a convex function on [0, 1], by golden sections.
pub(super) fn least(f: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let [mut low, mut high] = [0.0, 1.0];
    for _ in 0..SECTIONS {
        let step = GOLDEN * (high - low);
        if f(high - step) <= f(low + step) { high = low + step } else { low = high - step }
    }
    0.5 * (low + high)
}

/// The contact of two edges: within both, along a normal that both can be touched along, and nearer than
/// anything else of the solids.
fn crossing(
    a: &Beside<'_>,
    b: &MeshSolid,
    (ends, normals): (&[Vec3; 2], Option<[Vec3; 2]>),
    edge: &ConvexEdge,
    limit: f64,
) -> Option<Touch> {
    let (da, db) = (ends[1] - ends[0], edge.ends[1] - edge.ends[0]);
    let across = da.cross(&db);
    if across.norm() <= PARALLEL * da.norm() * db.norm() {
        return None;
    }
    let outward = across.dot(&(edge.normals[0] + edge.normals[1]));
    let normal = across.normalize() * outward.signum();
    let fits = is_between(&normal, &edge.normals)
        && normals.is_none_or(|normals| is_between(&-normal, &normals));
    if !fits {
        return None;
    }
    let at = nearest(ends, &edge.ends);
    let gap = (at.a - at.b).dot(&normal);
    // Nearest points at an end leave the normal.
    let on_both = ((at.a - at.b) - normal * gap).norm() <= SAME * (da.norm() + db.norm());
    if !on_both || gap > limit || gap < -a.deepest() {
        return None;
    }
    let [of_b, of_a] = [b.foot(&at.a).gap, a.foot(&at.b).0];
    // Of faces that lie on each other, a point of an edge lies on a face beside it.
    let rounding = ROUNDING * (da.norm() + db.norm());
    let is_nearest = match gap > 0.0 {
        true => of_b >= gap * (1.0 - SAME) - rounding,
        false => of_b <= rounding && of_a <= rounding,
    };
    is_nearest.then(|| Touch::between(Feature::Deepest, at.a, at.b, normal))
}

/// True if a direction lies between two unit normals, or barely beside them, in the plane across their edge.
pub(super) fn is_between(direction: &Vec3, [first, second]: &[Vec3; 2]) -> bool {
    let cosine = first.dot(second);
    let least = -BESIDE * (1.0 - cosine * cosine).max(0.0).sqrt();
    let towards = |from: &Vec3, to: &Vec3| direction.dot(&(to - from * cosine)) >= least;
    towards(first, second) && towards(second, first)
}
