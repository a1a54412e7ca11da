//! The saddle point of the active rows with those of the joints, for sets as they are; and which rows are in the
//! wrong one.

use crate::Vec3;
use crate::lcp::Place;
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::{ConstraintPattern, KktSolver, KktSystem};
use crate::solve::constrained::Parts;
use crate::solve::constrained::tuning::{REGULARIZATION, SLACK};
use crate::solve::constrained::unilateral::StepRows;
use crate::solve::constrained::unilateral::sparse::Sparse;
use crate::solve::failure::Failure;
use crate::system::MechSystem;

/// The saddle point of the constraint rows and all unilateral rows: its solver, its matrix, its right sides.
#[derive(Default)]
pub(super) struct RowSystem {
    pub(super) kkt: Option<KktSolver>,
    /// Its rows, and the same of the factor.
    pattern: ConstraintPattern,
    known: ConstraintPattern,
    pub(super) factored: Factored,
    pub(super) values: Vec<Vec3>,
    pub(super) compliance: Vec<f64>,
    pub(super) right: Vec<Vec3>,
    pub(super) row_right: Vec<f64>,
    pub(super) row_step: Vec<f64>,
}

/// Which matrices the factors at hand are of.
#[derive(Default)]
pub(super) struct Factored {
    /// The matrix and the sets of the factor.
    pub(super) matrix: Option<usize>,
    sets: Vec<Place>,
    /// The matrix of the factor without these rows.
    pub(super) base: Option<usize>,
}

impl RowSystem {
    /// A solver of the pattern of all rows, the old one where that is the same.
    pub(super) fn adapt(
        &mut self,
        system: &dyn MechSystem,
        parts: &Parts,
        rows: &StepRows,
    ) -> Result<(), Failure> {
        self.pattern.clear();
        for source in [parts.reduction.rows.pattern(), &rows.set.pattern] {
            for row in 0..source.count() {
                let entries = source.entries(row);
                source.blocks()[entries].iter().for_each(|&block| self.pattern.push_entry(block));
                self.pattern.end_row();
            }
        }
        if self.kkt.is_none() || self.pattern != self.known {
            let (held, pattern) = (&parts.reduction.held, self.pattern.clone());
            self.kkt = Some(KktSolver::new(system.pattern(), held, pattern)?);
            self.known.clone_from(&self.pattern);
            self.factored.matrix = None;
        }
        let (entries, count) = (self.pattern.entry_count(), self.pattern.count());
        self.values.resize(entries, Vec3::zeros());
        self.row_right.resize(count, 0.0);
        self.row_step.resize(count, 0.0);
        self.right.resize(parts.linear.right.len(), Vec3::zeros());
        self.compliance.resize(count, 1.0);
        self.compliance[..parts.linear.compliance.len()].copy_from_slice(&parts.linear.compliance);
        Ok(())
    }

    /// Factors the matrix of the sets at hand, where the factor is of others; whether it was.
    pub(super) fn factor_sets(
        &mut self,
        parts: &Parts,
        matrix: &BlockMatrix,
        rows: &StepRows,
    ) -> Result<bool, Failure> {
        if self.factored.matrix == Some(rows.status.matrices)
            && self.factored.sets == rows.set.places
        {
            return Ok(false);
        }
        self.factored.matrix = None;
        self.fill_matrix(parts, rows);
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.factor(KktSystem { s: matrix, g: &self.values, r: &self.compliance })?;
        self.factored.matrix = Some(rows.status.matrices);
        self.factored.sets.clone_from(&rows.set.places);
        Ok(true)
    }

    /// Corrections and impulses by the factor at hand.
    pub(super) fn back_solve(&mut self, parts: &mut Parts, rows: &mut StepRows) {
        let bilateral = parts.linear.row_right.len();
        let kkt = self.kkt.as_mut().expect("it was made");
        let sides = (&self.right[..], &self.row_right[..]);
        kkt.solve_once(sides, (&mut parts.linear.step, &mut self.row_step));
        for (row, step) in self.row_step[bilateral..].iter().enumerate() {
            rows.set.impulses[row] = rows.set.before[row] + step;
        }
    }

    /// Takes off the right side what the compliance of the matrix would let through.
    pub(super) fn subtract_regularization(&mut self, parts: &Parts, rows: &StepRows) {
        let bilateral = parts.linear.row_right.len();
        for row in (0..rows.set.count()).filter(|&row| rows.set.places[row] == Place::Basic) {
            let place = bilateral + row;
            self.row_right[place] += REGULARIZATION * rows.set.own[row] * self.row_step[place];
        }
    }

    /// Active rows as they are, others as knowns.
    pub(super) fn fill_matrix(&mut self, parts: &Parts, rows: &StepRows) {
        let bilateral = parts.linear.row_right.len();
        let entries = parts.trial.reduced.len();
        self.values[..entries].copy_from_slice(&parts.trial.reduced);
        for row in 0..rows.set.count() {
            let range = rows.set.pattern.entries(row);
            let own_values = &mut self.values[entries + range.start..entries + range.end];
            let place = bilateral + row;
            if rows.set.places[row] == Place::Basic {
                own_values.copy_from_slice(&rows.set.half[range]);
                self.compliance[place] =
                    rows.set.rows[row].compliance + REGULARIZATION * rows.set.own[row];
            } else {
                own_values.fill(Vec3::zeros());
                self.compliance[place] = 1.0;
            }
        }
    }

    /// Right sides: targets of active rows, changes of impulses of the others.
    pub(super) fn fill_right(&mut self, parts: &Parts, rows: &StepRows, limits: &[[f64; 2]]) {
        let bilateral = parts.linear.row_right.len();
        self.right.copy_from_slice(&parts.linear.right);
        self.row_right[..bilateral].copy_from_slice(&parts.linear.row_right);
        for row in 0..rows.set.count() {
            let place = bilateral + row;
            if rows.set.places[row] == Place::Basic {
                let compliance = rows.set.rows[row].compliance;
                let velocity = rows.set.pattern.velocity(row, &rows.set.values, &parts.trial.y);
                self.row_right[place] =
                    rows.set.rows[row].target - velocity - compliance * rows.set.before[row];
                continue;
            }
            let [lower, upper] = limits[row];
            let known = if rows.set.places[row] == Place::Upper { upper } else { lower };
            let change = known - rows.set.before[row];
            self.row_right[place] = change;
            for entry in rows.set.pattern.entries(row) {
                let block = rows.set.pattern.blocks()[entry] as usize;
                self.right[block] += rows.set.half[entry] * change;
            }
        }
    }
}

impl Sparse {
    /// Rows whose impulse or velocity has the wrong sign for their set.
    pub(super) fn find_wrong(&mut self, parts: &Parts, rows: &StepRows) {
        self.wrong.clear();
        let largest = rows.set.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        let push = |(z, own): (&f64, &f64)| (z * own).abs();
        let fastest = rows.set.impulses.iter().zip(&rows.set.own).map(push).fold(0.0, f64::max);
        for row in 0..rows.set.count() {
            let [lower, upper] = self.friction.limits[row];
            let z = rows.set.impulses[row];
            let wrong = if rows.set.places[row] == Place::Basic {
                z < lower - SLACK * largest || z > upper + SLACK * largest
            } else {
                let room = match self.condensed.active {
                    true => self.condensed.room[row],
                    false => rows.set.room(row, parts),
                };
                let slack = SLACK * fastest.max(f64::MIN_POSITIVE);
                match (rows.set.places[row], lower < upper) {
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
