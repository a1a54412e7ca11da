//! Least and largest impulses of the rows in a round: those of friction follow the impulses along the normals.

use super::StepRows;
use super::sparse::Sparse;
use crate::lcp::Bound;
use crate::solve::constrained::tuning::SLACK;

impl Sparse {
    /// Limits of the rows as they are at the begin of a round: those of friction stay from the round before.
    pub(super) fn begin_limits(&mut self, rows: &mut StepRows) {
        rows.status.iteration += 1;
        if self.friction.limits.len() != rows.set.count() {
            self.friction.limits.clear();
            self.friction.limits.extend((0..rows.set.count()).map(|row| rows.set.limits(row)));
        }
        self.friction.mixing.begin();
    }

    /// Limits of friction follow the impulses along the normals. Whether they are already there.
    pub(super) fn follow_limits(&mut self, rows: &StepRows) -> bool {
        let largest = rows.set.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        self.friction.changes.clear();
        for (row, [_, upper]) in self.friction.limits.iter().enumerate() {
            if let Bound::Friction { .. } = rows.set.bounds[row] {
                self.friction.changes.push(rows.set.limits(row)[1] - upper);
            }
        }
        if self.friction.changes.iter().all(|change| change.abs() <= SLACK * largest) {
            return true;
        }
        self.friction.mixing.mix(&mut self.friction.changes);
        let mut changes = self.friction.changes.iter();
        for (limits, bound) in self.friction.limits.iter_mut().zip(&rows.set.bounds) {
            if let Bound::Friction { .. } = bound {
                let most = (limits[1] + changes.next().expect("one a row of friction")).max(0.0);
                *limits = [-most, most];
            }
        }
        false
    }
}
