//! Twin of wgsl/step/lead_velocities.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::place;
use crate::params::SupportParams;

/// x = ((target - d) / h - (1 - w) u) / w for every fixed scalar.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn prescribe_velocities<T: Real>(call: Call<'_, '_, T>) {
    let params: SupportParams = call.params();
    let [
        Buffer::Reals(step),
        Buffer::Words(supports),
        Buffer::Reals(displacements),
        Buffer::Reals(d),
        Buffer::Reals(u),
        Buffer::RealsMut(x),
    ] = call.buffers
    else {
        panic!("prescribe_velocities takes step, supports, displacements, d, u, x");
    };
    for i in 0..params.support_count as usize {
        let at = supports[2 * i] as usize;
        let factor = step[(params.first_factor + supports[2 * i + 1]) as usize];
        let target = displacements[i] * factor;
        let w = step[place::END_WEIGHT as usize];
        let rest = (T::of(1.0) - w) * u[at];
        x[at] = ((target - d[at]) / step[place::H as usize] - rest) / w;
    }
}
