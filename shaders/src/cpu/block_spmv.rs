//! Twin of wgsl/block_spmv.wgsl.

use super::Buffer;
use crate::layout::SpmvParams;

/// A matrix of 3 x 3 blocks in difference form, as the kernel reads it.
#[derive(Clone, Copy, Debug)]
pub struct DifferenceMatrix<'a> {
    /// Where the blocks of each row start, and the end: one more than there are rows.
    pub offsets: &'a [u32],
    /// Block column of each block; the diagonal is left out.
    pub columns: &'a [u32],
    /// K_ij, nine scalars each, row-major.
    pub blocks: &'a [f32],
    /// D_i, the sum of all blocks of row i with its diagonal (summed in f64), nine scalars each.
    pub row_sums: &'a [f32],
}

/// y_i = D_i x_i + sum over j != i of K_ij (x_j - x_i).
///
/// # Panics
/// When an array is shorter than `row_count` and the offsets say, or a column is not a row.
pub fn block_spmv(params: &SpmvParams, matrix: &DifferenceMatrix<'_>, x: &[f32], y: &mut [f32]) {
    for i in 0..params.row_count as usize {
        let xi = vector(x, i);
        let mut yi = block_times(matrix.row_sums, i, xi);
        for b in matrix.offsets[i] as usize..matrix.offsets[i + 1] as usize {
            let xj = vector(x, matrix.columns[b] as usize);
            let kx = block_times(matrix.blocks, b, [xj[0] - xi[0], xj[1] - xi[1], xj[2] - xi[2]]);
            yi = [yi[0] + kx[0], yi[1] + kx[1], yi[2] + kx[2]];
        }
        y[3 * i..3 * i + 3].copy_from_slice(&yi);
    }
}

fn vector(x: &[f32], i: usize) -> [f32; 3] {
    [x[3 * i], x[3 * i + 1], x[3 * i + 2]]
}

fn block_times(blocks: &[f32], b: usize, v: [f32; 3]) -> [f32; 3] {
    let k = &blocks[9 * b..9 * b + 9];
    [
        k[0] * v[0] + k[1] * v[1] + k[2] * v[2],
        k[3] * v[0] + k[4] * v[1] + k[5] * v[2],
        k[6] * v[0] + k[7] * v[1] + k[8] * v[2],
    ]
}

pub(crate) fn twin(buffers: &mut [Buffer<'_>]) {
    match buffers {
        [
            Buffer::Uniform(params),
            Buffer::Words(offsets),
            Buffer::Words(columns),
            Buffer::Floats(blocks),
            Buffer::Floats(row_sums),
            Buffer::Floats(x),
            Buffer::Results(y),
        ] => {
            let matrix = DifferenceMatrix { offsets, columns, blocks, row_sums };
            block_spmv(&bytemuck::pod_read_unaligned(params), &matrix, x, y);
        }
        _ => panic!("block_spmv takes params, a matrix in four arrays, x and y: {buffers:?}"),
    }
}
