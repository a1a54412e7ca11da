//! The matrix of a round, and its corrections.

use super::carried::{add_moment_stiffness, spread};
use super::saddle::Solved;
use super::{Constrained, Matrix, Piece};
use crate::Mat3;
use crate::constraint::{Placement, lever_stiffness};
use crate::linalg::kkt::{KktError, KktSystem};
use crate::linalg::{BlockMatrix, add_block};
use crate::solve::constrained::StepContext;
use crate::solve::equations::Work;
use crate::solve::failure::Failure;
use crate::system::{State, Weight};

/// Share of the response of a row to its own impulse that it gives in the matrix [-]: 1e-12 is too little
/// for Bricard's linkage, 1e-5 too much for 100 links (docs/theory/rigid.md).
const REGULARIZATION: f64 = 1e-8;

/// What one correction of the iterate found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Correction {
    /// Whether rows contradict each other.
    pub(super) conflict: bool,
    /// How the linear system was solved.
    pub(super) linear: Solved,
}

impl Constrained {
    /// Factors the matrix at the iterate: what is linear, inertia of rotation, and the curvature of rows
    /// and levers under their impulses.
    pub(super) fn factor(
        &mut self,
        context: StepContext,
        matrix: &mut BlockMatrix,
        work: &Work,
        piece: Piece,
    ) -> Result<(), Failure> {
        let StepContext { system, multibody } = context;
        let h = piece.h;
        for (slot, _, block) in self.terms.drain(..) {
            add_block(matrix.values_mut(), slot as usize, &-block);
        }
        self.set_moments(multibody, work);
        let pattern = system.pattern();
        let Self { trial, terms, reduction, masses, moments, start, .. } = self;
        let mut put = |row: u32, column: u32, block: Mat3| {
            let slot = pattern.slot(row, column).expect("rows of a constraint are coupled");
            terms.push((slot, [row, column], block));
        };
        let mut add = |row: u32, column: u32, block: Mat3| {
            spread(reduction, [row, column], &block, &mut put);
        };
        for (k, carried) in multibody.carried.iter().enumerate() {
            let row = multibody.bodies[carried.body as usize].row;
            add(row, row, Mat3::identity() * masses[row as usize].x);
            let turning = multibody.turning(k, &trial.mean_q);
            add_moment_stiffness(multibody, (k, &turning), &(moments[k] * (-0.5 * h)), &mut add);
        }
        for (k, body) in multibody.bodies.iter().enumerate() {
            let spin = body.row + 1;
            let half = &trial.half[k];
            add(spin, spin, half * body.inertia.rotational() * half.transpose());
        }
        for (k, &slave) in multibody.followers.slaves().iter().enumerate() {
            for rule in &multibody.weights[multibody.followers.weights(k)] {
                if let Weight::Turned(body, arm) = rule {
                    let spin = multibody.bodies[*body as usize].row + 1;
                    let arm = trial.mean_turns[*body as usize] * arm;
                    let block = lever_stiffness(&arm, &work.b[slave as usize]);
                    add(spin, spin, block * (-0.5 * h));
                }
            }
        }
        let coordinates = &start.coordinates;
        let mean = Placement { q: &trial.mean_q, turns: &trial.mean_turns, coordinates };
        for (row, &impulse) in trial.impulses.iter().enumerate().filter(|(_, l)| **l != 0.0) {
            multibody.rows.curvature(row, mean, &mut |i, j, block| {
                if !multibody.is_following_point(i) && !multibody.is_following_point(j) {
                    add(i, j, block * (-0.5 * h * impulse));
                }
            });
        }
        for (slot, _, block) in terms.iter() {
            add_block(matrix.values_mut(), *slot as usize, block);
        }
        self.set_give(context, matrix, piece);
        self.mixing.forget();
        if let Some(rows) = &mut self.unilateral {
            rows.current = false;
            rows.matrices += 1;
        }
        if piece.matrix == Matrix::Unsymmetric {
            return self.factor_unsymmetric(context, matrix);
        }
        // Many unilateral rows are factored with the others.
        let later = self.unilateral.as_ref().is_some_and(|rows| rows.is_sparse());
        if !later {
            let system = KktSystem { s: matrix, g: &self.trial.reduced, r: &self.give };
            let touches = self.unilateral.as_ref().is_some_and(|rows| rows.count() > 0);
            if touches || piece.matrix == Matrix::Nearest {
                self.kkt.factor(system)?;
            } else {
                self.kkt.prepare(system, &self.trial.mean_q)?;
            }
        }
        Ok(())
    }

