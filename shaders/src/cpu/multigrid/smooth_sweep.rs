//! Twin of wgsl/multigrid/smooth_sweep.wgsl.

use crate::cpu::level::{difference, load, scaled, store, sum};
use crate::cpu::sliced::inverse_product;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::SmoothParams;

/// r_out = r_in - A v, next = c_old v + c_new D^-1 r_out, x += next.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn smooth_sweep<T: Real>(call: Call<'_, '_, T>) {
    let params: SmoothParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(structure),
        Buffer::Words(packed),
        Buffer::Floats(diagonal),
        Buffer::Floats(coefficients),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("smooth_sweep takes flags, structure, packed, diagonal, coefficients, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    let segment = params.sliced((structure, packed, diagonal));
    let inverse = &diagonal[9 * params.matrix_rows as usize..];
    for local in 0..segment.row_count {
        let i = segment.first_row + local;
        let product = segment.row(local, |j| load(vectors, params.v, j));
        let r = difference(load(vectors, params.r_in, i), product);
        store(vectors, params.r_out, i, r);
        let step = scaled(coefficients[params.c_new as usize], inverse_product(inverse, i, r));
        let old = scaled(coefficients[params.c_old as usize], load(vectors, params.v, i));
        let next = sum(old, step);
        store(vectors, params.next, i, next);
        let x = sum(load(vectors, params.x, i), next);
        store(vectors, params.x, i, x);
    }
}
