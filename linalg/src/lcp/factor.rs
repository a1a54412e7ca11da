//! Cholesky factor U^T U of a matrix that gains and loses rows and columns
//! (GillGolubMurraySaunders1974). U is upper triangular and stored by rows, so that solutions and
//! rotations run over contiguous numbers.

use super::vector::{add_four, add_scaled, dot};

/// The factor of the basic block.
#[derive(Clone, Debug, Default)]
pub(super) struct Factor {
    /// Room for this many rows of this length.
    stride: usize,
    len: usize,
    upper: Vec<f64>,
}

impl Factor {
    /// Empties the factor, with room for `capacity` rows.
    pub(super) fn reset(&mut self, capacity: usize) {
        if capacity * capacity > self.upper.len() {
            self.upper.resize(capacity * capacity, 0.0);
        }
        (self.stride, self.len) = (capacity, 0);
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Row i of U from its diagonal on.
    fn row(&self, i: usize) -> &[f64] {
        &self.upper[self.stride * i + i..self.stride * i + self.len]
    }

    /// Appends a row and column of the matrix: `column` is U^-T times the new column, `schur` > 0 what
    /// is left of the new diagonal.
    pub(super) fn append(&mut self, column: &[f64], schur: f64) {
        let (new, stride) = (self.len, self.stride);
        for (i, &v) in column.iter().enumerate() {
            self.upper[stride * i + new] = v;
        }
        self.upper[stride * new + new] = schur.sqrt();
        self.len += 1;
    }

    /// Removes row and column `gone`; Givens rotations make U triangular again.
    pub(super) fn remove(&mut self, gone: usize) {
        let (stride, len) = (self.stride, self.len);
        for i in 0..len {
            let row = &mut self.upper[stride * i..stride * i + len];
            row.copy_within((gone + 1).max(i)..len, gone.max(i.saturating_sub(1)));
        }
        self.len -= 1;
        for i in gone..self.len {
            let (above, below) = self.upper.split_at_mut(stride * (i + 1));
            let upper = &mut above[stride * i + i..stride * i + len - 1];
            let lower = &mut below[i..len - 1];
            let length = upper[0].hypot(lower[0]);
            let (cos, sin) = (upper[0] / length, lower[0] / length);
            for (u, l) in upper.iter_mut().zip(lower) {
                (*u, *l) = (cos * *u + sin * *l, cos * *l - sin * *u);
            }
        }
    }

    /// x = U^-T x, four rows of U in one pass.
    pub(super) fn solve_transposed(&self, x: &mut [f64]) {
        let mut i = 0;
        while i + 4 <= self.len {
            for a in i..i + 4 {
                let row = self.row(a);
                x[a] /= row[0];
                let known = x[a];
                add_scaled(&mut x[a + 1..i + 4], -known, &row[1..]);
            }
            let rows = [0, 1, 2, 3].map(|a| &self.row(i + a)[4 - a..]);
            let factors = [-x[i], -x[i + 1], -x[i + 2], -x[i + 3]];
            add_four(&mut x[i + 4..self.len], factors, rows);
            i += 4;
        }
        for a in i..self.len {
            let row = self.row(a);
            x[a] /= row[0];
            let known = x[a];
            add_scaled(&mut x[a + 1..self.len], -known, &row[1..]);
        }
    }

    /// x = U^-1 x.
    pub(super) fn solve_upper(&self, x: &mut [f64]) {
        for i in (0..self.len).rev() {
            let row = self.row(i);
            x[i] = (x[i] - dot(&row[1..], &x[i + 1..self.len])) / row[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entry of a positive definite matrix.
    fn entry(i: usize, j: usize) -> f64 {
        let own = if i == j { 3.0 } else { 0.0 };
        own + 1.0 / (1.0 + (i + j) as f64) + ((i * j) as f64).sin() * 0.1
    }

    fn append(factor: &mut Factor, order: &mut Vec<usize>, index: usize) {
        let mut column: Vec<f64> = order.iter().map(|&j| entry(index, j)).collect();
        factor.solve_transposed(&mut column);
        factor.append(&column, entry(index, index) - dot(&column, &column));
        order.push(index);
    }

    #[test]
    fn a_factor_that_gained_and_lost_rows_solves_what_is_left() {
        let (mut factor, mut order) = (Factor::default(), Vec::new());
        factor.reset(20);
        (0..17).for_each(|i| append(&mut factor, &mut order, i));
        for gone in [16, 0, 5, 5, 9, 2] {
            factor.remove(gone);
            order.remove(gone);
        }
        [17, 3, 18].into_iter().for_each(|i| append(&mut factor, &mut order, i));
        let expected: Vec<f64> = order.iter().map(|&i| i as f64 - 4.0).collect();
        let product = |&i: &usize| order.iter().zip(&expected).map(|(&j, x)| entry(i, j) * x).sum();
        let mut x: Vec<f64> = order.iter().map(product).collect();
        factor.solve_transposed(&mut x);
        factor.solve_upper(&mut x);
        let error = x.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(factor.len() == order.len() && error < 1e-12, "{error:e}");
    }
}
