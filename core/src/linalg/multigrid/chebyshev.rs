//! Chebyshev smoothing of D^-1 A, D its diagonal blocks (Adams2003): a polynomial that is small over
//! the upper part of the spectrum, made of products alone and symmetric as a preconditioner.

use super::lanes;
use super::level::Level;

/// Degree of the polynomial, in products of one smoothing. On a femur of 253,000 tetrahedra 3 takes
/// 23 iterations a step where 2 takes 28, in the same time; on beams 2 is some 10 % faster.
const DEGREE: usize = 2;

/// The upper end of the spectrum over the lower end of what is smoothed: 5 and 6 take 24 iterations
/// a step where 10 takes 26 and 15 takes 28 (beam of 52,728 tetrahedra).
const RANGE: f64 = 5.0;

/// Ritz values come from below; after [`LANCZOS_STEPS`] they are within a few percent. The
/// polynomial leaves [-1, 1] a fifth above the bound.
const SAFETY: f64 = 1.05;

/// Steps of the estimate of the largest eigenvalue.
const LANCZOS_STEPS: usize = 8;

/// Coefficients of the three-term recurrence (Saad2003, algorithm 12.1).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chebyshev {
    first: f32,
    steps: [(f32, f32); DEGREE - 1],
}

impl Chebyshev {
    /// For eigenvalues up to about `largest`.
    pub(super) fn new(largest: f64) -> Self {
        let upper = SAFETY * largest;
        let lower = upper / RANGE;
        let (middle, half) = (0.5 * (upper + lower), 0.5 * (upper - lower));
        let sigma = middle / half;
        let mut rho = 1.0 / sigma;
        let steps = std::array::from_fn(|_| {
            let next = 1.0 / (2.0 * sigma - rho);
            let step = ((next * rho) as f32, (2.0 * next / half) as f32);
            rho = next;
            step
        });
        Self { first: (1.0 / middle) as f32, steps }
    }

    /// From x = 0: smooths A x = r and leaves the residual in `r`.
    pub(super) fn smooth_from_zero(&self, level: &mut Level) {
        level.start(self.first);
        self.steps.iter().for_each(|&(c_old, c_new)| level.sweep(c_old, c_new));
        level.update_residual();
    }

    /// After `d` was added to `x` and not yet taken off `r`: smooths, and leaves no valid residual.
    pub(super) fn smooth_after_change(&self, level: &mut Level) {
        level.sweep(0.0, self.first);
        self.steps.iter().for_each(|&(c_old, c_new)| level.sweep(c_old, c_new));
    }
}

/// The largest eigenvalue of D^-1 A from below: the largest Ritz value of some steps of conjugate
/// gradients from a fixed right side. Uses the vectors of `level`. (Saad2003, section 6.7.)
pub(super) fn largest_eigenvalue(level: &mut Level) -> f64 {
    fill_with_noise(level);
    level.start(1.0);
    let mut rz = level.residual_times_change();
    let (mut diagonal, mut off) = ([0.0; LANCZOS_STEPS], [0.0; LANCZOS_STEPS]);
    let (mut size, mut carried) = (0, 0.0);
    while size < LANCZOS_STEPS && rz > 0.0 {
        let Some((alpha, rz_next)) = level.conjugate_step(rz) else { break };
        let beta = rz_next / rz;
        diagonal[size] = 1.0 / alpha + carried;
        off[size] = beta.max(0.0).sqrt() / alpha;
        carried = beta / alpha;
        rz = rz_next;
        size += 1;
    }
    if size == 0 { 1.0 } else { largest_of_tridiagonal(&diagonal[..size], &off[..size - 1]) }
}

/// Scalars in (-1, 1) from the golden-ratio sequence: fixed, without symmetry, and not smooth.
fn fill_with_noise(level: &mut Level) {
    for (row, r) in level.r.iter_mut().enumerate() {
        *r = lanes::new(std::array::from_fn(|axis| {
            let k = (3 * row + axis + 1) as u64;
            let hash = k.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (hash >> 40) as f32 / (1u32 << 23) as f32 - 1.0
        }));
    }
}

/// Largest eigenvalue of a symmetric tridiagonal matrix, by bisection on the signs of the pivots.
fn largest_of_tridiagonal(diagonal: &[f64], off: &[f64]) -> f64 {
    let n = diagonal.len();
    let radius = |k: usize| {
        let left = k.checked_sub(1).map_or(0.0, |l| off[l].abs());
        left + off.get(k).map_or(0.0, |right| right.abs())
    };
    let mut high = (0..n).map(|k| diagonal[k] + radius(k)).fold(f64::MIN, f64::max);
    let mut low = diagonal.iter().copied().fold(f64::MIN, f64::max);
    let is_above_all = |x: f64| {
        let mut pivot = x - diagonal[0];
        let mut positive = pivot > 0.0;
        for k in 1..n {
            if !positive {
                break;
            }
            pivot = x - diagonal[k] - off[k - 1] * off[k - 1] / pivot;
            positive = pivot > 0.0;
        }
        positive
    };
    // To 1 / 2^12 of the interval; the safety factor is far larger.
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if is_above_all(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_eigenvalue_of_the_second_difference_is_known() {
        let largest = largest_of_tridiagonal(&[2.0; 9], &[-1.0; 8]);
        let exact = 2.0 + 2.0 * (std::f64::consts::PI / 10.0).cos();
        assert!((largest - exact).abs() < 1e-3, "{largest} for {exact}");
    }

    #[test]
    fn the_polynomial_is_small_where_it_smooths_and_one_at_zero() {
        let chebyshev = Chebyshev::new(2.0);
        // The error of the scalar equation lambda x = lambda.
        let error = |lambda: f64| {
            let mut r = lambda;
            let mut d = f64::from(chebyshev.first) * r;
            let mut x = d;
            for (c_old, c_new) in chebyshev.steps {
                r -= lambda * d;
                d = f64::from(c_old) * d + f64::from(c_new) * r;
                x += d;
            }
            1.0 - x
        };
        assert!((error(1e-9) - 1.0).abs() < 1e-7);
        // The coefficients are rounded to single precision.
        let upper = SAFETY * 2.0;
        let sigma: f64 = (RANGE + 1.0) / (RANGE - 1.0);
        let bound = 1.0 / (2.0 * sigma * sigma - 1.0);
        for k in 0..=100 {
            let lambda = upper / RANGE + (upper - upper / RANGE) * f64::from(k) / 100.0;
            assert!(error(lambda).abs() <= bound * (1.0 + 1e-6), "at {lambda}");
        }
    }
}
