//! Twin of wgsl/step/shift_velocity.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::place;
use crate::params::StepParams;

/// v = x + s u.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn shift_velocity<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [Buffer::Reals(step), Buffer::Reals(x), Buffer::Reals(u), Buffer::RealsMut(v)] =
        call.buffers
    else {
        panic!("shift_velocity takes step, x, u, v");
    };
    for at in 0..3 * params.row_count as usize {
        v[at] = x[at] + step[place::SHIFT as usize] * u[at];
    }
}
