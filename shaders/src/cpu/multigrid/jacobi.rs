//! Twin of wgsl/multigrid/jacobi.wgsl.

use crate::cpu::reduce::{LANES, group_sum, terms};
use crate::cpu::sliced::{dot, inverse_product, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::table::SolveParams;

/// z = D^-1 r, and partial sums of r . z.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn jacobi<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Floats(diagonal),
        Buffer::Reals(r),
        Buffer::FloatsMut(vectors),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("jacobi takes flags, diagonal, r, vectors, partials");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let (n, z) = (params.row_count as usize, params.z as usize);
    for group in 0..n.div_ceil(LANES) {
        let mut products = terms();
        for i in group * LANES..n.min((group + 1) * LANES) {
            let residual = vector(r, 3 * i);
            let zi = inverse_product(&diagonal[9 * n..], i, residual.map(T::to_f32));
            vectors[z + 3 * i..z + 3 * i + 3].copy_from_slice(&zi);
            products[i % LANES] = dot(residual, zi.map(|z| T::of(f64::from(z))));
        }
        partials[group] = group_sum(products);
    }
}
