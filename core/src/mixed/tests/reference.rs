//! A dense solver of mixed problems that shares nothing with those of the library: the pseudo-inverse of the saddle point
//! by singular values, and Gauss-Seidel over the rows on it until nothing changes.

use nalgebra::{DMatrix, DVector};

use super::random::Arrays;
use crate::Vec3;
use crate::lcp::Bound;

const SWEEPS: usize = 200_000;

/// Velocities of the solution; none where Gauss-Seidel does not settle.
pub(super) fn reference_velocities(arrays: &Arrays) -> Option<Vec<Vec3>> {
    let (size, rows, count) = (3 * arrays.b.len(), arrays.r.len(), arrays.bounds.len());
    let inverse = saddle(arrays).pseudo_inverse(1e-11).unwrap();
    let mut pushes = DMatrix::zeros(size + rows, count);
    for row in 0..count {
        for entry in arrays.pattern.entries(row) {
            let block = arrays.pattern.blocks()[entry] as usize;
            for axis in (0..3).filter(|&axis| !arrays.fixed[block][axis]) {
                pushes[(3 * block + axis, row)] += arrays.n[entry][axis];
            }
        }
    }
    let mut right = DVector::zeros(size + rows);
    for (row, b) in arrays.b.iter().enumerate() {
        for axis in (0..3).filter(|&axis| !arrays.fixed[row][axis]) {
            right[3 * row + axis] = b[axis];
        }
    }
    for (row, b) in arrays.b_g.iter().enumerate() {
        right[size + row] = *b;
    }
    let free = &inverse * &right;
    let responses = &inverse * &pushes;
    let mut matrix = pushes.transpose() * &responses;
    let mut q = pushes.transpose() * &free;
    for row in 0..count {
        matrix[(row, row)] += arrays.c[row];
        q[row] -= arrays.d[row];
    }
    let z = gauss_seidel(arrays, &matrix, &q)?;
    let u = free + responses * z;
    Some(
        (0..arrays.b.len())
            .map(|row| Vec3::new(u[3 * row], u[3 * row + 1], u[3 * row + 2]))
            .collect(),
    )
}

/// [S -G^T; G R] with ones for fixed scalars.
fn saddle(arrays: &Arrays) -> DMatrix<f64> {
    let (size, rows) = (3 * arrays.b.len(), arrays.r.len());
    let mut matrix = DMatrix::zeros(size + rows, size + rows);
    let is_fixed = |scalar: usize| arrays.fixed[scalar / 3][scalar % 3];
    let pattern = arrays.s.pattern();
    for row in 0..pattern.size() {
        for slot in pattern.row(row) {
            let (column, block) = (pattern.columns()[slot] as usize, arrays.s.block(slot));
            for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
                let (i, j, value) = (3 * row + i, 3 * column + j, block[(i, j)]);
                matrix[(i, j)] = match (is_fixed(i) || is_fixed(j), i == j) {
                    (true, true) => 1.0,
                    (true, false) => 0.0,
                    (false, _) => value,
                };
            }
        }
    }
    for row in 0..rows {
        for entry in arrays.rows.entries(row) {
            let block = arrays.rows.blocks()[entry] as usize;
            for axis in (0..3).filter(|&axis| !arrays.fixed[block][axis]) {
                matrix[(3 * block + axis, size + row)] -= arrays.g[entry][axis];
                matrix[(size + row, 3 * block + axis)] += arrays.g[entry][axis];
            }
        }
        matrix[(size + row, size + row)] = arrays.r[row];
    }
    matrix
}

fn gauss_seidel(arrays: &Arrays, matrix: &DMatrix<f64>, q: &DVector<f64>) -> Option<DVector<f64>> {
    let mut z = DVector::zeros(q.len());
    for _ in 0..SWEEPS {
        let mut change = 0f64;
        for row in 0..q.len() {
            if matrix[(row, row)] < 1e-9 {
                continue;
            }
            let velocity = q[row] + matrix.row(row).transpose().dot(&z);
            let wanted = z[row] - velocity / matrix[(row, row)];
            let next = match arrays.bounds[row] {
                Bound::Unilateral => wanted.max(0.0),
                Bound::Friction { normal, coefficient, .. } => {
                    let most = coefficient * z[normal];
                    f64::clamp(wanted, -most, most)
                }
                Bound::Bilateral => wanted,
                Bound::Range { lower, upper } => wanted.clamp(lower, upper),
            };
            change = change.max((next - z[row]).abs());
            z[row] = next;
        }
        if change < 1e-14 {
            return Some(z);
        }
    }
    None
}
