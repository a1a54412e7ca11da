//! Twin of wgsl/multigrid/chebyshev.wgsl.

use crate::cpu::reduce::{LANES, group_sum, terms};
use crate::cpu::{Buffer, Call, Real};
use crate::params::ChebyshevParams;

/// Coefficients of a Chebyshev polynomial, and the largest eigenvalue.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn chebyshev<T: Real>(call: Call<'_, '_, T>) {
    let params: ChebyshevParams = call.params();
    let [Buffer::Floats(partials), Buffer::FloatsMut(coefficients)] = call.buffers else {
        panic!("chebyshev takes partials, coefficients");
    };
    let (mut above, mut below) = (terms::<f32>(), terms::<f32>());
    for k in 0..params.partial_count as usize {
        above[k % LANES] += partials[2 * k];
        below[k % LANES] += partials[2 * k + 1];
    }
    let (above, below) = (group_sum(above), group_sum(below));
    let largest = if below > 0.0 { above / below } else { 1.0 };
    let upper = params.safety * largest;
    let middle = 0.5 * (upper + upper / params.range);
    let half = 0.5 * (upper - upper / params.range);
    let rho = half / middle;
    let next = 1.0 / (2.0 * middle / half - rho);
    let place = params.place as usize;
    let values = [1.0 / middle, next * rho, 2.0 * next / half, 0.0, largest];
    coefficients[place..place + 5].copy_from_slice(&values);
}
