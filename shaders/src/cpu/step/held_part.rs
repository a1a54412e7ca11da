//! Twin of wgsl/step/held_part.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::table::StepParams;

/// y = x at held scalars, zero elsewhere.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn held_part<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [Buffer::Words(incidence), Buffer::Reals(x), Buffer::RealsMut(y)] = call.buffers else {
        panic!("held_part takes incidence, x, y");
    };
    let n = params.row_count as usize;
    for i in 0..n {
        let held = incidence[n + 1 + i];
        for axis in 0..3 {
            let at = 3 * i + axis;
            y[at] = if held >> axis & 1 == 1 { x[at] } else { T::default() };
        }
    }
}
