//! Many unilateral rows whose sets block pivoting does not find: a primal-dual interior point method (Mehrotra1992)
//! on the convex quadratic problem that fixed limits make. Redundant rows, which make pivoting wander, do not matter
//! to it.

use super::Unilateral;
use super::sparse::{REGULARIZATION, Sparse};
use crate::Vec3;
use crate::lcp::Place;
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::KktSystem;
use crate::solve::constrained::Constrained;
use crate::solve::solver::Failure;

/// Iterations at most: 10 to 20 are needed, whatever the number of rows.
const MAX_ITERATIONS: usize = 50;
/// Complementarity that is left, as a share of that at the start [-].
const GOAL: f64 = 1e-14;
/// The same, where rounding errors leave no more.
const COARSE_GOAL: f64 = 1e-8;
/// Difference of velocities from their multipliers that is left, as a share of that at the start [-].
const BALANCE: f64 = 1e-10;
/// Share of the way to the next limit that is taken [-].
const WAY: f64 = 0.995;
/// Width of limits, as a share of the largest impulse, below which they are one [-].
const NARROW: f64 = 1e-9;
/// Distance from limits at the start, as a share of the largest impulse or of the width [-].
const INSIDE: f64 = 0.1;

/// The iterate: impulses, the slope of the objective (velocities above their targets) and the multipliers of the
/// lower and upper limits.
#[derive(Default)]
pub(super) struct Interior {
    z: Vec<f64>,
    slope: Vec<f64>,
    below: Vec<f64>,
    above: Vec<f64>,
    /// Right side of the change.
    right: Vec<f64>,
    /// Changes of impulses and multipliers.
    change: Vec<f64>,
    below_change: Vec<f64>,
    above_change: Vec<f64>,
    /// Their products in the predictor.
    second_below: Vec<f64>,
    second_above: Vec<f64>,
}

impl Sparse {
    /// Puts impulses and corrections where the rows are satisfied within the limits as they are, and rows into the
    /// sets that these belong to.
    pub(super) fn solve_interior(
        &mut self,
        own: &mut Constrained,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
    ) -> Result<(), Failure> {
        self.factor_base(own, matrix, rows)?;
        let mut inner = std::mem::take(&mut self.interior);
        let result = self.improve(own, matrix, rows, &mut inner);
        self.interior = inner;
        result
    }

    fn improve(
        &mut self,
        own: &mut Constrained,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
        inner: &mut Interior,
    ) -> Result<(), Failure> {
        self.close_narrow_limits(rows);
        self.start(own, rows, inner);
        let scale = [inner.gap(&self.limits, 0.0), inner.unbalanced(&self.limits)];
        for iterations in 0.. {
            let gap = inner.gap(&self.limits, 0.0);
            if gap <= GOAL * scale[0] && inner.unbalanced(&self.limits) <= BALANCE * scale[1] {
                break;
            }
            if iterations == MAX_ITERATIONS && gap <= COARSE_GOAL * scale[0] {
                break;
            }
            if iterations == MAX_ITERATIONS || !gap.is_finite() {
                let method = "the interior point method for contacts";
                let (residual, tolerance) = (gap / scale[0], GOAL);
                return Err(Failure::NotConverged { method, iterations, residual, tolerance });
            }
            self.predict_and_correct(own, matrix, rows, inner)?;
        }
        self.take_sets(rows, inner);
        inner.z.iter_mut().zip(&self.limits).for_each(|(z, [l, u])| *z = z.clamp(*l, *u));
        self.add_slope(own, rows, &inner.z, &mut inner.slope);
        rows.impulses.copy_from_slice(&inner.z);
        Ok(())
    }

