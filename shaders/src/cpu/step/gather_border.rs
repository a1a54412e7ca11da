//! Twin of wgsl/step/gather_border.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::BorderParams;

/// Displacement and velocity of each row of the border, six scalars.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn gather_border<T: Real>(call: Call<'_, '_, T>) {
    let params: BorderParams = call.params();
    let [Buffer::Words(structure), Buffer::Reals(d), Buffer::Reals(u), Buffer::RealsMut(motion)] =
        call.buffers
    else {
        panic!("gather_border takes structure, d, u, motion");
    };
    for i in 0..params.row_count as usize {
        let row = structure[i] as usize;
        for axis in 0..3 {
            motion[6 * i + axis] = d[3 * row + axis];
            motion[6 * i + 3 + axis] = u[3 * row + axis];
        }
    }
}
