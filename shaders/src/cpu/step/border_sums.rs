//! Twin of wgsl/step/border_sums.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::BorderParams;

/// G_i += sum over j of B_ij.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn border_sums<T: Real>(call: Call<'_, '_, T>) {
    let params: BorderParams = call.params();
    let [Buffer::Words(structure), Buffer::Reals(blocks), Buffer::FloatsMut(diagonal)] =
        call.buffers
    else {
        panic!("border_sums takes structure, blocks, diagonal");
    };
    let n = params.row_count as usize;
    for i in 0..n {
        for c in 0..9 {
            let mut sum = T::default();
            for k in structure[n + i] as usize..structure[n + i + 1] as usize {
                sum += blocks[9 * k + c];
            }
            diagonal[9 * structure[i] as usize + c] += sum.to_f32();
        }
    }
}
