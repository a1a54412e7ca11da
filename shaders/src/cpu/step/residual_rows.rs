//! Twin of wgsl/step/residual_rows.wgsl.

use crate::cpu::reduce::{group_sum, terms};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{WORKGROUP_SIZE, place};
use crate::params::StepParams;

/// r += M (u - x) - c_d C (x + s u) + c_f f_ext, zero where fixed; and partial sums of r . r.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn residual_rows<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [
        Buffer::Reals(step),
        Buffer::Words(fixed),
        Buffer::Reals(loads),
        Buffer::Reals(u),
        Buffer::Reals(x),
        Buffer::RealsMut(residual),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("residual_rows takes step, fixed, loads, u, x, residual, partials");
    };
    let (n, width) = (params.row_count as usize, WORKGROUP_SIZE as usize);
    let [force, drag, shift] =
        [place::FORCE, place::DRAG, place::SHIFT].map(|place| step[place as usize]);
    for group in 0..n.div_ceil(width) {
        let mut lanes = terms();
        for i in group * width..n.min((group + 1) * width) {
            let mut r = [residual[3 * i], residual[3 * i + 1], residual[3 * i + 2]];
            for axis in 0..3 {
                let (ui, xi) = (u[3 * i + axis], x[3 * i + axis]);
                r[axis] += loads[5 * i] * (ui - xi) + force * loads[5 * i + 2 + axis];
                r[axis] -= drag * loads[5 * i + 1] * (xi + shift * ui);
                if fixed[i] >> axis & 1 == 1 {
                    r[axis] = T::default();
                }
                residual[3 * i + axis] = r[axis];
            }
            lanes[i - group * width] = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        }
        partials[group] = group_sum(lanes);
    }
}
