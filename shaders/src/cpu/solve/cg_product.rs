//! Twin of wgsl/solve/cg_product.wgsl.

use crate::cpu::reduce::{group_sum, terms};
use crate::cpu::sliced::{dot, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::ProductParams;

/// ap = S p over the free scalars of a segment, and partial sums of p . ap, r . ap and ap . ap.
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
        Buffer::Reals(rest),
        Buffer::RealsMut(both),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("cg_product takes flags, structure, blocks, diagonal, rest, both, partials");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let segment = params.sliced((structure, blocks, diagonal));
    let rows = segment.rows_of_group();
    for group in 0..segment.row_count.div_ceil(rows) {
        let mut products = [terms(), terms(), terms()];
        for local in group * rows..segment.row_count.min((group + 1) * rows) {
            let i = segment.first_row + local;
            let y = segment.row(local, |j| vector(both, 3 * j));
            let y = segment.without_fixed(local, y);
            let at = 3 * (params.matrix_rows as usize + i);
            both[at..at + 3].copy_from_slice(&y);
            let of_row = [dot(vector(both, 3 * i), y), dot(vector(rest, at), y), dot(y, y)];
            (0..3).for_each(|k| products[k][local % rows] = of_row[k]);
        }
        let place = 3 * (segment.first_row / rows + group);
        partials[place..place + 3].copy_from_slice(&products.map(group_sum));
    }
}
