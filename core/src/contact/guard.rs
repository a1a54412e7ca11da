//! Looks along a motion that a step took for what passed through each other, and keeps it for the contacts of the step that
//! is taken again (docs/theory/contact.md, "Never through").

use super::narrow::{Part, Scratch};
use super::surfaces::Surfaces;
use super::tissue_crossing::{Passing, TissueCrossing};
use super::tissue_faces::{SolidBeside, TissueFaces};
use super::way::{PairWay, PointWay, SolidWay};
use super::{Collider, ContactPoint, Detector, Member, Pair, PointSet};
use crate::Vec3;
use crate::constraint::Pose;

/// Surfaces keep this share of the distance at which they touch, whatever happens.
const LEAST: f64 = 0.125;
/// Overlap of a node that is not looked at, over the margin of its pair: several times what rows leave.
const LEFT: f64 = 0.5;

/// Poses of frames, and positions of rows [m], at the start of a motion and at its end.
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    /// Poses at both.
    pub poses: [&'a [Pose]; 2],
    /// Positions at both.
    pub q: [&'a [Vec3]; 2],
}

/// Crossings in motions that were refused, and pairs to be looked at.
#[derive(Debug, Default)]
pub(super) struct Guarded {
    /// Pairs of solids that were left out of the contacts of the last call, as they do not meet on the ways foreseen.
    pub(super) left_out: Vec<u32>,
    /// Pairs of solids that met on their way though they were left out.
    pub(super) met: Vec<u32>,
    pub(super) of_tissues: Vec<TissueCrossing>,
    /// Motions of all positions [m], and ways of all colliders.
    steps: Vec<Vec3>,
    ways: Vec<SolidWay>,
}

/// Ways of colliders whose frames go from some poses to others.
pub(super) fn solid_ways(
    collider_frames: &[(u32, Pose)],
    [from, to]: [&[Pose]; 2],
    ways: &mut Vec<SolidWay>,
) {
    ways.clear();
    ways.extend(collider_frames.iter().map(|(frame, own)| {
        let pose = |poses: &[Pose]| match *frame {
            Collider::GROUND => *own,
            frame => poses[frame as usize] * own,
        };
        SolidWay::new(pose(from), &pose(to))
    }));
}

impl Detector {
    /// The first pair that passes through each other in a motion, of those that are `guarded`: surfaces that come nearer than
    /// an eighth of the distance at which they touch, tissue and solids that go into each other deeper than contacts
    /// leave, solids that touch though the last call left them out. What begins nearer does not count. Features that
    /// would pass each other have contacts in the calls that follow, whether near or not, until
    /// [`Self::forget_crossings`].
    ///
    /// # Panics
    /// If there are fewer poses or positions than colliders, point sets and surfaces name.
    pub fn crossing(&mut self, motion: Motion, guarded: &dyn Fn(u32) -> bool) -> Option<u32> {
        let Self {
            surfaces, point_sets, tissue_faces, pairs, direct, parts, guard, scratch, ..
        } = self;
        let has_no_own = |pair: &u32| {
            let Pair { a, b, .. } = pairs[*pair as usize];
            matches!((a, b), (Member::Collider(_), Member::Collider(_)))
        };
        if guard.left_out.is_empty() && direct.iter().all(has_no_own) {
            return None;
        }
        let [from, to] = motion.q;
        guard.steps.clear();
        guard.steps.extend(to.iter().zip(from).map(|(to, from)| to - from));
        solid_ways(&self.collider_frames, motion.poses, &mut guard.ways);
        let mut look = Look { surfaces, point_sets, tissue_faces, parts, guard, scratch, from };
        let mut first = None;
        for &index in direct.iter().filter(|index| guarded(**index)) {
            let pair = &pairs[index as usize];
            let crosses = match (pair.a, pair.b) {
                (Member::Surface(a), Member::Surface(b)) => look.at_surfaces(index, [a, b], pair),
                (Member::Points(set), Member::Collider(solid))
                | (Member::Collider(solid), Member::Points(set)) => {
                    look.at_tissue(index, [set, solid], pair)
                }
                (Member::Collider(_), _) | (Member::Points(_) | Member::Surface(_), _) => false,
            };
            first = first.or(crosses.then_some(index));
        }
        first.or(look.at_solids(pairs))
    }

    /// Forgets the crossings that [`Self::crossing`] found.
    pub fn forget_crossings(&mut self) {
        self.surfaces.forget_crossings();
        self.guard.met.clear();
        self.guard.of_tissues.clear();
    }

    /// Adds contacts of nodes that would have passed into a solid, from `start` on, where the contacts of the pair begin.
    pub(super) fn add_refused_nodes(
        &self,
        index: u32,
        [set, solid]: [u32; 2],
        (q, start): (&[Vec3], usize),
        out: &mut Vec<ContactPoint>,
    ) {
        if self.guard.of_tissues.iter().all(|it| it.pair != index) {
            return;
        }
        let (set, at) = (&self.point_sets[set as usize], &self.placements[solid as usize]);
        let is_a = matches!(self.pairs[index as usize].a, Member::Points(_));
        for it in self.guard.of_tissues.iter().filter(|it| it.pair == index) {
            let Passing::Node { node, entry: (place, normal) } = it.features else { continue };
            let (on_solid, outward) = (at.apply(&place), at.turn * normal);
            let on_node = q[set.rows[node as usize] as usize] - outward * set.radius;
            let gap = (on_node - on_solid).dot(&outward);
            // What begins behind the place where it would come upon the solid goes another way.
            if gap < 0.0 {
                continue;
            }
            let (points, normal) = match is_a {
                true => ([on_node, on_node - outward * gap], outward),
                false => ([on_node - outward * gap, on_node], -outward),
            };
            let [point_a, point_b] = points;
            let key = 1 << 61 | u64::from(node);
            let (pair, a, stencil) = (index, node, None);
            out.push(ContactPoint { pair, key, a, point_a, point_b, normal, gap, stencil });
        }
        out[start..].sort_unstable_by_key(|contact| (contact.a, contact.key));
        out.dedup_by_key(|contact| (contact.pair, contact.a, contact.key));
    }
}

/// A look along a motion.
struct Look<'a> {
    surfaces: &'a mut Surfaces,
    point_sets: &'a [PointSet],
    tissue_faces: &'a mut TissueFaces,
    parts: &'a [Part],
    guard: &'a mut Guarded,
    scratch: &'a mut Scratch,
    /// Positions at the start [m].
    from: &'a [Vec3],
}

