//! Factor of a symmetric positive semidefinite matrix with least-squares solutions: Cholesky's with pivoting
//! (GolubVanLoan2013, section 4.2.8), rows scaled to a unit diagonal first.

/// Pivots below this are those of rows that follow from others: rounding of matrices of unit diagonal grows with the
/// number of rows, rows of constraints that nearly follow are further from it.
const DEPENDENT: f64 = 1e-11;

/// The factor P L Lᵀ Pᵀ of a scaled matrix, L of n x rank.
#[derive(Clone, Debug, Default)]
pub(super) struct LeastSquaresFactor {
    n: usize,
    rank: usize,
    /// L, row by row, n x n with room to the right.
    l: Vec<f64>,
    /// Row of the matrix at each pivot.
    order: Vec<usize>,
    scale: Vec<f64>,
    /// Factor of Lᵀ L where the rank is not full, rank x rank.
    normal: Vec<f64>,
    work: Vec<f64>,
}

impl LeastSquaresFactor {
    /// Factors a matrix, n x n row by row; rows without any response are left out.
    pub(super) fn factor(&mut self, a: &[f64], n: usize) {
        self.n = n;
        self.l.clear();
        self.l.extend_from_slice(a);
        self.order.clear();
        self.order.extend(0..n);
        self.scale.clear();
        let inverse_root = |d: f64| if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 };
        self.scale.extend((0..n).map(|k| inverse_root(a[k * n + k])));
        for i in 0..n {
            (0..n).for_each(|j| self.l[i * n + j] *= self.scale[i] * self.scale[j]);
        }
        self.rank = n;
        for k in 0..n {
            if !self.pivot(k) {
                self.rank = k;
                break;
            }
        }
        if self.rank < n {
            self.factor_normal();
        }
    }

    /// Number of rows that follow from others.
    pub(super) fn redundant(&self) -> usize {
        self.n - self.rank
    }

    /// One column of L; the matrix below and right of it is reduced. False if nothing is left.
    fn pivot(&mut self, k: usize) -> bool {
        let (n, l) = (self.n, &mut self.l);
        let diagonal = |i: &usize| l[i * n + i];
        let Some(best) = (k..n).max_by(|a, b| diagonal(a).total_cmp(&diagonal(b))) else {
            return false;
        };
        if diagonal(&best) <= DEPENDENT {
            return false;
        }
        if best != k {
            self.order.swap(best, k);
            (0..n).for_each(|j| l.swap(best * n + j, k * n + j));
            // Columns of L to the left have been left with the rows; the rest is symmetric.
            (k..n).for_each(|i| l.swap(i * n + best, i * n + k));
            (0..k).for_each(|i| l.swap(i * n + best, i * n + k));
        }
        let root = l[k * n + k].sqrt();
        l[k * n + k] = root;
        (k + 1..n).for_each(|i| l[i * n + k] /= root);
        for i in k + 1..n {
            let factor = l[i * n + k];
            for j in k + 1..=i {
                let change = factor * l[j * n + k];
                l[i * n + j] -= change;
                if j != i {
                    l[j * n + i] -= change;
                }
            }
        }
        true
    }

    fn factor_normal(&mut self) {
        let (n, r) = (self.n, self.rank);
        self.normal.clear();
        self.normal.resize(r * r, 0.0);
        for i in 0..r {
            for j in 0..=i {
                // Column j of L begins at row j.
                let sum: f64 = (i..n).map(|k| self.l[k * n + i] * self.l[k * n + j]).sum();
                self.normal[i * r + j] = sum;
            }
        }
        cholesky(&mut self.normal, r);
    }

    /// The solution of A x = b; where rows follow from others, the shortest x of the least squares of the scaled rows.
    pub(super) fn solve(&mut self, b: &[f64], x: &mut [f64]) {
        let (n, r) = (self.n, self.rank);
        self.work.clear();
        self.work.extend(self.order.iter().map(|&row| b[row] * self.scale[row]));
        if r == n {
            solve_lower(&self.l, n, n, &mut self.work);
            solve_upper(&self.l, n, n, &mut self.work);
        } else {
            // L (Lᵀ L)⁻² Lᵀ b, the pseudoinverse of L Lᵀ.
            let column =
                |k: usize, y: &[f64]| (k..n).map(|i| self.l[i * n + k] * y[i]).sum::<f64>();
            for k in 0..r {
                // Entries before k are not read again.
                self.work[k] = column(k, &self.work);
            }
            for _ in 0..2 {
                solve_lower(&self.normal, r, r, &mut self.work);
                solve_upper(&self.normal, r, r, &mut self.work);
            }
            for i in (0..n).rev() {
                let row = &self.l[i * n..i * n + r.min(i + 1)];
                self.work[i] = row.iter().zip(&self.work).map(|(l, y)| l * y).sum();
            }
        }
        for (&row, value) in self.order.iter().zip(&self.work) {
            x[row] = value * self.scale[row];
        }
    }
}

