//! Twin of wgsl/multigrid/smooth_last.wgsl.

use crate::cpu::level::{difference, load, scaled, store, sum};
use crate::cpu::reduce::{group_sum, terms};
use crate::cpu::sliced::{dot, inverse_product, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::SmoothParams;

/// x += c_old v + c_new D^-1 (r_in - A v), and partial sums of r . x.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn smooth_last<T: Real>(call: Call<'_, '_, T>) {
    let params: SmoothParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(structure),
        Buffer::Words(packed),
        Buffer::Floats(diagonal),
        Buffer::Floats(coefficients),
        Buffer::Reals(both),
        Buffer::FloatsMut(vectors),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!(
            "smooth_last takes flags, structure, packed, diagonal, coefficients, both, vectors, partials"
        );
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let segment = params.sliced((structure, packed, diagonal));
    let total = params.matrix_rows as usize;
    let (c_old, c_new) = (coefficients[params.c_old as usize], coefficients[params.c_new as usize]);
    let rows = segment.rows_of_group();
    for group in 0..segment.row_count.div_ceil(rows) {
        let mut products = terms();
        for local in group * rows..segment.row_count.min((group + 1) * rows) {
            let i = segment.first_row + local;
            let product = segment.row(local, |j| load(vectors, params.v, j));
            let r = difference(load(vectors, params.r_in, i), product);
            let step = scaled(c_new, inverse_product(&diagonal[9 * total..], i, r));
            let x = add_steps(&params, vectors, i, (c_old, step));
            let rounded = x.map(|x| T::of(f64::from(x)));
            products[local % rows] = dot(vector(both, 3 * (total + i)), rounded);
        }
        partials[params.rz as usize + segment.first_row / rows + group] = group_sum(products);
    }
}

/// x += c_old v + a step, in a row, which it returns.
fn add_steps(
    params: &SmoothParams,
    vectors: &mut [f32],
    i: usize,
    (c_old, step): (f32, [f32; 3]),
) -> [f32; 3] {
    let old = scaled(c_old, load(vectors, params.v, i));
    let x = sum(load(vectors, params.x, i), sum(old, step));
    store(vectors, params.x, i, x);
    x
}