impl Look<'_> {
    fn at_surfaces(&mut self, index: u32, members: [u32; 2], pair: &Pair) -> bool {
        let ways = (self.from, &self.guard.steps[..]);
        self.surfaces.cross((index, members), ways, LEAST * pair.thickness)
    }

    /// Nodes through a solid, corners and edges of the solid through the surface between them.
    fn at_tissue(&mut self, index: u32, [set, solid]: [u32; 2], pair: &Pair) -> bool {
        let Self { point_sets, tissue_faces, parts, guard, from, .. } = self;
        let Guarded { of_tissues, steps, ways, .. } = &mut **guard;
        let (part, way) = (&parts[solid as usize], &ways[solid as usize]);
        let Some(own) = part.bounds else { return false };
        let at = way.at(0.0);
        let bounds = own.placed(&at.turn, &at.shift);
        let (points, before) = (&point_sets[set as usize], of_tissues.len());
        let (radius, allowed) = (points.radius, pair.thickness.max(LEFT * pair.margin));
        for (node, &row) in (0..).zip(&points.rows) {
            let (point, step) = (from[row as usize], steps[row as usize]);
            let point = PointWay { part, way, point, step, radius };
            let length = point.length();
            if length > allowed && bounds.near_point(&point.point, length + radius) {
                let entry = point.passes(allowed);
                let features = entry.map(|entry| Passing::Node { node, entry });
                of_tissues
                    .extend(features.map(|features| TissueCrossing { pair: index, features }));
            }
        }
        let beside =
            SolidBeside { index, pair: *pair, part, at, bounds, travel: 0.0, way: Some(*way) };
        tissue_faces.cross([set, solid], (&beside, way), (from, steps), of_tissues);
        of_tissues.len() > before
    }

    /// Solids that the last call left out.
    fn at_solids(&mut self, pairs: &[Pair]) -> Option<u32> {
        let Self { parts, guard, scratch, .. } = self;
        let Guarded { left_out, met, ways, .. } = &mut **guard;
        let before = met.len();
        for &index in left_out.iter() {
            let Pair { a: Member::Collider(a), b: Member::Collider(b), .. } = pairs[index as usize]
            else {
                continue;
            };
            let [a, b] = in_order(parts, [a, b]).map(|k| k as usize);
            let pair = PairWay { parts: [&parts[a], &parts[b]], ways: [ways[a], ways[b]] };
            if pair.touches(scratch) {
                met.push(index);
            }
        }
        met.get(before).copied()
    }
}

/// Two colliders as the narrow phase has them, so that keys and ties do not depend on which is A.
pub(super) fn in_order(parts: &[Part], [a, b]: [u32; 2]) -> [u32; 2] {
    let order = |c: u32| (parts[c as usize].shape.rank(), c);
    if order(a) > order(b) { [b, a] } else { [a, b] }
}
