//! The iterate of the interior point method for rows: impulses, their room to each limit, and multipliers of the
//! limits. What it asks of the rows' velocities is elsewhere.

use crate::mixed::friction_limits;
use crate::mixed::tuning::{INSIDE, STEP_SHARE};

/// Bounds of an impulse.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    /// Least and largest.
    Fixed([f64; 2]),
    /// At most `coefficient` times that of a normal, which is an earlier row.
    Cone { normal: usize, coefficient: f64 },
}

/// Impulses z, their slope (velocities above their targets), the velocity along normals that slip asks for, and the
/// multipliers of the lower and upper limits.
#[derive(Default)]
pub(super) struct Barrier {
    pub(super) sides: Vec<Side>,
    pub(super) z: Vec<f64>,
    /// Responses of the rows to their own impulses.
    pub(super) own: Vec<f64>,
    /// Impulses and multipliers to go on from.
    pub(super) kept: [Vec<f64>; 3],
    /// Mean product and balance at the start.
    pub(super) starts: [f64; 2],
    pub(super) slope: Vec<f64>,
    pub(super) shift: Vec<f64>,
    pub(super) below: Vec<f64>,
    pub(super) above: Vec<f64>,
    /// Of each row of friction, what is taken of it off its normal so that the stiffness is diagonal.
    pub(super) share: Vec<f64>,
    /// Right side of the change.
    pub(super) right: Vec<f64>,
    pub(super) changes: BarrierChanges,
    /// Forces of the multipliers on the rows.
    pub(super) duals: Vec<f64>,
}

/// Changes of impulses and multipliers in an iteration.
#[derive(Default)]
pub(super) struct BarrierChanges {
    pub(super) z: Vec<f64>,
    pub(super) below: Vec<f64>,
    pub(super) above: Vec<f64>,
    /// Products of both in the predictor.
    pub(super) second_below: Vec<f64>,
    pub(super) second_above: Vec<f64>,
}

impl Barrier {
    /// Goes on with the rows of the last problem from where it was `kept`.
    pub(super) fn resume(&mut self) {
        let [z, below, above] = &self.kept;
        self.z.copy_from_slice(z);
        self.below.copy_from_slice(below);
        self.above.copy_from_slice(above);
    }

    /// Keeps the iterate for the next problem of these rows.
    pub(super) fn keep(&mut self) {
        let Self { kept: [z, below, above], .. } = self;
        z.clone_from(&self.z);
        below.clone_from(&self.below);
        above.clone_from(&self.above);
    }

    /// Takes the rows with impulses `z` to go on from.
    pub(super) fn begin(&mut self, (z, own): (&[f64], &[f64]), sides: impl Iterator<Item = Side>) {
        self.z.clear();
        self.z.extend_from_slice(z);
        self.own.clear();
        self.own.extend_from_slice(own);
        self.sides.clear();
        self.sides.extend(sides);
        let lists = [&mut self.shift, &mut self.below, &mut self.above, &mut self.share];
        for list in lists.into_iter().chain([&mut self.changes.z, &mut self.duals, &mut self.right])
        {
            list.clear();
            list.resize(z.len(), 0.0);
        }
        self.clamp();
    }

    /// Impulses within their limits.
    pub(super) fn clamp(&mut self) {
        for row in 0..self.z.len() {
            let [lower, upper] = match self.sides[row] {
                Side::Fixed(limits) => limits,
                Side::Cone { normal, coefficient } => friction_limits(coefficient, self.z[normal]),
            };
            self.z[row] = self.z[row].clamp(lower, upper);
        }
    }

    /// True if a row has room between its limits.
    pub(super) fn is_free(&self, row: usize) -> bool {
        !matches!(self.sides[row], Side::Fixed([lower, upper]) if lower >= upper)
    }

    /// Room of an impulse to its lower and to its upper limit.
    pub(super) fn rooms(&self, row: usize) -> [f64; 2] {
        match self.sides[row] {
            Side::Fixed([lower, upper]) => [self.z[row] - lower, upper - self.z[row]],
            Side::Cone { normal, coefficient } => {
                let most = coefficient * self.z[normal];
                [most + self.z[row], most - self.z[row]]
            }
        }
    }

    /// Changes of the rooms.
    pub(super) fn room_changes(&self, row: usize) -> [f64; 2] {
        match self.sides[row] {
            Side::Fixed(_) => [self.changes.z[row], -self.changes.z[row]],
            Side::Cone { normal, coefficient } => {
                let most = coefficient * self.changes.z[normal];
                [most + self.changes.z[row], most - self.changes.z[row]]
            }
        }
    }

    /// Largest impulse, or what the fastest row asks for by its response to itself.
    pub(super) fn scale(&self) -> f64 {
        let asked = self.z.iter().zip(self.slope.iter().zip(&self.own));
        asked.fold(f64::MIN_POSITIVE, |most, (z, (g, own))| most.max(z.abs()).max(g.abs() / own))
    }

