//! Anderson mixing of a fixed-point iteration (Anderson1965, WalkerNi2011): the few directions in which iterations are
//! slow, or lead away, are learned from differences of iterations.

use nalgebra::{SMatrix, SVector};

/// Differences that are kept.
const DEPTH: usize = 6;

/// The last iterations of one fixed point: changes that were asked for and steps that were taken.
#[derive(Debug, Default)]
pub(crate) struct AndersonMixing {
    /// `length` scalars each; iteration k stands at place k modulo the number of places.
    changes: Vec<f64>,
    steps: Vec<f64>,
    length: usize,
    count: usize,
}

impl AndersonMixing {
    /// Forgets what it learned: another fixed point begins. The memory stays.
    pub(crate) fn begin(&mut self) {
        self.count = 0;
    }

    /// True if it has iterations of so many scalars.
    pub(crate) fn is_of(&self, length: usize) -> bool {
        self.count > 0 && self.length == length
    }

    /// Turns the change asked for in this iteration into the step to take: its combination with iterations before that
    /// would have the least next change, in the norm of the squares times `weights`. Scalars beyond these count nothing
    /// and are combined like the others.
    ///
    /// # Panics
    /// When the length is another than before without [`Self::begin`].
    pub(crate) fn mix(&mut self, step: &mut [f64], weights: &[f64]) {
        if self.count == 0 {
            self.length = step.len();
            self.changes.resize(self.length * (DEPTH + 1), 0.0);
            self.steps.resize(self.length * (DEPTH + 1), 0.0);
        }
        assert_eq!(self.length, step.len(), "scalars that are mixed");
        let (place, used) = (self.count % (DEPTH + 1), self.count.min(DEPTH));
        self.changes[place * self.length..][..self.length].copy_from_slice(step);
        let shares = self.shares(step, weights, used);
        if let Some(shares) = shares.filter(|_| used > 0) {
            for back in 0..used {
                let taken = self.iteration(back + 1);
                for (i, step) in step.iter_mut().enumerate() {
                    *step -= (self.difference(back, i) + self.steps[taken + i]) * shares[back];
                }
            }
        }
        self.steps[place * self.length..][..self.length].copy_from_slice(step);
        self.count += 1;
    }

    /// Shares of the differences in the least next change.
    fn shares(&self, step: &[f64], weights: &[f64], used: usize) -> Option<SVector<f64, DEPTH>> {
        // Without a difference a row of the identity, which makes a share of zero.
        let mut gram = SMatrix::<f64, DEPTH, DEPTH>::identity();
        let mut right = SVector::<f64, DEPTH>::zeros();
        let counted = weights.iter().enumerate();
        for a in 0..used {
            for b in 0..=a {
                let product =
                    |(i, w): (usize, &f64)| w * self.difference(a, i) * self.difference(b, i);
                let sum: f64 = counted.clone().map(product).sum();
                gram[(a, b)] = if a == b { sum * (1.0 + 1e-12) + f64::MIN_POSITIVE } else { sum };
                gram[(b, a)] = gram[(a, b)];
            }
            right[a] = counted.clone().map(|(i, w)| w * self.difference(a, i) * step[i]).sum();
        }
        gram.lu().solve(&right).filter(|shares| shares.iter().all(|share| share.is_finite()))
    }

    /// Index of the first number of the iteration `back` before this one.
    fn iteration(&self, back: usize) -> usize {
        (self.count - back) % (DEPTH + 1) * self.length
    }

    /// Scalar `i` of the difference of the iteration `back` before this one from the one before it.
    fn difference(&self, back: usize, i: usize) -> f64 {
        self.changes[self.iteration(back) + i] - self.changes[self.iteration(back + 1) + i]
    }
}

#[cfg(test)]
mod tests {
    use super::AndersonMixing;

    /// x -> A x + b with |A| > 1, which iterations alone would leave: three unknowns are settled in five iterations,
    /// and a fourth that counts nothing comes along.
    #[test]
    fn an_affine_map_settles_though_it_does_not_contract() {
        let map = |x: [f64; 4]| {
            let first = 0.2 * x[0] - 1.5 * x[1] + 1.0;
            let second = 0.9 * x[0] + 0.1 * x[2] - 2.0;
            [first, second, 1.2 * x[1] - 0.5, 2.0 * x[0] - x[1]]
        };
        let (mut x, mut mixing) = ([0.0; 4], AndersonMixing::default());
        mixing.begin();
        for _ in 0..6 {
            let next = map(x);
            let mut step: [f64; 4] = std::array::from_fn(|i| next[i] - x[i]);
            mixing.mix(&mut step, &[1.0, 2.0, 0.5]);
            (0..4).for_each(|i| x[i] += step[i]);
        }
        let next = map(x);
        assert!((0..4).all(|i| (next[i] - x[i]).abs() < 1e-6), "{x:?} {next:?}");
    }
}
