//! LU factors of a band matrix with row exchanges (GolubVanLoan2013, ch. 4.3): small, exact, indifferent
//! to symmetry and definiteness.

pub(crate) struct Banded {
    size: usize,
    band: usize,
    /// Row i holds columns i - band to i + 2 band.
    entries: Vec<f64>,
    row_swaps: Vec<usize>,
}

impl Banded {
    pub(crate) fn zeros(size: usize, band: usize) -> Self {
        let entries = vec![0.0; size * (3 * band + 1)];
        Self { size, band, entries, row_swaps: vec![0; size] }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        row * (3 * self.band + 1) + column + self.band - row
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        let i = self.at(row, column);
        self.entries[i] += value;
    }

    fn last_column(&self, row: usize) -> usize {
        (row + 2 * self.band).min(self.size - 1)
    }

    pub(crate) fn factor(&mut self) {
        for k in 0..self.size {
            let below = (k + self.band).min(self.size - 1);
            let size_of = |r: usize| self.entries[self.at(r, k)].abs();
            let pivot = (k..=below).fold(k, |a, b| if size_of(b) > size_of(a) { b } else { a });
            self.row_swaps[k] = pivot;
            if pivot != k {
                for c in k..=self.last_column(k) {
                    let (i, j) = (self.at(k, c), self.at(pivot, c));
                    self.entries.swap(i, j);
                }
            }
            for r in k + 1..=below {
                self.eliminate(k, r);
            }
        }
    }

    /// Takes row `k` from row `r` so that column `k` vanishes there; the factor is kept in its place.
    fn eliminate(&mut self, k: usize, r: usize) {
        let (diagonal, below) = (self.at(k, k), self.at(r, k));
        let width = self.last_column(k) - k;
        let (upper, lower) = self.entries.split_at_mut(below);
        let factor = lower[0] / upper[diagonal];
        lower[0] = factor;
        if factor != 0.0 {
            let row = &upper[diagonal + 1..=diagonal + width];
            lower[1..=width].iter_mut().zip(row).for_each(|(e, p)| *e -= factor * p);
        }
    }

    /// Replaces the right side `b` by the solution.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        for k in 0..self.size {
            b.swap(k, self.row_swaps[k]);
            for r in k + 1..=(k + self.band).min(self.size - 1) {
                b[r] -= self.entries[self.at(r, k)] * b[k];
            }
        }
        for k in (0..self.size).rev() {
            let (diagonal, last) = (self.at(k, k), self.last_column(k));
            let row = &self.entries[diagonal + 1..=diagonal + last - k];
            let known: f64 = row.iter().zip(&b[k + 1..=last]).map(|(e, x)| e * x).sum();
            b[k] = (b[k] - known) / self.entries[diagonal];
        }
    }
}
