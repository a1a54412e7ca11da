//! Twin of wgsl/solve/add_correction.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::RowParams;

/// x += e and e = 0, where conjugate gradients have ended.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn add_correction<T: Real>(call: Call<'_, '_, T>) {
    let params: RowParams = call.params();
    let [Buffer::Words(flags), Buffer::RealsMut(both), Buffer::RealsMut(x)] = call.buffers else {
        panic!("add_correction takes flags, both, x");
    };
    if flags[flag::DONE as usize] == 0 {
        return;
    }
    for k in 0..3 * params.row_count as usize {
        x[k] += both[k];
        both[k] = T::default();
    }
}
