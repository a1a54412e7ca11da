//! Twin of wgsl/step/row_sums.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::place;
use crate::params::StepParams;

/// G_i = (m_i + c_d c_i) I.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn row_sums<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [Buffer::Reals(step), Buffer::Reals(loads), Buffer::FloatsMut(diagonal)] = call.buffers
    else {
        panic!("row_sums takes step, loads, diagonal");
    };
    for i in 0..params.row_count as usize {
        let sum = (loads[5 * i] + step[place::DRAG as usize] * loads[5 * i + 1]).to_f32();
        for k in 0..9 {
            diagonal[9 * i + k] = if k % 4 == 0 { sum } else { 0.0 };
        }
    }
}
