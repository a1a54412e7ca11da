//! Twin of wgsl/multigrid/dense_fill.wgsl.

use crate::cpu::sliced::vector;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::DenseParams;

/// The coarsest matrix as a dense one.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn dense_fill<T: Real>(call: Call<'_, '_, T>) {
    let params: DenseParams = call.params();
    let [
        Buffer::Words(structure),
        Buffer::Floats(blocks),
        Buffer::Floats(diagonal),
        Buffer::Words(fixed),
        Buffer::FloatsMut(dense),
        Buffer::WordsMut(flags),
    ] = call.buffers
    else {
        panic!("dense_fill takes structure, blocks, diagonal, fixed, dense, flags");
    };
    let (size, n) = (params.size as usize, params.row_count as usize);
    (3 * params.matrix_rows as usize..size).for_each(|past| dense[past * size + past] = 1.0);
    flags[flag::INDEFINITE as usize] = 0;
    let segment = params.sliced((structure, blocks, diagonal));
    let is_fixed = |scalar: usize| fixed[scalar / 3] >> (scalar % 3) & 1 == 1;
    for (local, component) in (0..n).flat_map(|local| (0..3).map(move |c| (local, c))) {
        let i = segment.first_row + local;
        let row = 3 * i + component;
        let g = segment.diagonal(i);
        let mut own = vector(&g, 3 * component);
        for entry in segment.entries(local) {
            let (j, block) = (segment.column(entry), segment.block(entry));
            for c in 0..3 {
                let value = block[3 * component + c];
                own[c] -= params.shift * value;
                if j != i && !is_fixed(row) && !is_fixed(3 * j + c) {
                    dense[row * size + 3 * j + c] = value;
                }
            }
        }
        for c in 0..3 {
            let among_fixed = is_fixed(row) || is_fixed(3 * i + c);
            dense[row * size + 3 * i + c] = entry_of(own[c], c == component, among_fixed);
        }
    }
}

/// Entry of a diagonal block; fixed scalars have a 1 on the diagonal alone.
fn entry_of(value: f32, on_diagonal: bool, among_fixed: bool) -> f32 {
    match (on_diagonal, among_fixed) {
        (false, false) => value,
        (false, true) => 0.0,
        (true, false) => value * 1.000001,
        (true, true) => 1.0,
    }
}
