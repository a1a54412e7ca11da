//! Dense factorization in place with partial pivoting, over real and complex numbers: nothing is allocated once the sizes
//! are known.

use nalgebra::{ComplexField, DMatrix};

/// Factors of a square matrix.
#[derive(Clone, Debug)]
pub(super) struct Lu<T: ComplexField> {
    pub(super) matrix: DMatrix<T>,
    pivots: Vec<usize>,
}

impl<T: ComplexField<RealField = f64> + Copy> Lu<T> {
    pub(super) fn new(size: usize) -> Self {
        Self { matrix: DMatrix::zeros(size, size), pivots: vec![0; size] }
    }

    /// Factors `self.matrix`; false where it is singular.
    pub(super) fn factor(&mut self) -> bool {
        let Self { matrix, pivots } = self;
        let size = matrix.nrows();
        for k in 0..size {
            let magnitude = |row: usize| matrix[(row, k)].norm1();
            let pivot =
                (k..size).max_by(|&a, &b| magnitude(a).total_cmp(&magnitude(b))).unwrap_or(k);
            pivots[k] = pivot;
            let largest = magnitude(pivot);
            if !(largest > 0.0 && largest.is_finite()) {
                return false;
            }
            if pivot != k {
                matrix.swap_rows(k, pivot);
            }
            let diagonal = matrix[(k, k)];
            for row in k + 1..size {
                matrix[(row, k)] /= diagonal;
            }
            for column in k + 1..size {
                let factor = matrix[(k, column)];
                if factor == T::zero() {
                    continue;
                }
                let data = matrix.as_mut_slice();
                let (left, right) = data.split_at_mut(column * size);
                let below = &left[k * size + k + 1..(k + 1) * size];
                let target = &mut right[k + 1..size];
                target.iter_mut().zip(below).for_each(|(t, l)| *t -= *l * factor);
            }
        }
        true
    }

    /// Solves in place.
    pub(super) fn solve(&self, x: &mut [T]) {
        let size = x.len();
        for k in 0..size {
            x.swap(k, self.pivots[k]);
        }
        for k in 0..size {
            let known = x[k];
            for row in k + 1..size {
                x[row] -= self.matrix[(row, k)] * known;
            }
        }
        for k in (0..size).rev() {
            x[k] /= self.matrix[(k, k)];
            let known = x[k];
            for row in 0..k {
                x[row] -= self.matrix[(row, k)] * known;
            }
        }
    }
}