    /// Compliances as the matrix has them. Rigid rows have a little, so that redundant ones can be factored;
    /// the rounds remove what it lets through. Without it a combination of rows that is redundant but for
    /// the errors of the iterate would ask for whatever removes these.
    fn set_give(&mut self, context: StepContext, matrix: &BlockMatrix, piece: Piece) {
        let StepContext { system, multibody } = context;
        let (h, w) = (piece.h, piece.weight());
        let (pattern, rows) = (system.pattern(), self.rows.pattern());
        for (row, soft) in multibody.softness.iter().enumerate() {
            let scale = w + soft.compliance * soft.damping / h;
            self.give[row] = soft.compliance / (w * h * h * scale);
            if (piece.matrix == Matrix::Nearest) || soft.compliance != 0.0 {
                continue;
            }
            for entry in rows.entries(row) {
                let (block, push) = (rows.blocks()[entry] as usize, self.trial.reduced[entry]);
                let diagonal = matrix.block(pattern.diagonal(block)).diagonal();
                for axis in (0..3).filter(|&axis| !self.held[block][axis]) {
                    let resistance = diagonal[axis].abs().max(self.masses[block][axis]);
                    self.give[row] += REGULARIZATION * push[axis].powi(2) / resistance;
                }
            }
        }
    }

    /// One back-solve, mixed with those before, added to the iterate; where unilateral rows are near, with the
    /// impulses that satisfy them, unmixed.
    pub(super) fn correct(
        &mut self,
        context: StepContext,
        matrix: &BlockMatrix,
        (work, state): (&Work, &State),
        piece: Piece,
    ) -> Result<Correction, Failure> {
        let StepContext { multibody, .. } = context;
        let (h, w) = (piece.h, piece.weight());
        for (right, residual) in self.right.iter_mut().zip(&self.trial.residual) {
            *right = -residual;
        }
        for (row, soft) in multibody.softness.iter().enumerate() {
            let rigid = soft.compliance == 0.0;
            let scale = if rigid { 1.0 } else { w + soft.compliance * soft.damping / h };
            self.row_right[row] = -self.trial.row_residual[row] / (h * scale);
        }
        let correction = if self.unilateral.as_ref().is_some_and(|rows| rows.count() > 0) {
            let known = (work, state);
            let conflict = self.correct_touching(context, matrix, known, piece)?;
            Correction { conflict, ..Correction::default() }
        } else {
            let correction = self.back_solve(matrix, piece)?;
            self.turn_back(multibody);
            self.mixing.mix((&mut self.step, &mut self.row_step), &self.masses);
            correction
        };
        for (row, (y, step)) in self.trial.y.iter_mut().zip(&self.step).enumerate() {
            for axis in (0..3).filter(|&axis| !self.held[row][axis]) {
                y[axis] += step[axis];
            }
        }
        let impulses = self.trial.impulses.iter_mut().zip(&self.row_step);
        impulses.for_each(|(impulse, step)| *impulse += step);
        Ok(correction)
    }

    /// `self.step` and `self.row_step` from `self.right` and `self.row_right`, in the frame half way.
    pub(super) fn back_solve(
        &mut self,
        matrix: &BlockMatrix,
        piece: Piece,
    ) -> Result<Correction, KktError> {
        self.step.fill(crate::Vec3::zeros());
        let sides = (&self.right[..], &self.row_right[..]);
        let solution = (&mut self.step[..], &mut self.row_step[..]);
        let mut correction = Correction::default();
        let system = KktSystem { s: matrix, g: &self.trial.reduced, r: &self.give };
        match piece.matrix {
            // Backward Euler damps far more than what one back-solve leaves.
            Matrix::Symmetric if piece.weight() == 1.0 || self.kkt.iterates() => {
                correction.linear = self.kkt.solve_once(system, sides, solution)?;
            }
            Matrix::Symmetric => {
                self.kkt.solve(system, sides, solution)?;
            }
            Matrix::Unsymmetric => self.solve_unsymmetric(),
            Matrix::Nearest => {
                let report = self.kkt.solve(system, sides, solution)?;
                correction.conflict = report.conflict.is_some();
            }
        }
        Ok(correction)
    }
}
