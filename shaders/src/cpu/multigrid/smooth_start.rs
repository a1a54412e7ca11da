//! Twin of wgsl/multigrid/smooth_start.wgsl.

use crate::cpu::level::{load, scaled, store};
use crate::cpu::sliced::inverse_product;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::table::SmoothParams;

/// v = c D^-1 r and x = v.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn smooth_start<T: Real>(call: Call<'_, '_, T>) {
    let params: SmoothParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Floats(diagonal),
        Buffer::Floats(coefficients),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("smooth_start takes flags, diagonal, coefficients, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    let inverse = &diagonal[9 * params.matrix_rows as usize..];
    for i in 0..params.matrix_rows as usize {
        let r = load(vectors, params.r_in, i);
        let v = scaled(coefficients[params.c_new as usize], inverse_product(inverse, i, r));
        store(vectors, params.v, i, v);
        store(vectors, params.x, i, v);
    }
}