    /// One iteration: a step towards the limits, which tells where to aim, and the step taken.
    fn predict_and_correct(
        &mut self,
        own: &mut Constrained,
        matrix: &BlockMatrix,
        rows: &Unilateral,
        inner: &mut Interior,
    ) -> Result<(), Failure> {
        let gap = inner.gap(&self.limits, 0.0);
        self.factor_interior(own, matrix, rows, inner)?;
        inner.aim_at_limits(&self.limits);
        self.solve_change(own, rows, inner);
        inner.set_changes(&self.limits, 0.0);
        let left = inner.gap(&self.limits, inner.length(&self.limits)) / gap;
        let centre = left.powi(3) * gap;
        inner.aim_at_centre(&self.limits, centre);
        self.solve_change(own, rows, inner);
        inner.set_changes(&self.limits, centre);
        inner.advance(inner.length(&self.limits));
        self.add_slope(own, rows, &inner.z, &mut inner.slope);
        Ok(())
    }

    /// Factors the matrix without any of these rows, where the factor is of another.
    fn factor_base(
        &mut self,
        own: &mut Constrained,
        matrix: &BlockMatrix,
        rows: &Unilateral,
    ) -> Result<(), Failure> {
        if self.base_factored != Some(rows.matrices) {
            self.base_factored = None;
            own.kkt.factor(KktSystem { s: matrix, g: &own.trial.reduced, r: &own.give })?;
            self.base_factored = Some(rows.matrices);
        }
        Ok(())
    }

    /// Corrections with the impulses as they are.
    pub(super) fn keep_impulses(
        &mut self,
        own: &mut Constrained,
        matrix: &BlockMatrix,
        rows: &Unilateral,
    ) -> Result<(), Failure> {
        self.factor_base(own, matrix, rows)?;
        let mut slope = std::mem::take(&mut self.interior.slope);
        self.add_slope(own, rows, &rows.impulses, &mut slope);
        self.interior.slope = slope;
        Ok(())
    }

    /// Rows into the sets that they come nearer to.
    fn take_sets(&self, rows: &mut Unilateral, inner: &Interior) {
        for (row, [lower, upper]) in self.limits.iter().enumerate() {
            let push = rows.own[row];
            rows.places[row] = match lower < upper {
                true if inner.below[row] > push * (inner.z[row] - lower) => Place::Lower,
                true if inner.above[row] > push * (upper - inner.z[row]) => Place::Upper,
                true => Place::Basic,
                false => Place::Lower,
            };
        }
    }

    /// Limits that are next to nothing apart are one.
    fn close_narrow_limits(&mut self, rows: &Unilateral) {
        let largest = rows.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        for limits in self.limits.iter_mut().filter(|[l, u]| u - l <= NARROW * largest) {
            *limits = [0.5 * (limits[0] + limits[1]); 2];
        }
    }

    /// Impulses inside their limits, with multipliers that make all products equal.
    fn start(&mut self, own: &mut Constrained, rows: &Unilateral, inner: &mut Interior) {
        let within = |(z, [lower, upper]): (&f64, &[f64; 2])| z.clamp(*lower, *upper);
        let Interior { z, slope, .. } = inner;
        z.clear();
        z.extend(rows.impulses.iter().zip(&self.limits).map(within));
        self.add_slope(own, rows, z, slope);
        let scale = (z.iter().zip(slope.iter()).zip(&rows.own))
            .fold(f64::MIN_POSITIVE, |most, ((z, g), own)| most.max(z.abs()).max(g.abs() / own));
        for (z, &[lower, upper]) in z.iter_mut().zip(&self.limits) {
            *z = match (lower.is_finite(), upper.is_finite()) {
                (true, true) => 0.5 * (lower + upper),
                (true, false) => z.max(lower + INSIDE * scale),
                (false, true) => z.min(upper - INSIDE * scale),
                (false, false) => *z,
            };
        }
        self.add_slope(own, rows, z, slope);
        let fastest = slope.iter().fold(f64::MIN_POSITIVE, |most: f64, g| most.max(g.abs()));
        let product = INSIDE * INSIDE * fastest * scale;
        inner.below.clear();
        inner.above.clear();
        for (z, &[lower, upper]) in inner.z.iter().zip(&self.limits) {
            let multiplier =
                |room: f64| if room.is_finite() && room > 0.0 { product / room } else { 0.0 };
            inner.below.push(multiplier(z - lower));
            inner.above.push(multiplier(upper - z));
        }
    }

