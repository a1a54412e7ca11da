//! Twin of wgsl/solve/cg_beta.wgsl.

use crate::cpu::reduce::{is_positive, partial_sum};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{flag, outcome, scalar};
use crate::table::SolveParams;

/// beta, the share of the old direction in the new.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_beta<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [Buffer::Reals(partials), Buffer::WordsMut(flags), Buffer::RealsMut(scalars)] =
        call.buffers
    else {
        panic!("cg_beta takes partials, flags, scalars");
    };
    let rz = partial_sum(&partials[..params.partial_count as usize]);
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    if !is_positive(rz) {
        flags[flag::DONE as usize] = 1;
        flags[flag::OUTCOME as usize] = outcome::INDEFINITE;
        return;
    }
    scalars[scalar::BETA as usize] = T::default();
    if flags[flag::FIRST as usize] != 1 {
        scalars[scalar::BETA as usize] = rz / scalars[scalar::RZ as usize];
    }
    scalars[scalar::RZ as usize] = rz;
    flags[flag::FIRST as usize] = 0;
}
