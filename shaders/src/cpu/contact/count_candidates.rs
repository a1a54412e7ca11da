//! Twin of wgsl/contact/count_candidates.wgsl.

use crate::cpu::box_tree::{Query, Trees};
use crate::cpu::boxes::{place_of, way_of};
use crate::cpu::level::difference;
use crate::cpu::reduce::LANES;
use crate::cpu::slabs::{Two, length};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::reach;

/// Numbers of the candidates of each query and of those before it in its workgroup, and sums over workgroups.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn count_candidates<T: Real>(call: Call<'_, '_, T>) {
    let params = call.params();
    let [
        Buffer::Floats(reach),
        Buffer::Floats(ways),
        Buffer::Words(corners),
        Buffer::Floats(boxes),
        Buffer::Words(queries),
        Buffer::WordsMut(places),
        Buffer::WordsMut(totals),
    ] = call.buffers
    else {
        panic!("count_candidates takes reach, ways, corners, boxes, queries, places, totals");
    };
    let trees = Trees { params, reach, ways, corners, boxes, queries };
    for group in 0..params.group_count as usize {
        let mut sum = 0;
        for i in group * LANES..(params.query_count as usize).min((group + 1) * LANES) {
            let count = candidate_count(&trees, trees.query(i));
            (places[2 * i], places[2 * i + 1]) = (sum, count);
            sum += count;
        }
        totals[group] = sum;
    }
}

fn candidate_count(trees: &Trees<'_>, query: Query) -> u32 {
    let (mut count, mut matters) = (0, false);
    for leaf in trees.candidates(query, trees.bounds(&query)) {
        count += 1;
        matters = matters || may_matter(trees, query, leaf);
    }
    if matters { count } else { 0 }
}

fn may_matter(trees: &Trees<'_>, query: Query, leaf: u32) -> bool {
    let ends = query.ends.map(|end| place_of(trees.ways, end));
    let corners = trees.corners_of(leaf).map(|corner| place_of(trees.ways, corner));
    let two = Two { ends, corners };
    let limit = trees.reach[reach::LIMIT as usize] + longest_way(trees, query, leaf);
    if two.distance_below() <= limit {
        return true;
    }
    let is_vertex = query.ends[0] == query.ends[1];
    let slack = trees.reach[reach::SLACK as usize];
    trees.params.has_inside == 1 && is_vertex && !two.is_in_front(slack)
}

/// Longest way that an end of the query goes against a corner of the leaf.
fn longest_way(trees: &Trees<'_>, query: Query, leaf: u32) -> f32 {
    let way = |vertex: u32| way_of(trees.ways, vertex);
    let [p, q] = query.ends.map(way);
    let against =
        |corner: [f32; 3]| length(difference(p, corner)).max(length(difference(q, corner)));
    trees.corners_of(leaf).map(|corner| against(way(corner))).into_iter().fold(0.0, f32::max)
}
