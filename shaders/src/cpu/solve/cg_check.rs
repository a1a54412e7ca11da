//! Twin of wgsl/solve/cg_check.wgsl.

use crate::cpu::reduce::{is_finite, partial_sum};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{flag, outcome, scalar};
use crate::table::SolveParams;

/// Counts an iteration and ends them at the tolerance, or at the limit.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_check<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [Buffer::Reals(partials), Buffer::WordsMut(flags), Buffer::RealsMut(scalars)] =
        call.buffers
    else {
        panic!("cg_check takes partials, flags, scalars");
    };
    let rr = partial_sum(&partials[..params.partial_count as usize]);
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let made = flags[flag::ITERATIONS as usize] + 1;
    flags[flag::ITERATIONS as usize] = made;
    scalars[scalar::RR as usize] = rr;
    if !is_finite(rr) {
        flags[flag::DONE as usize] = 1;
        flags[flag::OUTCOME as usize] = outcome::INDEFINITE;
    } else if rr <= scalars[scalar::TOLERANCE_SQUARED as usize] {
        flags[flag::DONE as usize] = 1;
    } else if made >= flags[flag::MAX_ITERATIONS as usize] {
        flags[flag::DONE as usize] = 1;
        flags[flag::OUTCOME as usize] = outcome::LIMIT;
    }
}
