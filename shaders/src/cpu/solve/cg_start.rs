//! Twin of wgsl/solve/cg_start.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::table::SolveParams;

/// r = residual and e = 0 where conjugate gradients are to start, e = 0 where they have ended.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_start<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Reals(residual),
        Buffer::RealsMut(r),
        Buffer::RealsMut(e),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("cg_start takes flags, residual, r, e, vectors");
    };
    let done = flags[flag::DONE as usize] != 0;
    if !(done || flags[flag::FIRST as usize] != 0) {
        return;
    }
    for k in 0..3 * params.row_count as usize {
        e[k] = T::default();
        if !done {
            r[k] = residual[k];
            vectors[params.r as usize + k] = residual[k].to_f32();
        }
    }
}
