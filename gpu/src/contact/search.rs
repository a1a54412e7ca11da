//! The program that looks for candidates of one pair of surfaces: its buffers and its one list.

use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::layout::{BRANCHES, WORKGROUP_SIZE, reach};
use sinew_shaders::params::{CandidateParams, TreeParams};
use sinew_shaders::program::{BufferId, Command, Data, ListId, Program};

use super::trees::Trees;

/// Candidates that the list has room for, for each query. Of two grids that lie on each other a vertex has some six
/// and an edge some fifteen, and most features of a surface are away from the other.
const ROOM: usize = 8;

/// Room of the smallest list.
const LEAST_ROOM: usize = 4_096;

/// Buffers that the host writes and reads, and the commands between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Border, limit and slack.
    pub(super) reach: BufferId,
    /// Place and way of each vertex.
    pub(super) ways: BufferId,
    /// Number of candidates, then query and leaf of each.
    pub(super) pairs: BufferId,
    pub(super) list: ListId,
    /// Candidates that `pairs` has room for.
    pub(super) capacity: usize,
}

/// Buffers that stay on the device.
#[derive(Clone, Copy, Debug)]
struct Inner {
    corners: BufferId,
    boxes: BufferId,
    queries: BufferId,
    places: BufferId,
    totals: BufferId,
}

impl Search {
    /// Adds the buffers and the list of a pair; nothing where a buffer would be larger than `max_binding` [bytes].
    pub(super) fn new(program: &mut Program, trees: &Trees, max_binding: u64) -> Option<Self> {
        let (queries, boxes) = (trees.asked.len(), trees.box_count() as usize);
        let capacity = ROOM * queries + LEAST_ROOM;
        let largest = 4 * (6 * boxes).max(8 * capacity).max(5 * queries) as u64;
        if largest > max_binding.min(u64::from(u32::MAX)) {
            return None;
        }
        let inner = Inner {
            corners: program.add_data("corners of features", Data::Words(trees.corners.clone())),
            boxes: program.add_zeros("boxes of features", Scalar::Float, 6 * boxes),
            queries: program.add_data("queries", Data::Words(trees.queries.clone())),
            places: program.add_zeros("places of candidates", Scalar::Word, 2 * queries),
            totals: program.add_zeros("candidates of workgroups", Scalar::Word, groups(queries)),
        };
        let mut search = Self {
            reach: program.add_zeros("reach", Scalar::Float, reach::COUNT as usize),
            ways: program.add_zeros("ways of vertices", Scalar::Float, 6 * trees.vertex_count),
            pairs: program.add_zeros("candidates", Scalar::Word, 1 + 2 * capacity),
            list: ListId(0),
            capacity,
        };
        let leaves = [search.reach, search.ways, inner.corners, inner.boxes];
        let mut commands = fit(program, trees, leaves);
        commands.extend(search.look(program, trees, inner));
        search.list = program.add_list(commands);
        Some(search)
    }

    /// Commands that count and list candidates.
    fn look(&self, program: &Program, trees: &Trees, inner: Inner) -> [Command; 3] {
        let Inner { corners, boxes, queries, places, totals } = inner;
        let count = trees.asked.len();
        let params = CandidateParams {
            query_count: count as u32,
            group_count: groups(count) as u32,
            level_count: trees.level_count,
            root_count: trees.root_count,
            box_count: trees.box_count(),
            has_inside: u32::from(!trees.is_self),
            capacity: self.capacity as u32,
            padding: 0,
        };
        let sizes = Sizes {
            items: count as u64,
            contributions: trees.box_count().into(),
            ..Sizes::default()
        };
        let walk = [self.reach, self.ways, corners, boxes, queries, places, totals];
        let list = [&walk[..], &[self.pairs]].concat();
        let one_group = (WORKGROUP_SIZE as usize, sizes);
        [
            program.call("count_candidates", &params, &walk, (count, sizes)),
            program.call("place_candidates", &params, &[totals, self.pairs], one_group),
            program.call("list_candidates", &params, &list, (count, sizes)),
        ]
    }
}

/// Commands that renew the boxes of trees, from the leaves to the roots, from reach, ways and corners.
pub(super) fn fit(program: &Program, trees: &Trees, bindings: [BufferId; 4]) -> Vec<Command> {
    let mut count = trees.features.len() as u32;
    let sizes = |count: u32| Sizes {
        elements: count.into(),
        rows: trees.vertex_count as u64,
        ..Sizes::default()
    };
    let params = TreeParams { count, ..TreeParams::default() };
    let work = (count as usize, sizes(count));
    let mut commands = vec![program.call("feature_boxes", &params, &bindings, work)];
    let mut first = 0;
    for _ in 0..trees.level_count {
        let below = first;
        first += count;
        count /= BRANCHES;
        let params = TreeParams { count, first, below, padding: 0 };
        let work = (count as usize, sizes(count));
        commands.push(program.call("refit_boxes", &params, &bindings[3..], work));
    }
    commands
}

/// Workgroups that share so many invocations.
pub(super) fn groups(count: usize) -> usize {
    count.div_ceil(WORKGROUP_SIZE as usize)
}
