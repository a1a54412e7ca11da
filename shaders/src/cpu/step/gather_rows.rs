//! Twin of wgsl/step/gather_rows.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::StepParams;

/// y_i = - sum of the values at the corners at row i, added to y_i where `field_count` is 1.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn gather_rows<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [Buffer::Words(corners), Buffer::Reals(nodal), Buffer::RealsMut(y)] = call.buffers else {
        panic!("gather_rows takes corners, nodal, y");
    };
    let n = params.row_count as usize;
    for i in 0..n {
        let mut sum = [T::default(); 3];
        if params.field_count == 1 {
            sum.copy_from_slice(&y[3 * i..3 * i + 3]);
        }
        for k in corners[i]..corners[i + 1] {
            let at = 3 * corners[n + 1 + k as usize] as usize;
            for axis in 0..3 {
                sum[axis] -= nodal[at + axis];
            }
        }
        y[3 * i..3 * i + 3].copy_from_slice(&sum);
    }
}
