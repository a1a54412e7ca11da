//! Twin of wgsl/solve/cg_update.wgsl.

use crate::cpu::reduce::{is_finite, is_positive};
use crate::cpu::rows::{precondition, sum_apart, sums_of_groups, write_sums};
use crate::cpu::sliced::{dot, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{flag, outcome, scalar};
use crate::params::SolveParams;

/// e += alpha p, r -= alpha ap at the places of e and r of a row.
fn add_step<T: Real>(both: &mut [T], steps: &[T], alpha: T, [e, r]: [usize; 2]) {
    for k in 0..3 {
        both[e + k] += alpha * steps[e + k];
        both[r + k] -= alpha * steps[r + k];
    }
}

/// e += alpha p, r -= alpha ap, the preconditioner begins; counts the iteration and says whether it is the last.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_update<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Reals(steps),
        Buffer::Floats(diagonal),
        Buffer::Floats(coefficients),
        Buffer::WordsMut(flags),
        Buffer::RealsMut(scalars),
        Buffer::RealsMut(both),
        Buffer::FloatsMut(vectors),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!(
            "cg_update takes steps, diagonal, coefficients, flags, scalars, both, vectors, partials"
        );
    };
    let skip = flags[flag::SKIP as usize];
    if skip == 1 {
        return;
    }
    let count = params.partial_count as usize;
    let of_product: [T; 3] = std::array::from_fn(|k| sum_apart(partials, (k, 3, count)));
    if skip != 0 || !is_positive(of_product[0]) {
        flags[flag::DONE as usize] = 1;
        flags[flag::OUTCOME as usize] = outcome::INDEFINITE;
        return;
    }
    let alpha = scalars[scalar::RZ_NEXT as usize] / of_product[0];
    let n = params.row_count as usize;
    let sums = sums_of_groups(&params, |i| {
        let at = 3 * (n + i);
        add_step(both, steps, alpha, [3 * i, at]);
        let r = vector(both, at);
        [dot(r, r), precondition(&params, (diagonal, coefficients), (i, r), vectors)]
    });
    write_sums(&params, &sums, partials);
    decide((alpha, of_product), flags, scalars);
}

/// Counts the iteration and ends them at the tolerance or the limit.
fn decide<T: Real>((alpha, sums): (T, [T; 3]), flags: &mut [u32], scalars: &mut [T]) {
    let rr = scalars[scalar::RR as usize] - alpha * (T::of(2.0) * sums[1] - alpha * sums[2]);
    let made = flags[flag::ITERATIONS as usize] + 1;
    flags[flag::ITERATIONS as usize] = made;
    flags[flag::FIRST as usize] = 0;
    scalars[scalar::RZ as usize] = scalars[scalar::RZ_NEXT as usize];
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
