//! Twin of wgsl/step/explicit_velocity.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::StepParams;

/// x = u + r / m where there is mass.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn explicit_velocity<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [Buffer::Reals(loads), Buffer::Reals(residual), Buffer::Reals(u), Buffer::RealsMut(x)] =
        call.buffers
    else {
        panic!("explicit_velocity takes loads, residual, u, x");
    };
    for i in 0..params.row_count as usize {
        let mass = loads[5 * i];
        for at in 3 * i..3 * i + 3 {
            x[at] = if mass > T::default() { u[at] + residual[at] / mass } else { u[at] };
        }
    }
}
