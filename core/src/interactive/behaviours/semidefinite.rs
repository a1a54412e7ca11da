//! The nearest positive semidefinite matrix to a small symmetric one, by Jacobi's rotations (GolubVanLoan2013,
//! section 8.5).

/// Sweeps that always suffice: convergence is quadratic from the third or so on.
const SWEEPS: usize = 30;

/// Largest matrix.
pub(super) const MOST: usize = 16;

/// Sets negative eigenvalues of `a` (n x n, row by row, n up to [`MOST`]) to zero. `v` is memory of the same size.
pub(super) fn project(a: &mut [f64], v: &mut [f64], n: usize) {
    v.fill(0.0);
    (0..n).for_each(|k| v[k * n + k] = 1.0);
    let size: f64 = a.iter().map(|entry| entry * entry).sum();
    for _ in 0..SWEEPS {
        let off: f64 = (0..n * n).filter(|k| k / n != k % n).map(|k| a[k] * a[k]).sum();
        if off <= 1e-28 * size {
            break;
        }
        for p in 0..n {
            (p + 1..n).for_each(|q| rotate(a, v, n, [p, q]));
        }
    }
    if (0..n).all(|k| a[k * n + k] >= 0.0) && v.iter().all(|entry| *entry == 0.0 || *entry == 1.0) {
        return;
    }
    // V diag(max(0, a)) Vᵀ.
    let mut kept = [0.0; MOST];
    (0..n).for_each(|k| kept[k] = a[k * n + k].max(0.0));
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = (0..n).map(|k| v[i * n + k] * kept[k] * v[j * n + k]).sum();
        }
    }
}

fn rotate(a: &mut [f64], v: &mut [f64], n: usize, [p, q]: [usize; 2]) {
    let off = a[p * n + q];
    if off == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (v[k * n + p], v[k * n + q]);
        v[k * n + p] = c * x - s * y;
        v[k * n + q] = s * x + c * y;
    }
}

#[cfg(test)]
mod tests {
    use super::project;

    #[test]
    fn negative_parts_are_taken_away_and_others_stay() {
        // Eigenvalues 3 and -1 along (1, 1) and (1, -1); the third number stands alone.
        let (mut a, mut v) = ([1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 5.0], [0.0; 9]);
        project(&mut a, &mut v, 3);
        let expected = [1.5, 1.5, 0.0, 1.5, 1.5, 0.0, 0.0, 0.0, 5.0];
        assert!(a.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{a:?}");
        let definite = [2.0, 1.0, 1.0, 2.0];
        let (mut a, mut v) = (definite, [0.0; 4]);
        project(&mut a, &mut v, 2);
        assert!(a.iter().zip(definite).all(|(a, b)| (a - b).abs() < 1e-14), "{a:?}");
    }
}
