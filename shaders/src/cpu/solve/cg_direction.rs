//! Twin of wgsl/solve/cg_direction.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::{flag, scalar};
use crate::table::SolveParams;

/// p = z + beta p.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_direction<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Reals(scalars),
        Buffer::Floats(vectors),
        Buffer::RealsMut(p),
    ] = call.buffers
    else {
        panic!("cg_direction takes flags, scalars, vectors, p");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let beta = scalars[scalar::BETA as usize];
    for k in 0..3 * params.row_count as usize {
        let mut next = T::of(f64::from(vectors[params.z as usize + k]));
        if beta != T::default() {
            next += beta * p[k];
        }
        p[k] = next;
    }
}
