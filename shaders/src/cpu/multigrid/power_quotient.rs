//! Twin of wgsl/multigrid/power_quotient.wgsl.

use crate::cpu::level::load;
use crate::cpu::reduce::{group_sum, terms};
use crate::cpu::sliced::{dot, inverse_product};
use crate::cpu::{Buffer, Call, Real};
use crate::params::SmoothParams;

/// Partial sums of A v . D^-1 A v and of v . A v.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn power_quotient<T: Real>(call: Call<'_, '_, T>) {
    let params: SmoothParams = call.params();
    let [
        Buffer::Words(structure),
        Buffer::Words(packed),
        Buffer::Floats(diagonal),
        Buffer::Floats(vectors),
        Buffer::FloatsMut(partials),
    ] = call.buffers
    else {
        panic!("power_quotient takes structure, packed, diagonal, vectors, partials");
    };
    let segment = params.sliced((structure, packed, diagonal));
    let inverse = &diagonal[9 * params.matrix_rows as usize..];
    let rows = segment.rows_of_group();
    for group in 0..segment.row_count.div_ceil(rows) {
        let (mut above, mut below) = (terms(), terms());
        for local in group * rows..segment.row_count.min((group + 1) * rows) {
            let i = segment.first_row + local;
            let product = segment.row(local, |j| load(vectors, params.v, j));
            above[local % rows] = dot(product, inverse_product(inverse, i, product));
            below[local % rows] = dot(product, load(vectors, params.v, i));
        }
        let place = 2 * (segment.first_row / rows + group);
        partials[place] = group_sum(above);
        partials[place + 1] = group_sum(below);
    }
}
