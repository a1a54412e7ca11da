//! Twin of wgsl/contact/near_points.wgsl.

use crate::cpu::box_tree::{Query, Trees};
use crate::cpu::boxes::{Bounds, place_of};
use crate::cpu::level::difference;
use crate::cpu::slabs::{Two, length};
use crate::cpu::sliced::vector;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::reach;

/// Flags of points that may touch a solid of triangles.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn near_points<T: Real>(call: Call<'_, '_, T>) {
    let params = call.params();
    let [
        Buffer::Floats(reach),
        Buffer::Floats(ways),
        Buffer::Words(corners),
        Buffer::Floats(boxes),
        Buffer::Floats(points),
        Buffer::WordsMut(kept),
    ] = call.buffers
    else {
        panic!("near_points takes reach, ways, corners, boxes, points, kept");
    };
    let trees = Trees { params, reach, ways, corners, boxes, queries: &[] };
    for i in 0..trees.params.query_count as usize {
        kept[i] = u32::from(may_touch(&trees, vector(points, 4 * i), points[4 * i + 3]));
    }
}

fn beside(trees: &Trees<'_>, p: [f32; 3], leaf: u32) -> Two {
    let corners = trees.corners_of(leaf).map(|corner| place_of(trees.ways, corner));
    Two { ends: [p, p], corners }
}

/// Distance of some triangle, not much farther than the nearest.
fn nearest_above(trees: &Trees<'_>, p: [f32; 3]) -> f32 {
    let query = Query::everything(&trees.params);
    let mut at = trees.begin_walk(&query);
    let mut least = length(difference(p, place_of(trees.ways, trees.corners[0])));
    let around = |distance| Bounds { low: p, high: p }.widened(distance);
    while let Some(leaf) = trees.next_candidate(&mut at, &query, &around(least)) {
        least = least.min(beside(trees, p, leaf).distance_above());
    }
    least + trees.reach[reach::SLACK as usize]
}

fn may_touch(trees: &Trees<'_>, p: [f32; 3], limit: f32) -> bool {
    let farthest = nearest_above(trees, p);
    if farthest <= limit {
        return true;
    }
    let slack = trees.reach[reach::SLACK as usize];
    let bounds = Bounds { low: p, high: p }.widened(farthest);
    trees.candidates(Query::everything(&trees.params), bounds).any(|leaf| {
        let two = beside(trees, p, leaf);
        let distance = two.distance_below();
        distance <= limit || distance <= farthest && !two.is_in_front(slack)
    })
}
