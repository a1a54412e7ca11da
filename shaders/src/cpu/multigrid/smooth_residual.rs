//! Twin of wgsl/multigrid/smooth_residual.wgsl.

use crate::cpu::level::{difference, load, store};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::SmoothParams;

/// r_out = r_in - A v.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn smooth_residual<T: Real>(call: Call<'_, '_, T>) {
    let params: SmoothParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(structure),
        Buffer::Words(packed),
        Buffer::Floats(diagonal),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("smooth_residual takes flags, structure, packed, diagonal, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    let segment = params.sliced((structure, packed, diagonal));
    for local in 0..segment.row_count {
        let i = segment.first_row + local;
        let product = segment.row(local, |j| load(vectors, params.v, j));
        let r = difference(load(vectors, params.r_in, i), product);
        store(vectors, params.r_out, i, r);
    }
}
