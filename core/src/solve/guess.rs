//! Initial guess of an iterative solution of a step: the solution before it, moved along its latest
//! two changes as far as makes the error least in the norm of the matrix. (Fischer1998, with two
//! directions: linear and quadratic extrapolation in time are among the results.)

use crate::Vec3;
use crate::linalg::{BlockMatrix, clear_fixed, dot};

/// Part of g_00 g_11 that the determinant of the two directions must reach for both to count: below,
/// rounding decides where the second points.
const INDEPENDENT: f64 = 1e-8;

/// The latest solutions of systems of one pattern.
pub(super) struct Guess {
    last: Vec<Vec3>,
    /// The last solution minus the one before, and that minus the one before it.
    changes: [Vec<Vec3>; 2],
    /// Products of the matrix with the changes.
    products: [Vec<Vec3>; 2],
    residual: Vec<Vec3>,
    /// Solutions seen.
    known: usize,
}

impl Guess {
    /// For systems of `size` block rows.
    pub(super) fn new(size: usize) -> Self {
        let zeros = || vec![Vec3::zeros(); size];
        Self {
            last: zeros(),
            changes: [zeros(), zeros()],
            products: [zeros(), zeros()],
            residual: zeros(),
            known: 0,
        }
    }

    /// Forgets all solutions.
    pub(super) fn forget(&mut self) {
        self.known = 0;
    }

    /// Takes the solution of a system.
    pub(super) fn remember(&mut self, x: &[Vec3]) {
        self.changes.swap(0, 1);
        for ((change, last), x) in self.changes[0].iter_mut().zip(&mut self.last).zip(x) {
            *change = x - *last;
            *last = *x;
        }
        self.known += 1;
    }

    /// Moves the scalars of `x` that are not `fixed` along the latest changes to where the error of
    /// A x = b is least in the norm of A: with directions d_i the coefficients solve
    /// (d_i . A d_j) c_j = d_i . (b - A x). For a positive definite A never away from the solution.
    pub(super) fn improve(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &mut [Vec3],
    ) {
        let count = self.known.saturating_sub(1).min(2);
        if count == 0 {
            return;
        }
        let Self { changes: d, products, residual, .. } = self;
        matrix.mul(x, residual);
        residual.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
        for (d, product) in d.iter_mut().zip(products.iter_mut()).take(count) {
            clear_fixed(d, fixed);
            matrix.mul(d, product);
        }
        let right = [0, 1].map(|i| if i < count { dot(&d[i], residual) } else { 0.0 });
        let own = [0, 1].map(|i| if i < count { dot(&d[i], &products[i]) } else { 0.0 });
        let mixed = if count == 2 { dot(&d[0], &products[1]) } else { 0.0 };
        let [c0, c1] = coefficients(own, mixed, right);
        for ((x, d0), d1) in x.iter_mut().zip(&d[0]).zip(&d[1]) {
            *x += d0 * c0;
            if c1 != 0.0 {
                *x += d1 * c1;
            }
        }
    }
}

/// Solves [own_0, mixed; mixed, own_1] c = right; one direction alone where the second adds nothing,
/// none where the matrix is not positive along them.
fn coefficients(own: [f64; 2], mixed: f64, right: [f64; 2]) -> [f64; 2] {
    let determinant = own[0] * own[1] - mixed * mixed;
    let both = own[0] > 0.0 && own[1] > 0.0 && determinant > INDEPENDENT * own[0] * own[1];
    let found = match (both, own[0] > 0.0) {
        (true, _) => [
            (own[1] * right[0] - mixed * right[1]) / determinant,
            (own[0] * right[1] - mixed * right[0]) / determinant,
        ],
        (false, true) => [right[0] / own[0], 0.0],
        (false, false) => [0.0; 2],
    };
    if found.iter().all(|c| c.is_finite()) { found } else { [0.0; 2] }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::linalg::BlockPattern;

    /// Twice the second difference plus one, three scalars a row.
    fn chain(size: usize) -> BlockMatrix {
        let pattern = BlockPattern::from_cliques(size, |visit| {
            (1..size as u32).for_each(|i| visit(&[i - 1, i]));
        });
        let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
        let pattern = matrix.pattern().clone();
        for row in 0..size {
            for slot in pattern.row(row) {
                let value = if pattern.columns()[slot] as usize == row { 5.0 } else { -2.0 };
                (0..3).for_each(|a| matrix.values_mut()[9 * slot + 4 * a] = value);
            }
        }
        matrix
    }

    /// A motion that is quadratic in time, and is prescribed at one scalar.
    fn motion(size: usize, t: f64) -> Vec<Vec3> {
        let at = |i: usize| Vec3::new(1.0, i as f64, -0.5) * t + Vec3::new(0.3, 0.0, 1.0) * (t * t);
        (0..size).map(|i| at(i) + Vec3::repeat((i as f64).sin())).collect()
    }

    #[test]
    fn a_motion_that_is_quadratic_in_time_is_foreseen() {
        let (size, matrix) = (20, chain(20));
        let mut fixed = vec![[false; 3]; size];
        fixed[3][1] = true;
        let mut guess = Guess::new(size);
        (0..3).for_each(|k| guess.remember(&motion(size, f64::from(k))));
        let expected = motion(size, 3.0);
        let mut b = vec![Vec3::zeros(); size];
        matrix.mul(&expected, &mut b);
        let mut x = motion(size, 2.0);
        x[3][1] = expected[3][1];
        guess.improve((&matrix, &fixed), &b, &mut x);
        let error = |x: &[Vec3]| x.iter().zip(&expected).map(|(a, b)| (a - b).norm()).sum::<f64>();
        assert!(error(&x) < 1e-9, "{:.1e}", error(&x));
        assert_eq!(x[3][1], expected[3][1]);
        guess.forget();
        let mut again = motion(size, 2.0);
        guess.improve((&matrix, &fixed), &b, &mut again);
        assert_eq!(again, motion(size, 2.0), "what is forgotten moves nothing");
    }

    #[test]
    fn directions_that_are_alike_or_nothing_do_no_harm() {
        assert_eq!(coefficients([0.0; 2], 0.0, [0.0; 2]), [0.0; 2]);
        assert_eq!(coefficients([2.0, 2.0], 2.0, [4.0, 4.0]), [2.0, 0.0]);
        assert_eq!(coefficients([-1.0, 1.0], 0.0, [1.0, 1.0]), [0.0; 2]);
        assert_eq!(coefficients([2.0, 1.0], 0.0, [4.0, 3.0]), [2.0, 3.0]);
    }
}
