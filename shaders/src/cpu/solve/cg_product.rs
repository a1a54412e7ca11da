//! Twin of wgsl/solve/cg_product.wgsl.

use crate::cpu::reduce::{group_sum, terms};
use crate::cpu::sliced::{dot, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::table::ProductParams;

/// ap = S p over the free scalars of a segment, and partial sums of p . ap.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_product<T: Real>(call: Call<'_, '_, T>) {
    let params: ProductParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(structure),
        Buffer::Floats(blocks),
        Buffer::Floats(diagonal),
        Buffer::Reals(p),
        Buffer::RealsMut(ap),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("cg_product takes flags, structure, blocks, diagonal, p, ap, partials");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let segment = params.sliced((structure, blocks, diagonal));
    let rows = segment.rows_of_group();
    for group in 0..segment.row_count.div_ceil(rows) {
        let mut products = terms();
        for local in group * rows..segment.row_count.min((group + 1) * rows) {
            let i = segment.first_row + local;
            let y = segment.row(local, |j| vector(p, 3 * j));
            let y = segment.without_fixed(local, y);
            ap[3 * i..3 * i + 3].copy_from_slice(&y);
            products[local % rows] = dot(vector(p, 3 * i), y);
        }
        partials[segment.first_row / rows + group] = group_sum(products);
    }
}
