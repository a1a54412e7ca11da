//! Many unilateral rows: those that carry are rows of one sparse saddle point with all others, and block
//! pivoting (JudicePires1994) exchanges rows between the two sets, one factorization each time.

use super::Unilateral;
use super::fixed_point::FixedPoint;
use super::interior::Interior;
use crate::Vec3;
use crate::lcp::{Bound, Place};
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::{ConstraintPattern, KktSolver, KktSystem};
use crate::solve::constrained::Constrained;
use crate::solve::solver::Failure;
use crate::system::MechSystem;

/// Rows above which the sparse way is taken: the dense one takes a back-solve for each, and the cube of
/// their number.
pub(in super::super) const MANY: usize = 96;
/// Exchanges without fewer wrong rows, after which the sets are found by descent.
const PATIENCE: usize = 5;
/// Share of the response of a row to its own impulse that it gives in the matrix [-].
pub(super) const REGULARIZATION: f64 = 1e-8;
/// Rounds in which limits of friction follow the impulses along the normals: they settle in the first or, in some
/// heaps, not at all. The next step goes on from there.
pub(super) const SETTLING: usize = 3;
/// The same, of steps whose sets are hard to find.
pub(super) const HARD_SETTLING: usize = 6;
/// Exchanges of one round through which limits of friction follow.
const FOLLOWING: usize = 12;
/// Rounds of a step whose sets are hard to find after which impulses stay, so that momenta can be balanced.
const KEPT: usize = 12;
/// Solutions of one round, at most.
const MAX_PIVOTS: usize = 40;
/// A velocity or impulse below this share of the largest is no reason for an exchange [-].
pub(super) const SLACK: f64 = 1e-10;

/// The saddle point with all rows.
#[derive(Default)]
pub(super) struct Sparse {
    pub(super) kkt: Option<KktSolver>,
    /// Its rows, and the same of the factor.
    pub(super) pattern: ConstraintPattern,
    pub(super) known: ConstraintPattern,
    /// The matrix and the sets of the factor.
    pub(super) factored: Option<usize>,
    /// The matrix of the factor without these rows.
    pub(super) base_factored: Option<usize>,
    pub(super) factored_sets: Vec<Place>,
    pub(super) values: Vec<Vec3>,
    pub(super) give: Vec<f64>,
    pub(super) right: Vec<Vec3>,
    pub(super) row_right: Vec<f64>,
    pub(super) interior: Interior,
    /// Changes of the limits of friction, mixed over the rounds.
    pub(super) changes: Vec<f64>,
    pub(super) mixing: FixedPoint,
    pub(super) row_step: Vec<f64>,
    /// Rows that are in the wrong set.
    pub(super) wrong: Vec<u32>,
    /// Least and largest impulses of the rows in this round.
    pub(super) limits: Vec<[f64; 2]>,
}

impl Constrained {
    /// Sets `self.step` and `self.row_step` to corrections that satisfy all rows, from `self.right` and
    /// `self.row_right`, by the vectors `rows.half`.
    pub(super) fn solve_sparse(
        &mut self,
        system: &dyn MechSystem,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
    ) -> Result<(), Failure> {
        let mut sparse = std::mem::take(&mut rows.sparse);
        sparse.adapt(system, self, rows)?;
        rows.before.copy_from_slice(&rows.impulses);
        rows.estimate_response(matrix, system, &self.masses);
        let bilateral = self.rows.pattern().count();
        sparse.give.resize(bilateral + rows.count(), 1.0);
        sparse.give[..bilateral].copy_from_slice(&self.give);
        sparse.begin_limits(rows);
        let result = sparse.exchange_sets(self, matrix, rows);
        self.row_step.copy_from_slice(&sparse.row_step[..bilateral]);
        rows.sparse = sparse;
        result
    }
}