    /// Factors the matrix with the stiffness of the limits on the diagonal of the rows.
    fn factor_interior(
        &mut self,
        own: &Constrained,
        matrix: &BlockMatrix,
        rows: &Unilateral,
        inner: &Interior,
    ) -> Result<(), Failure> {
        let (bilateral, entries) = (own.row_right.len(), own.trial.reduced.len());
        self.values[..entries].copy_from_slice(&own.trial.reduced);
        for (row, [lower, upper]) in self.limits.iter().enumerate() {
            let range = rows.pattern.entries(row);
            let values = &mut self.values[entries + range.start..entries + range.end];
            if lower >= upper {
                values.fill(Vec3::zeros());
                self.give[bilateral + row] = 1.0;
                continue;
            }
            values.copy_from_slice(&rows.half[range]);
            let z = inner.z[row];
            let stiffness = inner.below[row] / (z - lower) + inner.above[row] / (upper - z);
            let give = rows.rows[row].give + REGULARIZATION * rows.own[row];
            self.give[bilateral + row] = give + stiffness;
        }
        self.factored = None;
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.factor(KktSystem { s: matrix, g: &self.values, r: &self.give })?;
        Ok(())
    }

    /// The change of the impulses by the factor at hand.
    fn solve_change(&mut self, own: &mut Constrained, rows: &Unilateral, inner: &mut Interior) {
        let bilateral = own.row_right.len();
        self.right.fill(Vec3::zeros());
        self.row_right[..bilateral].fill(0.0);
        self.row_right[bilateral..].copy_from_slice(&inner.right);
        let kkt = self.kkt.as_mut().expect("it was made");
        let sides = (&self.right[..], &self.row_right[..]);
        kkt.solve_once(sides, (&mut own.step, &mut self.row_step));
        inner.change.clear();
        inner.change.extend_from_slice(&self.row_step[bilateral..][..rows.count()]);
    }

    /// `slope` = velocities of the rows above their targets under the impulses `z`, with their give; `own.step` the
    /// corrections with these impulses.
    fn add_slope(
        &mut self,
        own: &mut Constrained,
        rows: &Unilateral,
        z: &[f64],
        slope: &mut Vec<f64>,
    ) {
        let bilateral = own.row_right.len();
        self.right.copy_from_slice(&own.right);
        for (row, z) in z.iter().enumerate() {
            for entry in rows.pattern.entries(row) {
                let block = rows.pattern.blocks()[entry] as usize;
                self.right[block] += rows.half[entry] * (z - rows.before[row]);
            }
        }
        self.row_right[..bilateral].copy_from_slice(&own.row_right);
        let sides = (&self.right[..], &self.row_right[..bilateral]);
        own.kkt.solve_once(sides, (&mut own.step, &mut self.row_step[..bilateral]));
        slope.clear();
        for (row, z) in z.iter().enumerate() {
            let velocity = rows.pattern.velocity(row, &rows.values, &own.trial.y)
                + rows.pattern.velocity(row, &rows.half, &own.step);
            let give = REGULARIZATION * rows.own[row] * (z - rows.before[row]);
            slope.push(velocity - rows.rows[row].target + rows.rows[row].give * z + give);
        }
    }
}

impl Interior {
    /// The predictor aims at products of zero, and knows none of the second order.
    fn aim_at_limits(&mut self, limits: &[[f64; 2]]) {
        for second in [&mut self.second_below, &mut self.second_above] {
            second.clear();
            second.resize(limits.len(), 0.0);
        }
        self.set_right(limits, 0.0);
    }

