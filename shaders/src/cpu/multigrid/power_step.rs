//! Twin of wgsl/multigrid/power_step.wgsl.

use crate::cpu::level::{load, scaled, store};
use crate::cpu::sliced::inverse_product;
use crate::cpu::{Buffer, Call, Real};
use crate::params::SmoothParams;

/// next = D^-1 A v / 2.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn power_step<T: Real>(call: Call<'_, '_, T>) {
    let params: SmoothParams = call.params();
    let [
        Buffer::Words(structure),
        Buffer::Words(packed),
        Buffer::Floats(diagonal),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("power_step takes structure, packed, diagonal, vectors");
    };
    let segment = params.sliced((structure, packed, diagonal));
    let inverse = &diagonal[9 * params.matrix_rows as usize..];
    for local in 0..segment.row_count {
        let i = segment.first_row + local;
        let product = segment.row(local, |j| load(vectors, params.v, j));
        store(vectors, params.next, i, scaled(0.5, inverse_product(inverse, i, product)));
    }
}
