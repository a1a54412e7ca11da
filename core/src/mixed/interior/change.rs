//! The change of an iterate of the interior point method: its right side, the stiffness of the limits, how slip comes
//! in, and the multipliers.

use crate::mixed::interior::barrier::{Barrier, Side};

impl Barrier {
    /// Diagonal stiffness of the limits, and the shares that make it so.
    pub(super) fn set_stiffness(
        &mut self,
        diagonal: &mut [f64],
        compliance: impl Fn(usize) -> f64,
    ) {
        for row in 0..self.z.len() {
            if !self.is_free(row) {
                diagonal[row] = 1.0;
                continue;
            }
            let [below, above] = self.rooms(row);
            let (below, above) = (self.below[row] / below, self.above[row] / above);
            diagonal[row] = compliance(row) + below + above;
            if let Side::Cone { normal, coefficient } = self.sides[row] {
                self.share[row] = coefficient * (below - above) / diagonal[row];
                // The difference of the normal's own part and that of the share, without cancellation.
                let rest = 4.0 * below * above + compliance(row) * (below + above);
                diagonal[normal] += coefficient * coefficient * rest / diagonal[row];
            }
        }
    }

    /// The predictor aims at products of zero, and knows none of the second order.
    pub(super) fn aim_at_limits(&mut self) {
        for second in [&mut self.changes.second_below, &mut self.changes.second_above] {
            second.clear();
            second.resize(self.z.len(), 0.0);
        }
        self.set_right(0.0);
    }

    /// The corrector aims at products of `centre`, with what the predictor left at second order.
    pub(super) fn aim_at_centre(&mut self, centre: f64) {
        for row in 0..self.z.len() {
            let [below, above] = self.room_changes(row);
            self.changes.second_below[row] = below * self.changes.below[row];
            self.changes.second_above[row] = above * self.changes.above[row];
        }
        self.set_right(centre);
    }

    fn set_right(&mut self, centre: f64) {
        for row in 0..self.z.len() {
            self.right[row] =
                if self.is_free(row) { -self.slope[row] - self.shift[row] } else { 0.0 };
        }
        for row in 0..self.z.len() {
            if !self.is_free(row) {
                continue;
            }
            let [below, above] = self.rooms(row);
            let part = |room: f64, second: f64| match room.is_finite() {
                true => (centre - second) / room,
                false => 0.0,
            };
            let below = part(below, self.changes.second_below[row]);
            let above = part(above, self.changes.second_above[row]);
            self.right[row] += below - above;
            if let Side::Cone { normal, coefficient } = self.sides[row] {
                self.right[normal] += coefficient * (below + above);
            }
        }
    }

    /// Right sides of the rows into those of the diagonal system, in place.
    pub(super) fn make_diagonal(&self, right: &mut [f64]) {
        for (row, side) in self.sides.iter().enumerate() {
            if let Side::Cone { normal, .. } = *side {
                right[normal] -= self.share[row] * right[row];
            }
        }
    }

    /// A solution of the diagonal system into impulses, in place.
    pub(super) fn undo_diagonal(&self, change: &mut [f64]) {
        for (row, side) in self.sides.iter().enumerate() {
            if let Side::Cone { normal, .. } = *side {
                change[row] -= self.share[row] * change[normal];
            }
        }
    }

    /// Takes off `residual` what velocities that change by `speed` change of the slip.
    pub(super) fn take_slip(&self, speed: &[f64], residual: &mut [f64]) {
        for (row, side) in self.sides.iter().enumerate() {
            if let Side::Cone { normal, coefficient } = *side {
                let change = (self.slope[row] + speed[row]).abs() - self.slope[row].abs();
                residual[normal] -= coefficient * change;
            }
        }
    }

    /// Adds to `sum` how the slip near velocities changed by `speed` changes with a further `change` of them.
    pub(super) fn add_slip(&self, speed: &[f64], change: &[f64], sum: &mut [f64]) {
        for (row, side) in self.sides.iter().enumerate() {
            if let Side::Cone { normal, coefficient } = *side {
                sum[normal] += coefficient * (self.slope[row] + speed[row]).signum() * change[row];
            }
        }
    }

    /// Changes of the multipliers with those of the impulses, which change the velocities of the rows by `speed`.
    /// That of a stiff limit, a small difference of large numbers, follows from the balance of its row.
    pub(super) fn set_changes(&mut self, centre: f64, speed: &[f64], follows: bool) {
        self.changes.below.clear();
        self.changes.above.clear();
        self.duals.fill(0.0);
        if !follows {
            self.duals.iter_mut().zip(&self.shift).for_each(|(dual, shift)| *dual -= shift);
        }
        for row in 0..self.z.len() {
            let (rooms, changes) = (self.rooms(row), self.room_changes(row));
            let change = |side: usize, multiplier: f64, second: f64| {
                if !self.is_free(row) || !rooms[side].is_finite() {
                    return 0.0;
                }
                (centre - second - multiplier * changes[side]) / rooms[side] - multiplier
            };
            let below = change(0, self.below[row], self.changes.second_below[row]);
            let above = change(1, self.above[row], self.changes.second_above[row]);
            self.changes.below.push(below);
            self.changes.above.push(above);
        }
        for row in 0..self.z.len() {
            if let Side::Cone { normal, coefficient } = self.sides[row] {
                self.balance_change(row, self.slope[row] + speed[row]);
                let change = self.changes.below[row] + self.changes.above[row];
                let most = coefficient * (self.below[row] + self.above[row] + change);
                let slip = if follows { (self.slope[row] + speed[row]).abs() } else { 0.0 };
                self.duals[normal] += most - coefficient * slip;
            }
        }
        for row in 0..self.z.len() {
            if matches!(self.sides[row], Side::Fixed(_)) && self.is_free(row) {
                self.balance_change(row, self.slope[row] + speed[row] - self.duals[row]);
            }
        }
    }

    /// The change of the multiplier of a stiff limit of a row whose multipliers are to differ by `target`.
    fn balance_change(&mut self, row: usize, target: f64) {
        let [below, above] = self.rooms(row);
        let stiffness = [self.below[row] / below, self.above[row] / above];
        if stiffness[0].max(stiffness[1]) * self.own[row] < 1.0 {
            return;
        }
        let difference = target - (self.below[row] - self.above[row]);
        match stiffness[0] > stiffness[1] {
            true => self.changes.below[row] = difference + self.changes.above[row],
            false => self.changes.above[row] = self.changes.below[row] - difference,
        }
    }
}
