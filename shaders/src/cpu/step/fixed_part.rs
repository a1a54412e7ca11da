//! Twin of wgsl/step/held_part.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::StepParams;

/// y = x at fixed scalars, zero elsewhere.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn fixed_part<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [Buffer::Words(fixed), Buffer::Reals(x), Buffer::RealsMut(y)] = call.buffers else {
        panic!("fixed_part takes fixed, x, y");
    };
    for i in 0..params.row_count as usize {
        for axis in 0..3 {
            let at = 3 * i + axis;
            y[at] = if fixed[i] >> axis & 1 == 1 { x[at] } else { T::default() };
        }
    }
}
