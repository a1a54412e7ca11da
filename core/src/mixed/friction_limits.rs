//! Least and largest impulses of the rows in an iteration: those of friction follow the impulses along the normals.

use crate::lcp::Bound;
use crate::mixed::{AndersonMixing, MixedProblem, UnilateralRows};

/// Limits of the rows in an iteration.
#[derive(Default)]
pub(super) struct FrictionLimits {
    /// Least and largest impulses of the rows.
    pub(super) limits: Vec<[f64; 2]>,
    /// Changes of the limits of friction, mixed over the iterations, and their weights.
    changes: Vec<f64>,
    weights: Vec<f64>,
    pub(super) mixing: AndersonMixing,
}

impl FrictionLimits {
    /// Other rows come.
    pub(super) fn forget(&mut self) {
        self.limits.clear();
    }

    /// Limits of the rows as they are at the begin of an iteration: those of friction stay from the iteration before.
    pub(super) fn begin(&mut self, problem: &MixedProblem, z: &[f64]) {
        if self.limits.len() != z.len() {
            self.limits.clear();
            self.limits.extend((0..z.len()).map(|row| problem.unilateral.limits(row, z)));
        }
        self.mixing.begin();
    }

    /// Limits of friction follow the impulses `z` along the normals. Whether they are already there, but for
    /// `slack` [N s].
    pub(super) fn follow(&mut self, rows: &UnilateralRows, z: &[f64], slack: f64) -> bool {
        self.changes.clear();
        for (row, [_, upper]) in self.limits.iter().enumerate() {
            if let Bound::Friction { .. } = rows.bounds[row] {
                self.changes.push(rows.limits(row, z)[1] - upper);
            }
        }
        if self.changes.iter().all(|change| change.abs() <= slack) {
            return true;
        }
        self.weights.clear();
        self.weights.resize(self.changes.len(), 1.0);
        self.mixing.mix(&mut self.changes, &self.weights);
        let mut changes = self.changes.iter();
        for (limits, bound) in self.limits.iter_mut().zip(rows.bounds) {
            if let Bound::Friction { .. } = bound {
                let most = (limits[1] + changes.next().expect("one a row of friction")).max(0.0);
                *limits = [-most, most];
            }
        }
        false
    }
}
