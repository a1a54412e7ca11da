//! Twin of wgsl/step/border_matrix.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::matrix::block_place;
use crate::params::BorderParams;

/// K_ij += B_ij, i != j.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn border_matrix<T: Real>(call: Call<'_, '_, T>) {
    let params: BorderParams = call.params();
    let [Buffer::Words(places), Buffer::Reals(border), Buffer::FloatsMut(blocks)] = call.buffers
    else {
        panic!("border_matrix takes places, border, blocks");
    };
    for i in 0..params.entry_count as usize {
        let [source, entry] = [2 * i, 2 * i + 1].map(|k| places[k] as usize);
        for c in 0..9 {
            blocks[block_place(entry, c)] += border[9 * source + c].to_f32();
        }
    }
}