    /// The corrector aims at products of `centre`, with what the predictor left at second order.
    fn aim_at_centre(&mut self, limits: &[[f64; 2]], centre: f64) {
        for row in 0..limits.len() {
            self.second_below[row] = self.change[row] * self.below_change[row];
            self.second_above[row] = -self.change[row] * self.above_change[row];
        }
        self.set_right(limits, centre);
    }

    fn set_right(&mut self, limits: &[[f64; 2]], centre: f64) {
        self.right.clear();
        for (row, &[lower, upper]) in limits.iter().enumerate() {
            let z = self.z[row];
            let mut right = (centre - self.second_below[row]) / (z - lower) - self.slope[row];
            if upper.is_finite() {
                right -= (centre - self.second_above[row]) / (upper - z);
            }
            self.right.push(if lower < upper { right } else { 0.0 });
        }
    }

    /// Changes of the multipliers with those of the impulses.
    fn set_changes(&mut self, limits: &[[f64; 2]], centre: f64) {
        self.below_change.clear();
        self.above_change.clear();
        for (row, &[lower, upper]) in limits.iter().enumerate() {
            let (z, change) = (self.z[row], self.change[row]);
            let (mut below, mut above) = (0.0, 0.0);
            if lower < upper {
                let push = centre - self.second_below[row] - self.below[row] * change;
                below = push / (z - lower) - self.below[row];
            }
            if lower < upper && upper.is_finite() {
                let push = centre - self.second_above[row] + self.above[row] * change;
                above = push / (upper - z) - self.above[row];
            }
            self.below_change.push(below);
            self.above_change.push(above);
        }
    }

    /// Largest share of the change, up to 1, that keeps impulses inside and multipliers positive.
    fn length(&self, limits: &[[f64; 2]]) -> f64 {
        let mut length: f64 = 1.0;
        let mut keep = |room: f64, change: f64| {
            if change < 0.0 {
                length = length.min(-WAY * room / change);
            }
        };
        for (row, &[lower, upper]) in limits.iter().enumerate().filter(|(_, [l, u])| l < u) {
            keep(self.z[row] - lower, self.change[row]);
            keep(self.below[row], self.below_change[row]);
            if upper.is_finite() {
                keep(upper - self.z[row], -self.change[row]);
                keep(self.above[row], self.above_change[row]);
            }
        }
        length
    }

    fn advance(&mut self, length: f64) {
        let changes = [&self.change, &self.below_change, &self.above_change];
        for (values, changes) in
            [&mut self.z, &mut self.below, &mut self.above].into_iter().zip(changes)
        {
            values.iter_mut().zip(changes).for_each(|(value, change)| *value += length * change);
        }
    }

    /// Mean product of distances from limits and their multipliers, after `length` of the change.
    fn gap(&self, limits: &[[f64; 2]], length: f64) -> f64 {
        let after = |value: f64, changes: &[f64], row: usize| match length > 0.0 {
            true => value + length * changes[row],
            false => value,
        };
        let (mut sum, mut count) = (0.0, 0.0f64);
        for (row, &[lower, upper]) in limits.iter().enumerate().filter(|(_, [l, u])| l < u) {
            let z = after(self.z[row], &self.change, row);
            sum += after(self.below[row], &self.below_change, row) * (z - lower);
            count += 1.0;
            if upper.is_finite() {
                sum += after(self.above[row], &self.above_change, row) * (upper - z);
                count += 1.0;
            }
        }
        sum / count.max(1.0)
    }

    /// Largest difference of a slope from its multipliers.
    fn unbalanced(&self, limits: &[[f64; 2]]) -> f64 {
        let free = limits.iter().enumerate().filter(|(_, [l, u])| l < u);
        // Multipliers of narrow limits are large, and their difference is rounded.
        free.map(|(row, _)| {
            let rounded = f64::EPSILON * 100.0 * (self.below[row] + self.above[row]);
            (self.slope[row] - self.below[row] + self.above[row]).abs() - rounded
        })
        .fold(0.0, f64::max)
    }
}
