//! Twin of wgsl/solve/cg_direction.wgsl.

use crate::cpu::reduce::is_positive;
use crate::cpu::rows::sum_apart;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{flag, scalar};
use crate::params::SolveParams;

/// p = z + beta p, with beta from the partial sums of r . z.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_direction<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Reals(partials),
        Buffer::Floats(vectors),
        Buffer::WordsMut(flags),
        Buffer::RealsMut(scalars),
        Buffer::RealsMut(both),
    ] = call.buffers
    else {
        panic!("cg_direction takes partials, vectors, flags, scalars, both");
    };
    if flags[flag::DONE as usize] != 0 {
        flags[flag::SKIP as usize] = 1;
        return;
    }
    let rz = sum_apart(partials, (params.rz as usize, 1, params.partial_count as usize));
    let rr = sum_apart(partials, (params.rr as usize, 1, params.group_count as usize));
    let good = is_positive(rz);
    flags[flag::SKIP as usize] = if good { 0 } else { 2 };
    let mut beta = T::default();
    if flags[flag::FIRST as usize] != 1 {
        beta = rz / scalars[scalar::RZ as usize];
    }
    scalars[scalar::RZ_NEXT as usize] = rz;
    scalars[scalar::RR as usize] = rr;
    let count = if good { 3 * params.row_count as usize } else { 0 };
    for k in 0..count {
        let mut next = T::of(f64::from(vectors[params.z as usize + k]));
        if beta != T::default() {
            next += beta * both[k];
        }
        both[k] = next;
    }
}
