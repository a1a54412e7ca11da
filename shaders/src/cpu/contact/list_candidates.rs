//! Twin of wgsl/contact/list_candidates.wgsl.

use crate::cpu::box_tree::Trees;
use crate::cpu::reduce::LANES;
use crate::cpu::{Buffer, Call, Real};
use crate::params::CandidateParams;

/// Query and leaf of each candidate.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn list_candidates<T: Real>(call: Call<'_, '_, T>) {
    let params: CandidateParams = call.params();
    let [
        Buffer::Floats(reach),
        Buffer::Floats(ways),
        Buffer::Words(corners),
        Buffer::Floats(boxes),
        Buffer::Words(queries),
        Buffer::Words(places),
        Buffer::Words(totals),
        Buffer::WordsMut(pairs),
    ] = call.buffers
    else {
        panic!("list_candidates takes reach, ways, corners, boxes, queries, places, totals, pairs");
    };
    let trees = Trees { params, reach, ways, corners, boxes, queries };
    for i in 0..params.query_count as usize {
        let first = totals[i / LANES] + places[2 * i];
        let end = (first + places[2 * i + 1]).min(params.capacity);
        let query = trees.query(i);
        for (slot, leaf) in (first..end).zip(trees.candidates(query, trees.bounds(&query))) {
            pairs[2 * slot as usize + 1] = i as u32;
            pairs[2 * slot as usize + 2] = leaf;
        }
    }
}
