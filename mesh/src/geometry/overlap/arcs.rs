//! Arcs between piercings, one for each pair of triangles that pass through each other, and the contours
//! that they form.

use super::piercings::{Pair, Piercing};
use super::result::{Contour, ContourPoint, Operand};

/// The segment that two triangles share. Seen from outside of the first surface, the inside of the second
/// is to its left; seen from outside of the second, the inside of the first is to its right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// Triangles of the first and the second surface.
    pub(super) triangles: [u32; 2],
    /// Piercings where it starts and ends.
    pub(super) ends: [u32; 2],
}

/// A piercing as an end of the arc of two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ArcEnd {
    triangles: [u32; 2],
    /// 0 for the start, 1 for the end.
    end: usize,
    point: u32,
}

/// An end of an arc at a piercing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Joint {
    point: u32,
    end: usize,
    arc: u32,
}

impl Joint {
    /// Number of the end of the arc among all ends.
    fn half(&self) -> usize {
        2 * self.arc as usize + self.end
    }
}

/// No end of an arc.
const NONE: u32 = u32::MAX;

/// Buffers of the search for arcs and contours.
#[derive(Clone, Debug, Default)]
pub(super) struct ArcWork {
    ends: Vec<ArcEnd>,
    joints: Vec<Joint>,
    /// The end of an arc that continues each end of an arc.
    mates: Vec<u32>,
    is_traced: Vec<bool>,
    /// Ends of arcs that contours may begin with.
    halves: Vec<u32>,
    /// First piercing of each contour.
    begins: Vec<u32>,
}

impl ArcWork {
    /// Replaces `arcs` by those between all piercings, by triangles of the first and the second surface.
    pub(super) fn find_arcs(&mut self, pair: &Pair, piercings: &[Piercing], arcs: &mut Vec<Arc>) {
        self.ends.clear();
        for (point, piercing) in (0..).zip(piercings) {
            let surface = pair.surface(piercing.edge_of);
            for &side in surface.sides_of(piercing.edge) {
                let (t, k) = (side / 3, side as usize % 3);
                let leaves = piercing.leaves == surface.is_forward(t, k);
                // The border of a triangle of the first surface that leaves the second turns into an arc;
                // of a triangle of the second surface the arc is passed the other way.
                let (triangles, end) = match piercing.edge_of {
                    Operand::First => ([t, piercing.triangle], usize::from(!leaves)),
                    Operand::Second => ([piercing.triangle, t], usize::from(leaves)),
                };
                self.ends.push(ArcEnd { triangles, end, point });
            }
        }
        self.ends.sort_unstable();
        arcs.clear();
        for own in self.ends.chunk_by(|a, b| a.triangles == b.triangles) {
            let (starts, ends) = own.split_at(own.partition_point(|end| end.end == 0));
            // A triangle without area may have both ends at one piercing: no arc.
            let joined = starts.iter().zip(ends).filter(|(start, end)| start.point != end.point);
            arcs.extend(joined.map(|(start, end)| Arc {
                triangles: own[0].triangles,
                ends: [start.point, end.point],
            }));
        }
    }

    /// First piercing of each contour.
    pub(super) fn begins(&self) -> &[u32] {
        &self.begins
    }

    /// Pairs the ends of arcs at each piercing: those that end with those that start, the rest, which
    /// surfaces have whose triangles wind against each other, among themselves.
    fn join_arcs(&mut self, arcs: &[Arc]) {
        self.joints.clear();
        for (number, arc) in (0..).zip(arcs) {
            let joint = |end: usize| Joint { point: arc.ends[end], end, arc: number };
            self.joints.extend([0, 1].map(joint));
        }
        self.joints.sort_unstable();
        self.mates.clear();
        self.mates.resize(2 * arcs.len(), NONE);
        for own in self.joints.chunk_by(|a, b| a.point == b.point) {
            let (starts, ends) = own.split_at(own.partition_point(|joint| joint.end == 0));
            let paired = starts.len().min(ends.len());
            let rest = if starts.len() > paired { &starts[paired..] } else { &ends[paired..] };
            let odd = rest.chunks_exact(2).map(|two| (&two[0], &two[1]));
            for (a, b) in starts.iter().zip(ends).chain(odd) {
                self.mates[a.half()] = b.half() as u32;
                self.mates[b.half()] = a.half() as u32;
            }
        }
    }

    /// Replaces `contours` and their `points` by the lines that the arcs form: open ones first.
    pub(super) fn trace(
        &mut self,
        pair: &Pair,
        network: Network,
        contours: &mut Vec<Contour>,
        points: &mut Vec<ContourPoint>,
    ) {
        self.join_arcs(network.arcs);
        contours.clear();
        points.clear();
        self.is_traced.clear();
        self.is_traced.resize(network.arcs.len(), false);
        let halves = 2 * network.arcs.len();
        let open_starts = (0..halves).step_by(2).filter(|&half| self.mates[half] == NONE);
        let open_ends = (1..halves).step_by(2).filter(|&half| self.mates[half] == NONE);
        let loops = (0..halves).step_by(2);
        self.halves.clear();
        self.halves.extend(open_starts.chain(open_ends).chain(loops).map(|half| half as u32));
        self.begins.clear();
        for k in 0..self.halves.len() {
            let half = self.halves[k] as usize;
            if self.is_traced[half / 2] {
                continue;
            }
            self.begins.push(network.arcs[half / 2].ends[half % 2]);
            let first = points.len();
            let is_closed = self.follow(half, &network, pair, points);
            contours.push(Contour { points: first..points.len(), is_closed, region: None });
        }
    }

    /// Adds the points of the contour that begins with an end of an arc; true if it comes back there.
    fn follow(
        &mut self,
        from: usize,
        network: &Network,
        pair: &Pair,
        points: &mut Vec<ContourPoint>,
    ) -> bool {
        let mut half = from;
        loop {
            let arc = &network.arcs[half / 2];
            self.is_traced[half / 2] = true;
            let begin = &network.piercings[arc.ends[half % 2] as usize];
            points.push(contour_point(pair, begin, Some(arc.triangles)));
            let out = half ^ 1;
            let next = self.mates[out];
            if next == NONE {
                let end = &network.piercings[arc.ends[out % 2] as usize];
                points.push(contour_point(pair, end, None));
                return false;
            }
            half = next as usize;
            if self.is_traced[half / 2] {
                return true;
            }
        }
    }
}

/// Piercings and the arcs between them.
#[derive(Clone, Copy)]
pub(super) struct Network<'n> {
    pub(super) piercings: &'n [Piercing],
    pub(super) arcs: &'n [Arc],
}

fn contour_point(pair: &Pair, piercing: &Piercing, segment: Option<[u32; 2]>) -> ContourPoint {
    let Piercing { edge_of, edge, along, triangle, position, .. } = *piercing;
    let edge = pair.surface(edge_of).edges()[edge as usize];
    ContourPoint { position, edge_of, edge, along, triangle, segment }
}
