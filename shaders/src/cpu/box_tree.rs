//! Twin of wgsl/lib/box_tree.wgsl: a walk through trees of boxes.

use super::boxes::Bounds;
use crate::layout::BRANCHES;
use crate::params::CandidateParams;

/// A vertex (twice) or the ends of an edge, the first leaf that counts, and the roots of its tree.
#[derive(Clone, Copy)]
pub(crate) struct Query {
    pub(crate) ends: [u32; 2],
    first_leaf: u32,
    root: u32,
    end_root: u32,
}

/// Level of a box, its number within that, the number of the first box of the level, and how many there are.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    level: u32,
    node: u32,
    first: u32,
    size: u32,
}

impl Query {
    /// All leaves of all trees.
    pub(crate) fn everything(params: &CandidateParams) -> Self {
        Self { ends: [u32::MAX; 2], first_leaf: 0, root: 0, end_root: params.root_count }
    }
}

/// Buffers of a walk.
#[derive(Clone, Copy)]
pub(crate) struct Trees<'a> {
    pub(crate) params: CandidateParams,
    pub(crate) reach: &'a [f32],
    pub(crate) ways: &'a [f32],
    pub(crate) corners: &'a [u32],
    pub(crate) boxes: &'a [f32],
    pub(crate) queries: &'a [u32],
}

impl<'a> Trees<'a> {
    pub(crate) fn query(&self, number: usize) -> Query {
        let [i, j, first_leaf, root, end_root] =
            std::array::from_fn(|k| self.queries[5 * number + k]);
        Query { ends: [i, j], first_leaf, root, end_root }
    }

    /// Vertices of a leaf.
    pub(crate) fn corners_of(&self, leaf: u32) -> [u32; 3] {
        std::array::from_fn(|k| self.corners[3 * leaf as usize + k])
    }

    /// The box around the way of a query.
    pub(crate) fn bounds(&self, query: &Query) -> Bounds {
        let border = self.reach[crate::layout::reach::BORDER as usize];
        let [i, j] = query.ends;
        Bounds::EMPTY.with_way(self.ways, i).with_way(self.ways, j).widened(border)
    }

    /// The candidates of a query whose boxes overlap `bounds`, in the order of the walk.
    pub(crate) fn candidates(
        self,
        query: Query,
        bounds: Bounds,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let mut at = self.begin_walk(&query);
        std::iter::from_fn(move || self.next_candidate(&mut at, &query, &bounds))
    }

    pub(crate) fn begin_walk(&self, query: &Query) -> Cursor {
        let CandidateParams { level_count, root_count, box_count, .. } = self.params;
        let first = box_count - root_count;
        Cursor { level: level_count, node: query.root, first, size: root_count }
    }

    pub(crate) fn next_candidate(
        &self,
        at: &mut Cursor,
        query: &Query,
        bounds: &Bounds,
    ) -> Option<u32> {
        loop {
            let here = *at;
            if here.level == self.params.level_count && here.node >= query.end_root {
                return None;
            }
            let bounds_here = Bounds::load(self.boxes, (here.first + here.node) as usize);
            let meets = bounds_here.overlaps(bounds);
            if meets && here.level > 0 {
                let (size, node) = (BRANCHES * here.size, BRANCHES * here.node);
                *at = Cursor { level: here.level - 1, node, first: here.first - size, size };
            } else {
                *at = self.step_past(here);
                if meets && self.is_candidate(here.node, query) {
                    return Some(here.node);
                }
            }
        }
    }

    /// To the next box that is not below this one.
    fn step_past(&self, at: Cursor) -> Cursor {
        let mut next = Cursor { node: at.node + 1, ..at };
        while next.level < self.params.level_count && next.node.is_multiple_of(BRANCHES) {
            next = Cursor {
                level: next.level + 1,
                node: next.node / BRANCHES,
                first: next.first + next.size,
                size: next.size / BRANCHES,
            };
        }
        next
    }

    /// True if a leaf counts for a query: it comes late enough and shares no vertex.
    fn is_candidate(&self, leaf: u32, query: &Query) -> bool {
        let shares = |corner: &u32| query.ends.contains(corner);
        leaf >= query.first_leaf && !self.corners_of(leaf).iter().any(shares)
    }
}
