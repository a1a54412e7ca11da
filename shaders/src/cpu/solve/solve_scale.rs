//! Twin of wgsl/solve/solve_scale.wgsl.

use crate::cpu::reduce::partial_sum;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::scalar;
use crate::params::SolveParams;

/// SCALE = sqrt of the sum of `partials`.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn solve_scale<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [Buffer::Reals(partials), Buffer::RealsMut(scalars)] = call.buffers else {
        panic!("solve_scale takes partials, scalars");
    };
    let scale = partial_sum(&partials[..params.partial_count as usize]).root();
    scalars[scalar::SCALE as usize] = scale;
}
