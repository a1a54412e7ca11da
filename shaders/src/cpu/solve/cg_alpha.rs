//! Twin of wgsl/solve/cg_alpha.wgsl.

use crate::cpu::reduce::{is_positive, partial_sum};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{flag, outcome, scalar};
use crate::table::SolveParams;

/// alpha, the length of a step.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_alpha<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [Buffer::Reals(partials), Buffer::WordsMut(flags), Buffer::RealsMut(scalars)] =
        call.buffers
    else {
        panic!("cg_alpha takes partials, flags, scalars");
    };
    let curvature = partial_sum(&partials[..params.partial_count as usize]);
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    if is_positive(curvature) {
        scalars[scalar::ALPHA as usize] = scalars[scalar::RZ as usize] / curvature;
    } else {
        flags[flag::DONE as usize] = 1;
        flags[flag::OUTCOME as usize] = outcome::INDEFINITE;
    }
}
