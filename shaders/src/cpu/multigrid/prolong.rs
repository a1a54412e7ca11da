//! Twin of wgsl/multigrid/prolong.wgsl.

use crate::cpu::correct::correct;
use crate::cpu::level::load;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::TransferParams;

/// d = factor P y and x += d.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn prolong<T: Real>(call: Call<'_, '_, T>) {
    let params: TransferParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(maps),
        Buffer::Floats(modes),
        Buffer::Floats(coarse),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("prolong takes flags, maps, modes, coarse, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    correct(&params, (maps, modes), |i| load(coarse, params.coarse_x, i), vectors);
}
