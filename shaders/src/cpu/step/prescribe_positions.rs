//! Twin of wgsl/step/lead_positions.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::SupportParams;

/// Puts every fixed scalar where it is prescribed.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn prescribe_positions<T: Real>(call: Call<'_, '_, T>) {
    let params: SupportParams = call.params();
    let [
        Buffer::Reals(step),
        Buffer::Words(supports),
        Buffer::Reals(displacements),
        Buffer::RealsMut(d),
    ] = call.buffers
    else {
        panic!("prescribe_positions takes step, supports, displacements, d");
    };
    for i in 0..params.support_count as usize {
        let factor = step[(params.first_factor + supports[2 * i + 1]) as usize];
        d[supports[2 * i] as usize] = displacements[i] * factor;
    }
}
