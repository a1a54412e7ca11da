//! Twin of wgsl/contact/place_candidates.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::CandidateParams;

/// Sums of the numbers before each workgroup, and of all.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn place_candidates<T: Real>(call: Call<'_, '_, T>) {
    let params: CandidateParams = call.params();
    let [Buffer::WordsMut(totals), Buffer::WordsMut(pairs)] = call.buffers else {
        panic!("place_candidates takes totals, pairs");
    };
    let mut before = 0;
    for total in &mut totals[..params.group_count as usize] {
        before += std::mem::replace(total, before);
    }
    pairs[0] = before;
}
