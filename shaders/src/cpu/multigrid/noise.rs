//! Twin of wgsl/multigrid/noise.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::RowParams;

/// Fixed scalars in (-1, 1).
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn noise<T: Real>(call: Call<'_, '_, T>) {
    let params: RowParams = call.params();
    let [Buffer::FloatsMut(vectors)] = call.buffers else {
        panic!("noise takes vectors");
    };
    for k in 0..3 * params.row_count {
        let state = k.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
        let bits = ((word >> 22) ^ word) >> 8;
        vectors[(params.extra_0 + k) as usize] = bits as f32 / 8_388_608.0 - 1.0;
    }
}