    /// Moves impulses away from their limits.
    pub(super) fn step_inside(&mut self, scale: f64) {
        for row in 0..self.z.len() {
            let z = self.z[row];
            self.z[row] = match self.sides[row] {
                Side::Cone { .. } => 0.0,
                Side::Fixed([lower, upper]) => match (lower.is_finite(), upper.is_finite()) {
                    (true, true) => 0.5 * (lower + upper),
                    (true, false) => z.max(lower + INSIDE * scale),
                    (false, true) => z.min(upper - INSIDE * scale),
                    (false, false) => z,
                },
            };
        }
    }

    /// Multipliers that make all products equal.
    pub(super) fn start_multipliers(&mut self, scale: f64) {
        let fastest = self.slope.iter().fold(f64::MIN_POSITIVE, |most: f64, g| most.max(g.abs()));
        let product = INSIDE * INSIDE * fastest * scale;
        let multiplier =
            |room: f64| if room.is_finite() && room > 0.0 { product / room } else { 0.0 };
        for row in 0..self.z.len() {
            let [below, above] = self.rooms(row);
            (self.below[row], self.above[row]) = match self.is_free(row) {
                true => (multiplier(below), multiplier(above)),
                false => (0.0, 0.0),
            };
        }
    }

    /// Normals are to part by the coefficient of friction times the slip, so that the law of least work on the cone is
    /// that of Coulomb.
    pub(super) fn follow_slip(&mut self) {
        self.shift.fill(0.0);
        for (row, side) in self.sides.iter().enumerate() {
            if let Side::Cone { normal, coefficient } = *side {
                self.shift[normal] += coefficient * self.slope[row].abs();
            }
        }
    }

    /// Largest share of the change, up to 1, that keeps impulses inside and multipliers positive.
    pub(super) fn length(&self) -> f64 {
        let mut length: f64 = 1.0;
        let mut keep = |room: f64, change: f64| {
            if change < 0.0 && room.is_finite() {
                length = length.min(-STEP_SHARE * room / change);
            }
        };
        for row in (0..self.z.len()).filter(|&row| self.is_free(row)) {
            let (rooms, changes) = (self.rooms(row), self.room_changes(row));
            (0..2).for_each(|side| keep(rooms[side], changes[side]));
            keep(self.below[row], self.changes.below[row]);
            keep(self.above[row], self.changes.above[row]);
        }
        length
    }

    pub(super) fn advance(&mut self, length: f64) {
        let changes = [&self.changes.z, &self.changes.below, &self.changes.above];
        for (values, changes) in
            [&mut self.z, &mut self.below, &mut self.above].into_iter().zip(changes)
        {
            values.iter_mut().zip(changes).for_each(|(value, change)| *value += length * change);
        }
    }

    /// Mean product of distances from limits and their multipliers, after `length` of the change.
    pub(super) fn gap(&self, length: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0f64);
        for row in (0..self.z.len()).filter(|&row| self.is_free(row)) {
            let rooms = self.rooms(row);
            let mut multipliers = [self.below[row], self.above[row]];
            let mut changes = [0.0; 2];
            if length > 0.0 {
                changes = self.room_changes(row);
                multipliers[0] += length * self.changes.below[row];
                multipliers[1] += length * self.changes.above[row];
            }
            for side in (0..2).filter(|&side| rooms[side].is_finite()) {
                sum += multipliers[side] * (rooms[side] + length * changes[side]);
                count += 1.0;
            }
        }
        sum / count.max(1.0)
    }

    /// Takes products and balance as those at the start.
    pub(super) fn measure_start(&mut self) {
        let start = [self.gap(0.0), self.unbalanced()];
        self.starts = start.map(|start| start.max(f64::MIN_POSITIVE));
    }

    /// Mean product and balance, as shares of those at the start.
    pub(super) fn errors(&mut self) -> [f64; 2] {
        [self.gap(0.0) / self.starts[0], self.unbalanced() / self.starts[1]]
    }

    /// Largest difference of a slope from its multipliers.
    pub(super) fn unbalanced(&mut self) -> f64 {
        self.duals.fill(0.0);
        let mut largest = 0f64;
        for row in 0..self.z.len() {
            self.duals[row] += self.below[row] - self.above[row];
            if let Side::Cone { normal, coefficient } = self.sides[row] {
                self.duals[normal] += coefficient * (self.below[row] + self.above[row]);
            }
        }
        for row in (0..self.z.len()).filter(|&row| self.is_free(row)) {
            // Multipliers of narrow limits are large, and their difference is rounded.
            let rounded = f64::EPSILON * 100.0 * (self.below[row] + self.above[row]);
            let left = (self.slope[row] + self.shift[row] - self.duals[row]).abs() - rounded;
            largest = largest.max(left);
        }
        largest
    }
}