/// Cholesky's factor in place, in the lower triangle of n x n; false if the matrix is not positive definite.
pub(super) fn cholesky(a: &mut [f64], n: usize) -> bool {
    for j in 0..n {
        let sum: f64 = (0..j).map(|k| a[j * n + k] * a[j * n + k]).sum();
        let square = a[j * n + j] - sum;
        if square.is_nan() || square <= f64::EPSILON * a[j * n + j].abs() {
            return false;
        }
        let root = square.sqrt();
        a[j * n + j] = root;
        for i in j + 1..n {
            let sum: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            a[i * n + j] = (a[i * n + j] - sum) / root;
        }
    }
    true
}

/// Solves L y = b in place for the first `count` rows of L, whose rows are `width` apart.
pub(super) fn solve_lower(l: &[f64], width: usize, count: usize, b: &mut [f64]) {
    for i in 0..count {
        let sum: f64 = l[i * width..i * width + i].iter().zip(&*b).map(|(l, y)| l * y).sum();
        b[i] = (b[i] - sum) / l[i * width + i];
    }
}

/// Solves Lᵀ y = b in place.
pub(super) fn solve_upper(l: &[f64], width: usize, count: usize, b: &mut [f64]) {
    for i in (0..count).rev() {
        b[i] /= l[i * width + i];
        let y = b[i];
        for k in 0..i {
            b[k] -= l[i * width + k] * y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LeastSquaresFactor;

    /// J Jᵀ of n rows of `rank` numbers.
    fn gram(n: usize, rank: usize) -> Vec<f64> {
        let entry =
            |i: usize, k: usize| ((i * 7 + k * 13) as f64 * 0.731).sin() + f64::from(i == k);
        let product = |i: usize, j: usize| (0..rank).map(|k| entry(i, k) * entry(j, k)).sum();
        (0..n * n).map(|k| product(k / n, k % n)).collect()
    }

    fn times(a: &[f64], x: &[f64]) -> Vec<f64> {
        a.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    #[test]
    fn solutions_are_those_of_the_matrix_or_of_least_squares() {
        for (n, rank) in [(1, 1), (5, 5), (6, 4), (9, 2), (7, 6)] {
            let a = gram(n, rank);
            let (mut factor, mut x) = (LeastSquaresFactor::default(), vec![0.0; n]);
            factor.factor(&a, n);
            assert_eq!(factor.redundant(), n - rank, "{n}, {rank}");
            let b: Vec<f64> = (0..n).map(|k| (k as f64 * 1.3).cos()).collect();
            factor.solve(&b, &mut x);
            // The residual of scaled rows is in the null space: A D² (A x - b) = 0 of every row.
            let residual: Vec<f64> = times(&a, &x).iter().zip(&b).map(|(y, b)| y - b).collect();
            let scaled: Vec<f64> =
                residual.iter().enumerate().map(|(k, r)| r / a[k * n + k]).collect();
            let left = times(&a, &scaled);
            assert!(left.iter().all(|l| l.abs() < 1e-8), "{n}, {rank}: {left:?}");
        }
    }

    #[test]
    fn a_row_without_response_has_no_part_in_it() {
        let (mut factor, mut x) = (LeastSquaresFactor::default(), [9.0; 2]);
        factor.factor(&[0.0, 0.0, 0.0, 4.0], 2);
        factor.solve(&[1.0, 2.0], &mut x);
        assert_eq!(x, [0.0, 0.5]);
    }
}
