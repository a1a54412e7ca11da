//! A matrix under pivots that exchange one row variable with one column variable each. A pivot is a
//! rank-1 update; updates are gathered and applied in blocks, in one pass over the matrix, while single
//! rows and columns are read through those that wait.

use super::vector::{add_four, add_scaled, dot};

/// Pivots that wait. With n = 2,000 the waiting rows fill 0.5 MB, what a second-level cache holds, and
/// the matrix is read and written once for 32 pivots.
const BLOCK: usize = 32;

/// y = T x: a row for each basic variable y, a column for each other one, x.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    rows: usize,
    columns: usize,
    base: Vec<f64>,
    waiting: usize,
    /// For each row, the coefficients of the waiting updates: rows x BLOCK.
    left: Vec<f64>,
    /// The rows that the coefficients multiply, BLOCK x columns.
    right: Vec<f64>,
}

impl Tableau {
    /// Takes a matrix, given by its rows.
    pub(super) fn reset<'a>(&mut self, columns: usize, rows: impl Iterator<Item = &'a [f64]>) {
        self.base.clear();
        rows.for_each(|row| self.base.extend_from_slice(row));
        self.columns = columns;
        self.rows = self.base.len() / columns.max(1);
        self.waiting = 0;
        self.left.clear();
        self.left.resize(self.rows * BLOCK, 0.0);
        self.right.clear();
        self.right.resize(BLOCK * columns, 0.0);
    }

    /// One entry.
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        let coefficients = &self.left[BLOCK * row..BLOCK * row + self.waiting];
        let updates = coefficients.iter().enumerate();
        self.base[self.columns * row + column]
            + updates.map(|(k, c)| c * self.right[self.columns * k + column]).sum::<f64>()
    }

    /// A row of which no update waits.
    pub(super) fn applied_row(&self, row: usize) -> &[f64] {
        debug_assert!(self.waiting == 0, "updates wait");
        &self.base[self.columns * row..self.columns * (row + 1)]
    }

    /// Replaces a column while no update waits.
    pub(super) fn write_column(&mut self, column: usize, values: &[f64]) {
        debug_assert!(self.waiting == 0, "updates wait");
        for (row, v) in self.base.chunks_exact_mut(self.columns).zip(values) {
            row[column] = *v;
        }
    }

    /// A column.
    pub(super) fn read_column(&self, column: usize, out: &mut Vec<f64>) {
        let mut waiting = [0.0; BLOCK];
        for (k, v) in waiting[..self.waiting].iter_mut().enumerate() {
            *v = self.right[self.columns * k + column];
        }
        out.clear();
        out.extend((0..self.rows).map(|i| {
            let coefficients = &self.left[BLOCK * i..BLOCK * i + self.waiting];
            self.base[self.columns * i + column] + dot(coefficients, &waiting[..self.waiting])
        }));
    }

    /// A row.
    pub(super) fn read_row(&self, row: usize, out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(&self.base[self.columns * row..self.columns * (row + 1)]);
        for k in 0..self.waiting {
            let waiting = &self.right[self.columns * k..self.columns * (k + 1)];
            add_scaled(out, self.left[BLOCK * row + k], waiting);
        }
    }

    /// Exchanges the variables of a row and a column, with these the current ones. T becomes
    /// T - (T e_c + e_r)(e_r^T T - e_c^T) / T_rc.
    pub(super) fn pivot(&mut self, place: (usize, usize), row: &[f64], column: &[f64]) {
        let (r, c) = place;
        let k = self.waiting;
        let inverse = row[c].recip();
        for (i, v) in column.iter().enumerate() {
            self.left[BLOCK * i + k] = -v * inverse;
        }
        self.left[BLOCK * r + k] -= inverse;
        self.right[self.columns * k..self.columns * (k + 1)].copy_from_slice(row);
        self.right[self.columns * k + c] -= 1.0;
        self.waiting += 1;
        if self.waiting == BLOCK {
            self.apply();
        }
    }

    /// Applies what waits.
    pub(super) fn apply(&mut self) {
        let n = self.columns;
        if self.waiting == 0 {
            return;
        }
        self.left.chunks_exact_mut(BLOCK).for_each(|left| left[self.waiting..].fill(0.0));
        let used = self.waiting.next_multiple_of(4);
        for (row, left) in self.base.chunks_exact_mut(n).zip(self.left.chunks_exact(BLOCK)) {
            for k in (0..used).step_by(4) {
                let rows = [0, 1, 2, 3].map(|a| &self.right[n * (k + a)..n * (k + a + 1)]);
                add_four(row, [left[k], left[k + 1], left[k + 2], left[k + 3]], rows);
            }
        }
        self.waiting = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_pivots_keeps_the_relation_of_the_variables() {
        let n = 40;
        let entry = |i: usize, j: usize| {
            if i == j { 4.0 } else { ((3 * i + 7 * j * j) as f64).sin() }
        };
        let matrix: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let y: Vec<f64> = matrix.chunks(n).map(|row| dot(row, &x)).collect();
        let (mut basic, mut other) = (y, x);
        let mut tableau = Tableau::default();
        tableau.reset(n, matrix.chunks(n));
        let (mut row, mut column) = (Vec::new(), Vec::new());
        // More than two blocks, off the diagonal as well.
        for k in 0..75 {
            let (r, c) = (k * 7 % n, (k * 11 + k / 40) % n);
            tableau.read_row(r, &mut row);
            tableau.read_column(c, &mut column);
            assert!(
                (row[c] - column[r]).abs() < 1e-9 && (row[c] - tableau.entry(r, c)).abs() < 1e-9
            );
            if row[c].abs() > 0.05 {
                tableau.pivot((r, c), &row, &column);
                std::mem::swap(&mut basic[r], &mut other[c]);
            }
        }
        for (r, expected) in basic.iter().enumerate() {
            tableau.read_row(r, &mut row);
            let found = dot(&row, &other);
            assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found} {expected}");
        }
    }
}
