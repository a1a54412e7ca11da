//! Many unilateral rows: those that carry are rows of one sparse saddle point with all others, and block
//! pivoting (Judice1994) exchanges rows between the two sets, one factorization each time.

use super::Unilateral;
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
/// Exchanges of one round, at most: what is left is seen by the next round.
const MAX_PIVOTS: usize = 40;
/// Exchanges without fewer wrong rows, after which only one row is exchanged at a time.
const PATIENCE: usize = 6;
/// Share of the response of a row to its own impulse that it gives in the matrix [-].
const REGULARIZATION: f64 = 1e-8;
/// Rounds after which limits of friction change by halves, and after which rows stay in their sets: what
/// is left of the conditions of friction then is an error of the step, not of its momenta.
const HALVED: usize = 10;
const FROZEN: usize = 20;
/// A velocity or impulse below this share of the largest is no reason for an exchange [-].
const SLACK: f64 = 1e-10;

/// The saddle point with all rows.
#[derive(Default)]
pub(super) struct Sparse {
    kkt: Option<KktSolver>,
    /// Its rows, and the same of the factor.
    pattern: ConstraintPattern,
    known: ConstraintPattern,
    values: Vec<Vec3>,
    give: Vec<f64>,
    right: Vec<Vec3>,
    row_right: Vec<f64>,
    pub(super) row_step: Vec<f64>,
    /// Rows that are in the wrong set.
    wrong: Vec<u32>,
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
        sparse.give.clear();
        sparse.give.extend_from_slice(&self.give);
        sparse.give.resize(bilateral + rows.count(), 1.0);
        sparse.update_limits(rows);
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..MAX_PIVOTS {
            sparse.fill(self, rows, bilateral);
            let kkt = sparse.kkt.as_mut().expect("it was made");
            kkt.factor(KktSystem { s: matrix, g: &sparse.values, r: &sparse.give })?;
            let sides = (&sparse.right[..], &sparse.row_right[..]);
            kkt.solve_once(sides, (&mut self.step, &mut sparse.row_step));
            for (row, step) in sparse.row_step[bilateral..].iter().enumerate() {
                rows.impulses[row] = rows.before[row] + step;
            }
            if rows.round > FROZEN {
                break;
            }
            sparse.find_wrong(self, rows);
            if sparse.wrong.is_empty() {
                break;
            }
            if sparse.wrong.len() < fewest {
                (fewest, patience) = (sparse.wrong.len(), PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            let all = patience > 0;
            let changed = if all { sparse.wrong.len() } else { 1 };
            for &row in sparse.wrong.iter().rev().take(changed) {
                rows.exchange(row as usize, sparse.limits[row as usize]);
            }
        }
        self.row_step.copy_from_slice(&sparse.row_step[..bilateral]);
        rows.sparse = sparse;
        Ok(())
    }
}

impl Sparse {
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
    fn fill(&mut self, own: &Constrained, rows: &Unilateral, bilateral: usize) {
        let entries = own.trial.reduced.len();
        self.values[..entries].copy_from_slice(&own.trial.reduced);
        self.right.copy_from_slice(&own.right);
        self.row_right[..bilateral].copy_from_slice(&own.row_right);
        for row in 0..rows.count() {
            let limits = self.limits[row];
            let range = rows.pattern.entries(row);
            let own_values = &mut self.values[entries + range.start..entries + range.end];
            let place = bilateral + row;
            if rows.places[row] == Place::Basic {
                own_values.copy_from_slice(&rows.half[range]);
                let give = rows.rows[row].give;
                self.give[place] = give + REGULARIZATION * rows.own[row];
                let velocity = rows.pattern.velocity(row, &rows.values, &own.trial.y);
                self.row_right[place] = rows.rows[row].target - velocity - give * rows.before[row];
                continue;
            }
            own_values.fill(Vec3::zeros());
            self.give[place] = 1.0;
            let known = if rows.places[row] == Place::Upper { limits[1] } else { limits[0] };
            let change = known - rows.before[row];
            self.row_right[place] = change;
            for entry in range {
                let block = rows.pattern.blocks()[entry] as usize;
                self.right[block] += rows.half[entry] * change;
            }
        }
    }

    /// Limits of friction follow the impulses along the normals from round to round.
    fn update_limits(&mut self, rows: &mut Unilateral) {
        rows.round += 1;
        let share = match rows.round {
            0..=HALVED => 1.0,
            ..=FROZEN => 0.5,
            _ => 0.0,
        };
        let fresh = self.limits.len() != rows.count();
        self.limits.resize(rows.count(), [0.0; 2]);
        for row in 0..rows.count() {
            let new = rows.limits(row);
            let old = self.limits[row];
            let blend = |side: usize| old[side] + (new[side] - old[side]) * share;
            let friction = matches!(rows.bounds[row], Bound::Friction { .. });
            self.limits[row] = if fresh || !friction { new } else { [blend(0), blend(1)] };
        }
    }

    /// Rows whose impulse or velocity has the wrong sign for their set.
    fn find_wrong(&mut self, own: &Constrained, rows: &Unilateral) {
        self.wrong.clear();
        let largest = rows.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        let fastest = own.end_u.iter().fold(0.0, |most: f64, u| most.max(u.amax()));
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
