//! The saddle point of the active rows with the bilateral ones, for sets as they are, as one sparse factor.

use crate::Vec3;
use crate::lcp::ActiveSetStatus;
use crate::linalg::kkt::{ConstraintPattern, KktSolver, KktSystem};
use crate::mixed::stage::Stage;
use crate::mixed::tuning::REGULARIZATION;
use crate::mixed::{MixedError, MixedSolution};

/// The saddle point of all rows: its solver, its matrix, its right sides.
#[derive(Default)]
pub(super) struct RowSystem {
    kkt: Option<KktSolver>,
    /// Its rows, and the same of the factor.
    pattern: ConstraintPattern,
    known: ConstraintPattern,
    /// The matrix and the sets that the factor is of.
    factored: Option<usize>,
    sets: Vec<ActiveSetStatus>,
    pub(super) values: Vec<Vec3>,
    pub(super) compliance: Vec<f64>,
    pub(super) right: Vec<Vec3>,
    pub(super) row_right: Vec<f64>,
    row_step: Vec<f64>,
    /// Right side with impulses on it; work space.
    pub(super) pushed: Vec<Vec3>,
}

impl RowSystem {
    /// A solver of the pattern of all rows, the old one where that is the same.
    pub(super) fn adapt(&mut self, stage: Stage) -> Result<(), MixedError> {
        self.pattern.clear();
        for source in [stage.rows, stage.problem.unilateral.pattern] {
            for row in 0..source.count() {
                let entries = source.entries(row);
                source.blocks()[entries].iter().for_each(|&block| self.pattern.push_entry(block));
                self.pattern.end_row();
            }
        }
        if self.kkt.is_none() || self.pattern != self.known {
            let matrix = stage.problem.s.pattern();
            self.kkt = Some(KktSolver::new(matrix, stage.fixed, self.pattern.clone())?);
            self.known.clone_from(&self.pattern);
            self.factored = None;
        }
        let (entries, count) = (self.pattern.entry_count(), self.pattern.count());
        self.values.resize(entries, Vec3::zeros());
        self.row_right.resize(count, 0.0);
        self.row_step.resize(count, 0.0);
        self.right.resize(stage.problem.b.len(), Vec3::zeros());
        self.compliance.resize(count, 1.0);
        let bilateral = stage.problem.bilateral.compliance;
        self.compliance[..bilateral.len()].copy_from_slice(bilateral);
        Ok(())
    }

    /// Factors the matrix of the sets at hand, where the factor is of others; whether it was.
    pub(super) fn factor_sets(
        &mut self,
        stage: Stage,
        statuses: &[ActiveSetStatus],
    ) -> Result<bool, MixedError> {
        if self.factored == Some(stage.matrix) && self.sets == statuses {
            return Ok(false);
        }
        self.fill_matrix(stage, statuses);
        self.factor(stage)?;
        self.factored = Some(stage.matrix);
        self.sets.clear();
        self.sets.extend_from_slice(statuses);
        Ok(true)
    }

    /// Factors the values and compliances as they are.
    pub(super) fn factor(&mut self, stage: Stage) -> Result<(), MixedError> {
        self.factored = None;
        let kkt = self.kkt.as_mut().expect("it was made");
        let (s, g, r) = (stage.problem.s, &self.values[..], &self.compliance[..]);
        kkt.factor(KktSystem { s, g, r })?;
        Ok(())
    }

    /// Solves for the right sides at hand: velocities into `u`; multipliers of all rows are returned, the bilateral ones
    /// first.
    pub(super) fn solve_once(&mut self, u: &mut [Vec3]) -> &[f64] {
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.solve_once((&self.right, &self.row_right), (u, &mut self.row_step));
        &self.row_step
    }

    /// Velocities, multipliers and impulses by the factor at hand.
    pub(super) fn back_solve(&mut self, stage: Stage, solution: &mut MixedSolution) {
        let start = stage.problem.unilateral.start;
        let steps = self.solve_once(solution.u);
        let (lambda, changes) = steps.split_at(solution.lambda.len());
        solution.lambda.copy_from_slice(lambda);
        for (z, (start, change)) in solution.z.iter_mut().zip(start.iter().zip(changes)) {
            *z = start + change;
        }
    }

    /// Takes off the right side what the compliance of the matrix would let through.
    pub(super) fn subtract_regularization(&mut self, stage: Stage, statuses: &[ActiveSetStatus]) {
        let bilateral = stage.rows.count();
        for (row, _) in
            statuses.iter().enumerate().filter(|(_, place)| **place == ActiveSetStatus::Basic)
        {
            let change = self.row_step[bilateral + row];
            self.row_right[bilateral + row] += REGULARIZATION * stage.own[row] * change;
        }
    }

    /// Active rows as they are, others as knowns.
    fn fill_matrix(&mut self, stage: Stage, statuses: &[ActiveSetStatus]) {
        let (rows, bilateral) = (&stage.problem.unilateral, stage.rows.count());
        let entries = stage.rows.entry_count();
        self.values[..entries].copy_from_slice(stage.problem.bilateral.values);
        for (row, place) in statuses.iter().enumerate() {
            let range = rows.pattern.entries(row);
            let values = &mut self.values[entries + range.start..entries + range.end];
            if *place == ActiveSetStatus::Basic {
                values.copy_from_slice(&rows.values[range]);
                let compliance = rows.compliance[row] + REGULARIZATION * stage.own[row];
                self.compliance[bilateral + row] = compliance;
            } else {
                values.fill(Vec3::zeros());
                self.compliance[bilateral + row] = 1.0;
            }
        }
    }

    /// Right sides: targets of active rows, changes of impulses of the others.
    pub(super) fn fill_right(
        &mut self,
        stage: Stage,
        statuses: &[ActiveSetStatus],
        limits: &[[f64; 2]],
    ) {
        let (rows, bilateral) = (&stage.problem.unilateral, stage.rows.count());
        let (b, b_g) = stage.problem.sides();
        self.right.copy_from_slice(b);
        self.row_right[..bilateral].copy_from_slice(b_g);
        for (row, (place, &[lower, upper])) in statuses.iter().zip(limits).enumerate() {
            let known = match place {
                ActiveSetStatus::Basic => {
                    self.row_right[bilateral + row] =
                        rows.target[row] - rows.compliance[row] * rows.start[row];
                    continue;
                }
                ActiveSetStatus::Upper => upper,
                ActiveSetStatus::Lower => lower,
            };
            let change = known - rows.start[row];
            self.row_right[bilateral + row] = change;
            rows.push(row, change, &mut self.right);
        }
    }
}
