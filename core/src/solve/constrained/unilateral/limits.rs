//! Least and largest impulses of the rows in a round: those of friction follow the impulses along the normals.

use super::Unilateral;
use super::sparse::{SLACK, Sparse};
use crate::lcp::Bound;

impl Sparse {
    /// Limits of the rows as they are at the begin of a round: those of friction stay from the round before.
    pub(super) fn begin_limits(&mut self, rows: &mut Unilateral) {
        rows.iteration += 1;
        if self.limits.len() != rows.count() {
            self.limits.clear();
            self.limits.extend((0..rows.count()).map(|row| rows.limits(row)));
        }
        self.mixing.begin();
    }

    /// Limits of friction follow the impulses along the normals. Whether they are already there.
    pub(super) fn follow_limits(&mut self, rows: &Unilateral) -> bool {
        let largest = rows.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        self.changes.clear();
        for (row, [_, upper]) in self.limits.iter().enumerate() {
            if let Bound::Friction { .. } = rows.bounds[row] {
                self.changes.push(rows.limits(row)[1] - upper);
            }
        }
        if self.changes.iter().all(|change| change.abs() <= SLACK * largest) {
            return true;
        }
        self.mixing.mix(&mut self.changes);
        let mut changes = self.changes.iter();
        for (limits, bound) in self.limits.iter_mut().zip(&rows.bounds) {
            if let Bound::Friction { .. } = bound {
                let most = (limits[1] + changes.next().expect("one a row of friction")).max(0.0);
                *limits = [-most, most];
            }
        }
        false
    }
}

impl Unilateral {
    /// Least and largest impulse of a row.
    pub(super) fn limits(&self, row: usize) -> [f64; 2] {
        match self.bounds[row] {
            Bound::Unilateral => [0.0, f64::INFINITY],
            Bound::Bilateral => [f64::NEG_INFINITY, f64::INFINITY],
            Bound::Range { lower, upper } => [lower, upper],
            Bound::Friction { normal, coefficient, .. } => {
                let most = coefficient * self.impulses[normal].max(0.0);
                [-most, most]
            }
        }
    }
}
