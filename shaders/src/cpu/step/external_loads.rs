//! Twin of wgsl/step/external_loads.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::StepParams;

/// f_i = sum over fields k of factor_k field_k,i.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn external_loads<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [Buffer::Reals(step), Buffer::Reals(fields), Buffer::RealsMut(loads)] = call.buffers else {
        panic!("external_loads takes step, fields, loads");
    };
    let n = params.row_count as usize;
    for i in 0..n {
        let mut f = [T::default(); 3];
        for k in 0..params.field_count as usize {
            let at = 3 * (k * n + i);
            for axis in 0..3 {
                f[axis] += step[params.first_factor as usize + k] * fields[at + axis];
            }
        }
        loads[5 * i + 2..5 * i + 5].copy_from_slice(&f);
    }
}