impl Sparse {
    /// Exchanges rows between the sets until none is in the wrong one. Limits of friction follow meanwhile.
    fn exchange_sets(
        &mut self,
        own: &mut Constrained,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
    ) -> Result<(), Failure> {
        rows.choices.count_sparse(0);
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        let follow = rows.round <= SETTLING;
        if rows.hard {
            if rows.round <= HARD_SETTLING {
                self.take_limits(rows, &rows.impulses);
            }
            if rows.round > KEPT {
                return self.keep_impulses(own, matrix, rows);
            }
            return self.solve_hard(own, matrix, rows);
        }
        for pivots in 0..MAX_PIVOTS {
            self.factor_sets(own, matrix, rows)?;
            self.fill_right(own, rows);
            self.back_solve(own, rows);
            let settled = !follow || pivots > FOLLOWING || self.follow_limits(rows);
            self.find_wrong(own, rows);
            if settled && self.wrong.is_empty() {
                break;
            }
            rows.choices.count_sparse(self.wrong.len());
            if self.wrong.len() < fewest {
                (fewest, patience) = (self.wrong.len(), PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            if patience == 0 && !self.wrong.is_empty() || pivots + 1 == MAX_PIVOTS {
                rows.hard = true;
                // What exchanges left behind says nothing.
                rows.impulses.copy_from_slice(&rows.before);
                self.take_limits(rows, &rows.before);
                return self.solve_hard(own, matrix, rows);
            }
            for &row in &self.wrong {
                rows.exchange(row as usize, self.limits[row as usize]);
            }
        }
        self.take_back_give(own, rows);
        self.back_solve(own, rows);
        Ok(())
    }

    /// The solution for limits as they are: near by an interior point method, and exact where the sets that this
    /// finds are the right ones.
    fn solve_hard(
        &mut self,
        own: &mut Constrained,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
    ) -> Result<(), Failure> {
        self.solve_interior(own, matrix, rows)?;
        let (near, step) = (rows.impulses.clone(), own.step.clone());
        let row_step = self.row_step.clone();
        self.factor_sets(own, matrix, rows)?;
        self.fill_right(own, rows);
        self.back_solve(own, rows);
        self.find_wrong(own, rows);
        if self.wrong.is_empty() {
            self.take_back_give(own, rows);
            self.back_solve(own, rows);
        } else {
            rows.impulses.copy_from_slice(&near);
            own.step.copy_from_slice(&step);
            self.row_step.copy_from_slice(&row_step);
        }
        Ok(())
    }

    /// Factors the matrix of the sets at hand, where the factor is of others.
    pub(super) fn factor_sets(
        &mut self,
        own: &Constrained,
        matrix: &BlockMatrix,
        rows: &Unilateral,
    ) -> Result<(), Failure> {
        if self.factored == Some(rows.matrices) && self.factored_sets == rows.places {
            return Ok(());
        }
        self.factored = None;
        self.fill_matrix(own, rows);
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.factor(KktSystem { s: matrix, g: &self.values, r: &self.give })?;
        self.factored = Some(rows.matrices);
        self.factored_sets.clone_from(&rows.places);
        self.mixing.begin();
        Ok(())
    }

    /// Corrections and impulses by the factor at hand.
    pub(super) fn back_solve(&mut self, own: &mut Constrained, rows: &mut Unilateral) {
        let bilateral = own.row_right.len();
        let kkt = self.kkt.as_mut().expect("it was made");
        let sides = (&self.right[..], &self.row_right[..]);
        kkt.solve_once(sides, (&mut own.step, &mut self.row_step));
        for (row, step) in self.row_step[bilateral..].iter().enumerate() {
            rows.impulses[row] = rows.before[row] + step;
        }
    }

    /// Takes off the right side what the give of the matrix would let through.
    fn take_back_give(&mut self, own: &Constrained, rows: &Unilateral) {
        let bilateral = own.row_right.len();
        for row in (0..rows.count()).filter(|&row| rows.places[row] == Place::Basic) {
            let place = bilateral + row;
            self.row_right[place] += REGULARIZATION * rows.own[row] * self.row_step[place];
        }
    }

    /// A solver of the pattern of all rows, the old one where that is the same.
    fn adapt(
        &mut self,
        system: &dyn MechSystem,
        own: &Constrained,
        rows: &Unilateral,
    ) -> Result<(), Failure> {
        let mut pattern = std::mem::take(&mut self.pattern);
        let known = std::mem::take(&mut self.known);
        pattern.clear();
        for source in [own.rows.pattern(), &rows.pattern] {
            for row in 0..source.count() {
                let entries = source.entries(row);
                source.blocks()[entries].iter().for_each(|&block| pattern.push_entry(block));
                pattern.end_row();
            }
        }
        if self.kkt.is_none() || pattern != known {
            self.kkt = Some(KktSolver::new(system.pattern(), &own.held, pattern.clone())?);
            self.known = pattern.clone();
            self.factored = None;
        } else {
            self.known = known;
        }
        self.values.resize(pattern.entry_count(), Vec3::zeros());
        self.row_right.resize(pattern.count(), 0.0);
        self.row_step.resize(pattern.count(), 0.0);
        self.right.resize(own.right.len(), Vec3::zeros());
        self.pattern = pattern;
        Ok(())
    }

    /// Rows that carry as they are, others as knowns.
    fn fill_matrix(&mut self, own: &Constrained, rows: &Unilateral) {
        let bilateral = own.row_right.len();
        let entries = own.trial.reduced.len();
        self.values[..entries].copy_from_slice(&own.trial.reduced);
        for row in 0..rows.count() {
            let range = rows.pattern.entries(row);
            let own_values = &mut self.values[entries + range.start..entries + range.end];
            let place = bilateral + row;
            if rows.places[row] == Place::Basic {
                own_values.copy_from_slice(&rows.half[range]);
                self.give[place] = rows.rows[row].give + REGULARIZATION * rows.own[row];
            } else {
                own_values.fill(Vec3::zeros());
                self.give[place] = 1.0;
            }
        }
    }

    pub(super) fn fill_right(&mut self, own: &Constrained, rows: &Unilateral) {
        let bilateral = own.row_right.len();
        self.right.copy_from_slice(&own.right);
        self.row_right[..bilateral].copy_from_slice(&own.row_right);
        for row in 0..rows.count() {
            let place = bilateral + row;
            if rows.places[row] == Place::Basic {
                let give = rows.rows[row].give;
                let velocity = rows.pattern.velocity(row, &rows.values, &own.trial.y);
                self.row_right[place] = rows.rows[row].target - velocity - give * rows.before[row];
                continue;
            }
            let [lower, upper] = self.limits[row];
            let known = if rows.places[row] == Place::Upper { upper } else { lower };
            let change = known - rows.before[row];
            self.row_right[place] = change;
            for entry in rows.pattern.entries(row) {
                let block = rows.pattern.blocks()[entry] as usize;
                self.right[block] += rows.half[entry] * change;
            }
        }
    }

    /// Limits of the rows as they are at the begin of a round: those of friction stay from the round before.
    fn begin_limits(&mut self, rows: &mut Unilateral) {
        rows.round += 1;
        if self.limits.len() != rows.count() {
            self.limits.clear();
            self.limits.extend((0..rows.count()).map(|row| rows.limits(row)));
        }
        self.mixing.begin();
    }

    /// Limits of friction as they are under these impulses along the normals.
    fn take_limits(&mut self, rows: &Unilateral, impulses: &[f64]) {
        for (limits, bound) in self.limits.iter_mut().zip(&rows.bounds) {
            if let Bound::Friction { normal, coefficient, .. } = *bound {
                let most = coefficient * impulses[normal].max(0.0);
                *limits = [-most, most];
            }
        }
    }

    /// Limits of friction follow the impulses along the normals. Whether they are already there.
    fn follow_limits(&mut self, rows: &Unilateral) -> bool {
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

    /// Rows whose impulse or velocity has the wrong sign for their set.
    fn find_wrong(&mut self, own: &Constrained, rows: &Unilateral) {
        self.wrong.clear();
        let largest = rows.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        let push = |(z, own): (&f64, &f64)| (z * own).abs();
        let fastest = rows.impulses.iter().zip(&rows.own).map(push).fold(0.0, f64::max);
        for row in 0..rows.count() {
            let [lower, upper] = self.limits[row];
            let z = rows.impulses[row];
            let wrong = if rows.places[row] == Place::Basic {
                z < lower - SLACK * largest || z > upper + SLACK * largest
            } else {
                let half = rows.pattern.velocity(row, &rows.half, &own.step);
                let velocity = rows.pattern.velocity(row, &rows.values, &own.trial.y) + half;
                let room = velocity - rows.rows[row].target + rows.rows[row].give * z;
                let slack = SLACK * fastest.max(f64::MIN_POSITIVE);
                match (rows.places[row], lower < upper) {
                    (_, false) => false,
                    (Place::Upper, _) => room > slack,
                    _ => room < -slack,
                }
            };
            if wrong {
                self.wrong.push(row as u32);
            }
        }
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

    fn exchange(&mut self, row: usize, [lower, upper]: [f64; 2]) {
        self.places[row] = match self.places[row] {
            Place::Basic if self.impulses[row] > upper => Place::Upper,
            Place::Basic if self.impulses[row] < lower => Place::Lower,
            Place::Basic => Place::Basic,
            Place::Lower | Place::Upper => Place::Basic,
        };
    }

    /// Response of each row to its own impulse, by the diagonal of the matrix alone.
    fn estimate_response(
        &mut self,
        matrix: &BlockMatrix,
        system: &dyn MechSystem,
        masses: &[Vec3],
    ) {
        self.own.clear();
        for row in 0..self.count() {
            let share = |entry: usize| {
                let block = self.pattern.blocks()[entry] as usize;
                let diagonal = matrix.block(system.pattern().diagonal(block)).diagonal().abs();
                let vector = self.values[entry];
                (0..3)
                    .map(|axis| vector[axis].powi(2) / diagonal[axis].max(masses[block][axis]))
                    .sum::<f64>()
            };
            let sum: f64 = self.pattern.entries(row).map(share).sum();
            self.own.push(if sum > 0.0 { sum } else { 1.0 });
        }
    }
}
