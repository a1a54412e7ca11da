//! Twin of wgsl/solve/cg_rz.wgsl.

use crate::cpu::reduce::{LANES, group_sum, terms};
use crate::cpu::sliced::{dot, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::table::SolveParams;

/// Partial sums of r . z.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_rz<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Reals(r),
        Buffer::Floats(vectors),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("cg_rz takes flags, r, vectors, partials");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let (n, z) = (params.row_count as usize, params.z as usize);
    for group in 0..n.div_ceil(LANES) {
        let mut products = terms();
        for i in group * LANES..n.min((group + 1) * LANES) {
            let zi = vector(vectors, z + 3 * i).map(|z| T::of(f64::from(z)));
            products[i % LANES] = dot(vector(r, 3 * i), zi);
        }
        partials[group] = group_sum(products);
    }
}
