//! Twin of wgsl/multigrid/prolong_dense.wgsl.

use crate::cpu::correct::correct;
use crate::cpu::sliced::vector;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::TransferParams;

/// y = A^-1 r on the coarsest level, d = factor P y and x += d.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn prolong_dense<T: Real>(call: Call<'_, '_, T>) {
    let params: TransferParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(maps),
        Buffer::Floats(modes),
        Buffer::Floats(dense),
        Buffer::Floats(coarse),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("prolong_dense takes flags, maps, modes, dense, coarse, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    let (count, size) = (6 * params.aggregate_count as usize, params.size as usize);
    let r = &coarse[params.coarse_r as usize..][..count];
    let of_scalar =
        |s: usize| r.iter().enumerate().fold(0.0, |y, (k, r)| y - dense[k * size + s] * r);
    let solution: Vec<f32> = (0..count).map(of_scalar).collect();
    correct(&params, (maps, modes), |i| vector(&solution, 3 * i), vectors);
}
