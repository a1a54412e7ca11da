//! Twin of wgsl/solve/cg_start.wgsl.

use crate::cpu::rows::{precondition, sums_of_groups, write_sums};
use crate::cpu::sliced::{dot, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::SolveParams;

/// r = residual, e = 0 and the preconditioner begins where conjugate gradients are to start, e = 0 where they have
/// ended.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_start<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Reals(residual),
        Buffer::Floats(diagonal),
        Buffer::Floats(coefficients),
        Buffer::RealsMut(both),
        Buffer::FloatsMut(vectors),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("cg_start takes flags, residual, diagonal, coefficients, both, vectors, partials");
    };
    let done = flags[flag::DONE as usize] != 0;
    if !done && flags[flag::FIRST as usize] == 0 {
        return;
    }
    let n = params.row_count as usize;
    both[..3 * n].fill(T::default());
    if done {
        return;
    }
    let sums = sums_of_groups(&params, |i| {
        let r = vector(residual, 3 * i);
        both[3 * (n + i)..][..3].copy_from_slice(&r);
        [dot(r, r), precondition(&params, (diagonal, coefficients), (i, r), vectors)]
    });
    write_sums(&params, &sums, partials);
}
