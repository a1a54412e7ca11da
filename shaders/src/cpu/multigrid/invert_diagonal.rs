//! Twin of wgsl/multigrid/invert_diagonal.wgsl.

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
    let [a, b, c] = rows;
    let d_0 = pivot(a[0]);
    let (l_10, l_20) = (b[0] / d_0, c[0] / d_0);
    let p_1 = b[1] - l_10 * b[0];
    let d_1 = pivot(p_1);
    let c_21 = c[1] - l_20 * b[0];
    let l_21 = c_21 / d_1;
    let p_2 = c[2] - l_20 * c[0] - l_21 * c_21;
    let d_2 = pivot(p_2);
    if a[0].min(p_1.min(p_2)) <= 0.0 {
        inverse = 0.0;
    }
    let m_20 = l_10 * l_21 - l_20;
    let w = [d_0, d_1, d_2].map(|d| 1.0 / d * inverse);
    let xy = -(l_10 * w[1] + m_20 * l_21 * w[2]);
    let (xz, yz) = (m_20 * w[2], -(l_21 * w[2]));
    let xx = free[0] * (w[0] + l_10 * l_10 * w[1] + m_20 * m_20 * w[2]);
    let yy = free[1] * (w[1] + l_21 * l_21 * w[2]);
    [xx, xy, xz, xy, yy, yz, xz, yz, free[2] * w[2]]
}

/// A pivot that is positive, or 1.
fn pivot(scalar: f32) -> f32 {
    if scalar > 0.0 { scalar } else { 1.0 }
}
