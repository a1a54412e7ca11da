//! Anderson mixing of the corrections of a fixed-point iteration (Anderson1965, WalkerNi2011): the few
//! directions in which a kept factor is wrong are learned from the rounds.

use nalgebra::{SMatrix, SVector};

use crate::Vec3;

/// Rounds that are looked back.
const DEPTH: usize = 6;

/// A vector of velocities and multipliers.
#[derive(Clone, Debug, Default)]
struct Pair(Vec<Vec3>, Vec<f64>);

/// Corrections of the rounds since the factor was made, and the steps that were taken.
pub(super) struct Mixing {
    /// Where round k is kept: place k modulo the length.
    corrections: Vec<Pair>,
    steps: Vec<Pair>,
    count: usize,
}

impl Mixing {
    pub(super) fn new(rows: usize, multipliers: usize) -> Self {
        let pair = || Pair(vec![Vec3::zeros(); rows], vec![0.0; multipliers]);
        let pairs = || (0..=DEPTH).map(|_| pair()).collect::<Vec<_>>();
        Self { corrections: pairs(), steps: pairs(), count: 0 }
    }

    /// Begins anew, with another factor.
    pub(super) fn forget(&mut self) {
        self.count = 0;
    }

    /// Turns a correction into the step to take: its combination with rounds before that would have
    /// the smallest next correction, in the norm of `masses`.
    pub(super) fn mix(&mut self, (step, multipliers): (&mut [Vec3], &mut [f64]), masses: &[Vec3]) {
        let (place, used) = (self.count % (DEPTH + 1), self.count.min(DEPTH));
        self.corrections[place].0.copy_from_slice(step);
        self.corrections[place].1.copy_from_slice(multipliers);
        let round = |back: usize| (self.count - back) % (DEPTH + 1);
        let difference = |back: usize, row: usize| {
            self.corrections[round(back - 1)].0[row] - self.corrections[round(back)].0[row]
        };
        // Without a difference a row of the identity, which gives a share of zero.
        let mut gram = SMatrix::<f64, DEPTH, DEPTH>::identity();
        let mut right = SVector::<f64, DEPTH>::zeros();
        for i in 0..used {
            for j in 0..=i {
                let dot = |(row, mass): (usize, &Vec3)| {
                    difference(i + 1, row).component_mul(mass).dot(&difference(j + 1, row))
                };
                let sum: f64 = masses.iter().enumerate().map(dot).sum();
                gram[(i, j)] = if i == j { sum * (1.0 + 1e-12) } else { sum };
                gram[(j, i)] = gram[(i, j)];
            }
            let dot = |(row, mass): (usize, &Vec3)| {
                difference(i + 1, row).component_mul(mass).dot(&step[row])
            };
            right[i] = masses.iter().enumerate().map(dot).sum();
        }
        let shares = gram.lu().solve(&right).filter(|s| s.iter().all(|c| c.is_finite()));
        if let Some(shares) = shares.filter(|_| used > 0) {
            for i in 0..used {
                let (newer, older) = (round(i), round(i + 1));
                let [newer, older, taken] =
                    [&self.corrections[newer], &self.corrections[older], &self.steps[older]];
                for (row, step) in step.iter_mut().enumerate() {
                    *step -= (newer.0[row] - older.0[row] + taken.0[row]) * shares[i];
                }
                for (row, step) in multipliers.iter_mut().enumerate() {
                    *step -= (newer.1[row] - older.1[row] + taken.1[row]) * shares[i];
                }
            }
        }
        self.steps[place].0.copy_from_slice(step);
        self.steps[place].1.copy_from_slice(multipliers);
        self.count += 1;
    }
}
