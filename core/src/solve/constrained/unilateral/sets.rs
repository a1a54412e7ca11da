//! The saddle point of the active rows with those of the joints, for sets as they are; and which rows are in the
//! wrong one.

use super::StepRows;
use super::sparse::Sparse;
use crate::Vec3;
use crate::lcp::Place;
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::{KktSolver, KktSystem};
use crate::solve::constrained::Parts;
use crate::solve::constrained::tuning::{REGULARIZATION, SLACK};
use crate::solve::failure::Failure;
use crate::system::MechSystem;

impl Sparse {
    /// A solver of the pattern of all rows, the old one where that is the same.
    pub(super) fn adapt(
        &mut self,
        system: &dyn MechSystem,
        parts: &Parts,
        rows: &StepRows,
    ) -> Result<(), Failure> {
        let mut pattern = std::mem::take(&mut self.pattern);
        let known = std::mem::take(&mut self.known);
        pattern.clear();
        for source in [parts.reduction.rows.pattern(), &rows.set.pattern] {
            for row in 0..source.count() {
                let entries = source.entries(row);
                source.blocks()[entries].iter().for_each(|&block| pattern.push_entry(block));
                pattern.end_row();
            }
        }
        if self.kkt.is_none() || pattern != known {
            self.kkt =
                Some(KktSolver::new(system.pattern(), &parts.reduction.held, pattern.clone())?);
            self.known = pattern.clone();
            self.factored.matrix = None;
        } else {
            self.known = known;
        }
        self.values.resize(pattern.entry_count(), Vec3::zeros());
        self.row_right.resize(pattern.count(), 0.0);
        self.row_step.resize(pattern.count(), 0.0);
        self.right.resize(parts.linear.right.len(), Vec3::zeros());
        self.compliance.resize(pattern.count(), 1.0);
        self.compliance[..parts.linear.compliance.len()].copy_from_slice(&parts.linear.compliance);
        self.pattern = pattern;
        Ok(())
    }

    /// Factors the matrix of the sets at hand, where the factor is of others.
    pub(super) fn factor_sets(
        &mut self,
        parts: &Parts,
        matrix: &BlockMatrix,
        rows: &StepRows,
    ) -> Result<(), Failure> {
        if self.factored.matrix == Some(rows.status.matrices)
            && self.factored.sets == rows.set.places
        {
            return Ok(());
        }
        self.factored.matrix = None;
        self.fill_matrix(parts, rows);
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.factor(KktSystem { s: matrix, g: &self.values, r: &self.compliance })?;
        self.factored.matrix = Some(rows.status.matrices);
        self.factored.sets.clone_from(&rows.set.places);
        self.friction.mixing.begin();
        Ok(())
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

    /// Rows that carry as they are, others as knowns.
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

    pub(super) fn fill_right(&mut self, parts: &Parts, rows: &StepRows) {
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
            let [lower, upper] = self.friction.limits[row];
            let known = if rows.set.places[row] == Place::Upper { upper } else { lower };
            let change = known - rows.set.before[row];
            self.row_right[place] = change;
            for entry in rows.set.pattern.entries(row) {
                let block = rows.set.pattern.blocks()[entry] as usize;
                self.right[block] += rows.set.half[entry] * change;
            }
        }
    }

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
