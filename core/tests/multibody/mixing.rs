//! Anderson mixing of the corrections of a fixed-point iteration (Anderson1965, WalkerNi2011): the few
//! directions in which the kept factor is wrong are learned from the iterations.

/// Corrections of the iterations since the factor was made, and the steps that were taken.
#[derive(Default)]
pub(crate) struct Mixing {
    iterations: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Mixing {
    /// The step to take for `correction`: its combination with at most `depth` rounds before that
    /// would have the smallest next correction, in the norm with these `weights`.
    pub(crate) fn step(&mut self, correction: Vec<f64>, weights: &[f64], depth: usize) -> Vec<f64> {
        let count = self.iterations.len();
        let used = depth.min(count);
        let difference = |i: usize| -> Vec<f64> {
            let newer = self.iterations.get(i + 1).map_or(&correction, |r| &r.0);
            newer.iter().zip(&self.iterations[i].0).map(|(a, b)| a - b).collect()
        };
        let differences: Vec<Vec<f64>> = (count - used..count).map(difference).collect();
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).zip(weights).map(|((a, b), w)| a * b * w).sum()
        };
        let gram = nalgebra::DMatrix::from_fn(used, used, |i, j| {
            dot(&differences[i], &differences[j]) * if i == j { 1.0 + 1e-12 } else { 1.0 }
        });
        let right = nalgebra::DVector::from_fn(used, |i, _| dot(&differences[i], &correction));
        let mut step = correction.clone();
        // An empty system has no factors to ask.
        let shares = (used > 0).then(|| gram.lu().solve(&right)).flatten();
        let shares = shares.filter(|s| s.iter().all(|c| c.is_finite()));
        for (i, share) in shares.iter().flat_map(|s| s.iter().enumerate()) {
            let before = &self.iterations[count - used + i].1;
            for (c, (d, z)) in differences[i].iter().zip(before).enumerate() {
                step[c] -= share * (d + z);
            }
        }
        self.iterations.push((correction, step.clone()));
        step
    }
}
