//! Twin of wgsl/solve/solve_begin.wgsl.

use crate::cpu::reduce::{is_finite, partial_sum};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{BATCHES, flag, outcome, scalar};
use crate::params::ToleranceParams;

/// Ends the solve where the residual is small enough; else conjugate gradients start from it.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn solve_begin<T: Real>(call: Call<'_, '_, T>) {
    let params: ToleranceParams = call.params();
    let [Buffer::Reals(partials), Buffer::WordsMut(flags), Buffer::RealsMut(scalars)] =
        call.buffers
    else {
        panic!("solve_begin takes partials, flags, scalars");
    };
    let residual = partial_sum(&partials[..params.partial_count as usize]).root();
    if flags[flag::DONE as usize] == 0 {
        return;
    }
    let before = scalars[scalar::RESIDUAL as usize];
    scalars[scalar::RESIDUAL as usize] = residual;
    let asked = scalars[scalar::TOLERANCE as usize] * scalars[scalar::SCALE as usize];
    if is_finite(residual) && residual <= asked {
        flags[flag::OUTCOME as usize] = outcome::CONVERGED;
    } else if flags[flag::OUTCOME as usize] == 0 {
        let stalled = flags[flag::CORRECTIONS as usize] > 0 && residual > T::of(0.9) * before;
        let why = end_of(flags, residual, stalled);
        flags[flag::OUTCOME as usize] = why;
        if why != 0 {
            return;
        }
        let share = |share: f32| T::of(f64::from(share)) * residual;
        let mut tolerance = T::of(0.9) * asked;
        if tolerance < share(params.furthest) && tolerance < share(params.reduction) {
            tolerance = share(params.reduction);
        }
        scalars[scalar::TOLERANCE_SQUARED as usize] = tolerance * tolerance;
        let rr = scalars[scalar::RR as usize];
        let goes_on =
            flags[flag::CORRECTIONS as usize] > 0 && residual * residual <= T::of(1.5) * rr;
        flags[flag::FIRST as usize] = if goes_on { 2 } else { 1 };
        let batch = flags[flag::CORRECTIONS as usize].min(BATCHES - 1);
        flags[(flag::BATCHES + batch) as usize] = flags[flag::ITERATIONS as usize];
        flags[flag::CORRECTIONS as usize] += 1;
        flags[flag::DONE as usize] = 0;
    }
}

/// Outcome of a solve that ends before its residual is small; 0 of one that goes on.
fn end_of<T: Real>(flags: &[u32], residual: T, stalled: bool) -> u32 {
    if !is_finite(residual) || flags[flag::INDEFINITE as usize] != 0 {
        outcome::INDEFINITE
    } else if flags[flag::ITERATIONS as usize] >= flags[flag::MAX_ITERATIONS as usize] {
        outcome::LIMIT
    } else if stalled {
        outcome::STALLED
    } else {
        0
    }
}
