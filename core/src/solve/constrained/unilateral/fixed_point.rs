//! Anderson mixing (Anderson1965, WalkerNi2011) of a short vector whose next value is an affine function of
//! it: a few differences of iterations tell where it settles.

use nalgebra::{SMatrix, SVector};

/// Differences that are kept.
const DEPTH: usize = 5;

/// Iterations of one fixed point.
#[derive(Default)]
pub(super) struct FixedPoint {
    /// Changes asked for and steps taken, of the last iterations, `length` scalars each.
    changes: Vec<f64>,
    steps: Vec<f64>,
    count: usize,
}

impl FixedPoint {
    /// Begins anew.
    pub(super) fn begin(&mut self) {
        self.count = 0;
        self.changes.clear();
        self.steps.clear();
    }

    /// Turns the change asked for in this iteration into the step to take.
    pub(super) fn mix(&mut self, step: &mut [f64]) {
        let length = step.len();
        if self.count == 0 {
            self.changes.resize(length * (DEPTH + 1), 0.0);
            self.steps.resize(length * (DEPTH + 1), 0.0);
        }
        let (place, used) = (self.count % (DEPTH + 1), self.count.min(DEPTH));
        self.changes[place * length..][..length].copy_from_slice(step);
        // Iterations before this one, the last first.
        let begin = |back: usize| (self.count - back) % (DEPTH + 1) * length;
        let difference = |back: usize, i: usize| {
            self.changes[begin(back) + i] - self.changes[begin(back + 1) + i]
        };
        let mut gram = SMatrix::<f64, DEPTH, DEPTH>::identity();
        let mut right = SVector::<f64, DEPTH>::zeros();
        for a in 0..used {
            for b in 0..=a {
                let sum: f64 = (0..length).map(|i| difference(a, i) * difference(b, i)).sum();
                gram[(a, b)] = if a == b { sum * (1.0 + 1e-12) + f64::MIN_POSITIVE } else { sum };
                gram[(b, a)] = gram[(a, b)];
            }
            right[a] = (0..length).map(|i| difference(a, i) * step[i]).sum();
        }
        let shares = gram.lu().solve(&right).filter(|s| s.iter().all(|c| c.is_finite()));
        if let Some(shares) = shares.filter(|_| used > 0) {
            for a in 0..used {
                let taken = begin(a + 1);
                for (i, step) in step.iter_mut().enumerate() {
                    *step -= (difference(a, i) + self.steps[taken + i]) * shares[a];
                }
            }
        }
        self.steps[place * length..][..length].copy_from_slice(step);
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::FixedPoint;

    /// x -> A x + b with |A| > 1, which iterations alone would leave: three unknowns are settled in five iterations.
    #[test]
    fn an_affine_map_settles_though_it_does_not_contract() {
        let map = |x: [f64; 3]| {
            [0.2 * x[0] - 1.5 * x[1] + 1.0, 0.9 * x[0] + 0.1 * x[2] - 2.0, 1.2 * x[1] - 0.5]
        };
        let (mut x, mut point) = ([0.0; 3], FixedPoint::default());
        point.begin();
        for _ in 0..6 {
            let next = map(x);
            let mut step = [0, 1, 2].map(|i| next[i] - x[i]);
            point.mix(&mut step);
            (0..3).for_each(|i| x[i] += step[i]);
        }
        let next = map(x);
        assert!((0..3).all(|i| (next[i] - x[i]).abs() < 1e-6), "{x:?} {next:?}");
    }
}
