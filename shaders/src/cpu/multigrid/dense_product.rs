//! Twin of wgsl/multigrid/dense_product.wgsl.

use crate::cpu::reduce::team_sum;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{SLICE, flag};
use crate::params::DenseParams;

/// x = A^-1 r on the coarsest level.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn dense_product<T: Real>(call: Call<'_, '_, T>) {
    let params: DenseParams = call.params();
    let [Buffer::Words(flags), Buffer::Floats(dense), Buffer::FloatsMut(vectors)] = call.buffers
    else {
        panic!("dense_product takes flags, dense, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    let (size, n) = (params.size as usize, 3 * params.row_count as usize);
    for scalar in 0..n {
        let sum = team_sum(0..n, SLICE as usize, |k| {
            [-(dense[scalar * size + k] * vectors[params.r as usize + k])]
        });
        vectors[params.x as usize + scalar] = sum[0];
    }
}
