//! Twin of wgsl/step/border_residual.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::params::BorderParams;

/// r_i += b_i - sum over j of B_ij v_j.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn border_residual<T: Real>(call: Call<'_, '_, T>) {
    let params: BorderParams = call.params();
    let [
        Buffer::Words(structure),
        Buffer::Reals(impulses),
        Buffer::Reals(blocks),
        Buffer::Reals(v),
        Buffer::RealsMut(residual),
    ] = call.buffers
    else {
        panic!("border_residual takes structure, impulses, blocks, v, residual");
    };
    let n = params.row_count as usize;
    let (rows, rest) = structure.split_at(n);
    let (offsets, columns) = rest.split_at(n + 1);
    for i in 0..n {
        let mut sum = [impulses[3 * i], impulses[3 * i + 1], impulses[3 * i + 2]];
        for k in offsets[i] as usize..offsets[i + 1] as usize {
            let j = 3 * columns[k] as usize;
            for (axis, sum) in sum.iter_mut().enumerate() {
                let b = &blocks[9 * k + 3 * axis..];
                *sum -= b[0] * v[j] + b[1] * v[j + 1] + b[2] * v[j + 2];
            }
        }
        for (axis, sum) in sum.into_iter().enumerate() {
            residual[3 * rows[i] as usize + axis] += sum;
        }
    }
}
