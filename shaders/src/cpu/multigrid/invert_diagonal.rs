//! Twin of wgsl/multigrid/invert_diagonal.wgsl.

use crate::cpu::sliced::dot;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::BLOCK;
use crate::params::ProductParams;

/// The inverse of every diagonal block of a segment.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn invert_diagonal<T: Real>(call: Call<'_, '_, T>) {
    let params: ProductParams = call.params();
    let [Buffer::Words(structure), Buffer::Floats(blocks), Buffer::FloatsMut(diagonal)] =
        call.buffers
    else {
        panic!("invert_diagonal takes structure, blocks, diagonal");
    };
    for local in 0..params.row_count as usize {
        let (m, fixed) = {
            let segment = params.sliced((structure, blocks, diagonal));
            let mut m = segment.diagonal(params.first_row as usize + local);
            for entry in segment.entries(local) {
                let block = segment.block(entry);
                (0..9).for_each(|k| m[k] -= params.shift * block[k]);
            }
            (m, segment.fixed(local))
        };
        let at = BLOCK as usize * (params.first_row + params.matrix_rows) as usize;
        let at = at + BLOCK as usize * local;
        diagonal[at..at + 9].copy_from_slice(&inverse_of_free(m, fixed));
    }
}

fn inverse_of_free(m: [f32; 9], fixed: u32) -> [f32; 9] {
    let free: [f32; 3] = std::array::from_fn(|a| (1 - (fixed >> a & 1)) as f32);
    let mut rows: [[f32; 3]; 3] =
        std::array::from_fn(|r| std::array::from_fn(|c| m[3 * r + c] * (free[r] * free[c])));
    let size = rows[0][0].max(rows[1][1].max(rows[2][2]));
    let mut inverse = if size > 0.0 { 1.0 / size } else { 0.0 };
    for r in 0..3 {
        rows[r] = rows[r].map(|x| x * inverse);
        rows[r][r] += 1.0 - free[r];
    }
    let columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
    let determinant = dot(rows[0], columns[0]);
    inverse = if determinant > 0.0 { inverse / determinant } else { 0.0 };
    let half = |r: usize, c: usize| 0.5 * inverse * (columns[r][c] + columns[c][r]);
    let entry =
        |r: usize, c: usize| if r == c { inverse * free[r] * columns[r][r] } else { half(r, c) };
    std::array::from_fn(|k| entry(k / 3, k % 3))
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
