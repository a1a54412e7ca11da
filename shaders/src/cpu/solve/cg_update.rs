//! Twin of wgsl/solve/cg_update.wgsl.

use crate::cpu::reduce::{LANES, group_sum, terms};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{flag, scalar};
use crate::table::SolveParams;

/// e += alpha p, r -= alpha ap, and partial sums of r . r.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_update<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Reals(scalars),
        Buffer::Reals(p),
        Buffer::Reals(ap),
        Buffer::RealsMut(e),
        Buffer::RealsMut(r),
        Buffer::FloatsMut(vectors),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("cg_update takes flags, scalars, p, ap, e, r, vectors, partials");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let alpha = scalars[scalar::ALPHA as usize];
    let n = params.row_count as usize;
    for group in 0..n.div_ceil(LANES) {
        let mut products = terms();
        for i in group * LANES..n.min((group + 1) * LANES) {
            for k in 3 * i..3 * i + 3 {
                e[k] += alpha * p[k];
                let next = r[k] - alpha * ap[k];
                r[k] = next;
                vectors[params.r as usize + k] = next.to_f32();
                products[i % LANES] += next * next;
            }
        }
        partials[group] = group_sum(products);
    }
}
