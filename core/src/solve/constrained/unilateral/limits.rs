//! Least and largest impulses of the rows in an iteration: those of friction follow the impulses along the normals.

use crate::lcp::Bound;
use crate::solve::constrained::tuning::SLACK;
use crate::solve::constrained::unilateral::StepRows;
use crate::solve::constrained::unilateral::fixed_point::FixedPoint;

/// Limits of friction in an iteration.
#[derive(Default)]
pub(super) struct FrictionLimits {
    /// Least and largest impulses of the rows.
    pub(super) limits: Vec<[f64; 2]>,
    /// Changes of the limits of friction, mixed over the iterations.
    changes: Vec<f64>,
    pub(super) mixing: FixedPoint,
}

impl FrictionLimits {
    /// Limits of the rows as they are at the begin of an iteration: those of friction stay from the iteration before.
    pub(super) fn begin(&mut self, rows: &mut StepRows) {
        rows.status.iteration += 1;
        if self.limits.len() != rows.set.count() {
            self.limits.clear();
            self.limits.extend((0..rows.set.count()).map(|row| rows.set.limits(row)));
        }
        self.mixing.begin();
    }

    /// Limits of friction follow the impulses along the normals. Whether they are already there.
    pub(super) fn follow(&mut self, rows: &StepRows) -> bool {
        let largest = rows.set.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        self.changes.clear();
        for (row, [_, upper]) in self.limits.iter().enumerate() {
            if let Bound::Friction { .. } = rows.set.bounds[row] {
                self.changes.push(rows.set.limits(row)[1] - upper);
            }
        }
        if self.changes.iter().all(|change| change.abs() <= SLACK * largest) {
            return true;
        }
        self.mixing.mix(&mut self.changes);
        let mut changes = self.changes.iter();
        for (limits, bound) in self.limits.iter_mut().zip(&rows.set.bounds) {
            if let Bound::Friction { .. } = bound {
                let most = (limits[1] + changes.next().expect("one a row of friction")).max(0.0);
                *limits = [-most, most];
            }
        }
        false
    }
}
