//! The complementarity problem of a round: impulses that make the corrected velocities meet the rows, on the
//! Schur complement of the factor at hand.

use super::Unilateral;
use super::rows::Begin;
use super::sparse::SETTLING;
use crate::Vec3;
use crate::constraint::Placement;
use crate::lcp::{ContactOutcome, ContactProblem, FrictionModel};
use crate::linalg::BlockMatrix;
use crate::solve::constrained::StepContext;
use crate::solve::constrained::{Constrained, Matrix, Piece};
use crate::solve::equations::Work;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Share of the response of a row to its own impulse that is added to it where impulses change [-]: rows
/// that depend on each other then have a solution, and rounds remove what it lets through.
const REGULARIZATION: f64 = 1e-8;

/// Rounds of the limits of friction in one round of the step, at most, and their change that is left [-].
const LIMIT_ROUNDS: usize = 8;
const LIMIT_TOLERANCE: f64 = 1e-10;
/// Solutions of one complementarity problem: the second leaves 1e-16 of what is added to the diagonal.
const PASSES: usize = 2;
/// Rounds of the dense way, at most.
const DENSE_ROUNDS: usize = 6;

impl Constrained {
    /// Rows of the step that begins at the placement of `start`.
    pub(in super::super) fn begin_unilateral(
        &mut self,
        multibody: &Multibody,
        work: &Work,
        state: &State,
        piece: Piece,
    ) {
        let Some(mut unilateral) = self.unilateral.take() else { return };
        let begin = self.beginning(multibody, work, piece);
        unilateral.begin(&begin, state);
        for (k, body) in multibody.bodies.iter().enumerate() {
            self.free[k] = body.spins_freely && !unilateral.touches(k);
        }
        self.unilateral = Some(unilateral);
    }

    fn beginning<'a>(
        &'a self,
        multibody: &'a Multibody,
        work: &'a Work,
        piece: Piece,
    ) -> Begin<'a> {
        Begin {
            multibody,
            attachments: &self.reduction,
            at: Placement {
                q: &work.q0,
                turns: &self.start.turns,
                coordinates: &self.start.coordinates,
            },
            u: &work.u0,
            h: piece.h,
            w: piece.weight(),
        }
    }

    /// Corrections of velocities and multipliers with the impulses of unilateral rows that satisfy these, in the
    /// frame of the start. Whether rows contradict each other.
    pub(in super::super) fn correct_touching(
        &mut self,
        context: StepContext,
        matrix: &BlockMatrix,
        (work, state): (&Work, &State),
        piece: Piece,
    ) -> Result<bool, Failure> {
        let mut rows = self.unilateral.take().expect("there are such rows");
        let result = self.correct_with(context, matrix, (work, state), piece, &mut rows);
        self.unilateral = Some(rows);
        result
    }

    fn correct_with(
        &mut self,
        context: StepContext,
        matrix: &BlockMatrix,
        (work, state): (&Work, &State),
        piece: Piece,
        rows: &mut Unilateral,
    ) -> Result<bool, Failure> {
        let StepContext { multibody, .. } = context;
        let mut conflict = false;
        if !rows.is_sparse() {
            conflict = self.back_solve(matrix, piece)?.conflict;
            self.turn_back(multibody);
        }
        if !rows.directed {
            if rows.choices.is_post_hoc() {
                self.solve_normals(context, matrix, piece, rows)?;
            }
            if !rows.is_sparse() {
                self.set_free_velocities(work, piece);
            }
            let begin = self.beginning(multibody, work, piece);
            let free = (!rows.is_sparse()).then_some(&self.trial.force[..]);
            rows.add_friction(&begin, free, state);
            rows.current = false;
        }
        if rows.is_sparse() || rows.round > DENSE_ROUNDS {
            return self.correct_sparse(context, matrix, rows).map(|()| conflict);
        }
        if !rows.current {
            self.respond((multibody, matrix), piece, rows)?;
        }
        self.set_corrected_velocities();
        if rows.solve(&self.end_u, piece.friction).is_err() {
            // The sparse way gives every row a little, and goes on where this one cannot.
            rows.impulses.copy_from_slice(&rows.before);
            rows.round = DENSE_ROUNDS + 1;
            return self.correct_sparse(context, matrix, rows).map(|()| conflict);
        }
        let (size, count) = (self.step.len(), self.row_step.len());
        for row in 0..rows.count() {
            let change = rows.impulses[row] - rows.before[row];
            if change == 0.0 {
                continue;
            }
            let velocities = &rows.velocities[row * size..][..size];
            self.step.iter_mut().zip(velocities).for_each(|(step, v)| *step += v * change);
            let multipliers = &rows.multipliers[row * count..][..count];
            self.row_step.iter_mut().zip(multipliers).for_each(|(step, l)| *step += l * change);
        }
        Ok(conflict)
    }

    pub(super) fn correct_sparse(
        &mut self,
        context: StepContext,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
    ) -> Result<(), Failure> {
        let StepContext { system, multibody } = context;
        self.turn_rows(multibody, rows);
        self.solve_sparse(system, matrix, rows)?;
        self.turn_back(multibody);
        Ok(())
    }

    /// Angular corrections from the frame half way into that of the start.
    pub(in super::super) fn turn_back(&mut self, multibody: &Multibody) {
        for (k, body) in multibody.bodies.iter().enumerate() {
            let step = &mut self.step[body.row as usize + 1];
            *step = self.start.turns[k] * self.trial.half[k].tr_mul(step);
        }
    }

    /// `self.trial.force` = velocities at the end of the step as corrected.
    pub(super) fn set_free_velocities(&mut self, work: &Work, piece: Piece) {
        let w = piece.weight();
        self.set_corrected_velocities();
        let mean = self.end_u.iter().zip(&work.u0);
        for (free, (y, before)) in self.trial.force.iter_mut().zip(mean) {
            *free = before + (y - before) / w;
        }
    }

    /// Vectors of the rows with those of rotations in the frame half way.
    pub(super) fn turn_rows(&self, multibody: &Multibody, rows: &mut Unilateral) {
        rows.half.clone_from(&rows.values);
        for (entry, &block) in rows.pattern.blocks().iter().enumerate() {
            if let Some(k) = multibody.body_of_spin(block) {
                let vector = &mut rows.half[entry];
                *vector = self.trial.half[k] * self.start.turns[k].tr_mul(vector);
            }
        }
    }

    /// Responses of velocities and multipliers to a unit impulse on each row, and of rows to rows.
    pub(super) fn respond(
        &mut self,
        (multibody, matrix): (&Multibody, &BlockMatrix),
        piece: Piece,
        rows: &mut Unilateral,
    ) -> Result<(), Failure> {
        let (size, count) = (self.step.len(), self.row_step.len());
        self.turn_rows(multibody, rows);
        rows.velocities.resize(size * rows.count(), Vec3::zeros());
        rows.multipliers.resize(count * rows.count(), 0.0);
        let Unilateral { velocities, multipliers, .. } = rows;
        if piece.matrix == Matrix::Symmetric {
            let right = (&rows.pattern, &rows.half[..]);
            self.kkt.respond_once(right, (velocities, multipliers));
        } else {
            let sides = (self.right.clone(), self.row_right.clone());
            for row in 0..rows.rows.len() {
                self.right.fill(Vec3::zeros());
                self.row_right.fill(0.0);
                for entry in rows.pattern.entries(row) {
                    self.right[rows.pattern.blocks()[entry] as usize] += rows.half[entry];
                }
                let kept = (self.step.clone(), self.row_step.clone());
                self.back_solve(matrix, piece)?;
                velocities[row * size..][..size].copy_from_slice(&self.step);
                multipliers[row * count..][..count].copy_from_slice(&self.row_step);
                (self.step, self.row_step) = kept;
            }
            (self.right, self.row_right) = sides;
        }
        for velocities in velocities.chunks_exact_mut(size.max(1)) {
            for (k, body) in multibody.bodies.iter().enumerate() {
                let spin = &mut velocities[body.row as usize + 1];
                *spin = self.start.turns[k] * self.trial.half[k].tr_mul(spin);
            }
        }
        rows.update_response(size);
        Ok(())
    }
}

fn accepted(outcome: ContactOutcome) -> Result<(), Failure> {
    match outcome {
        // What is left of the limits of friction is for the next round.
        ContactOutcome::Solved { .. } | ContactOutcome::Unsettled { .. } => Ok(()),
        ContactOutcome::Failed(_) => Err(Failure::Complementarity(outcome)),
    }
}

impl Unilateral {
    /// Whether there are too many rows for the dense way.
    pub(in super::super) fn is_sparse(&self) -> bool {
        self.many
    }

    /// Response of rows to rows: N S^-1 N^T and the give of soft rows, symmetric.
    pub(super) fn update_response(&mut self, size: usize) {
        let n = self.count();
        self.response.resize(n * n, 0.0);
        for (j, velocities) in self.velocities.chunks_exact(size.max(1)).take(n).enumerate() {
            for i in 0..n {
                self.response[i * n + j] = self.pattern.velocity(i, &self.values, velocities);
            }
        }
        self.own.resize(n, 0.0);
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (self.response[i * n + j] + self.response[j * n + i]);
                (self.response[i * n + j], self.response[j * n + i]) = (mean, mean);
            }
            let own = self.response[i * n + i];
            self.own[i] = own;
            self.response[i * n + i] += REGULARIZATION * own + self.rows[i].give;
        }
        self.current = true;
    }

    /// New impulses, by the velocities that there are with those of now.
    pub(super) fn solve(
        &mut self,
        velocities: &[Vec3],
        model: FrictionModel,
    ) -> Result<(), Failure> {
        let n = self.count();
        self.before.copy_from_slice(&self.impulses);
        self.round += 1;
        for i in 0..n {
            let velocity = self.pattern.velocity(i, &self.values, velocities);
            let row = &self.response[i * n..(i + 1) * n];
            // What the give of a row takes is in the response.
            let give = self.rows[i].give * self.before[i];
            let known: f64 = row.iter().zip(&self.before).map(|(a, z)| a * z).sum();
            self.constant[i] = velocity + give - self.rows[i].target - known;
        }
        self.before_pass.clone_from(&self.before);
        // Cones are solved from no guess each time.
        let passes = if model == FrictionModel::Box { PASSES } else { 1 };
        for _ in 0..passes {
            self.solve_pass(model)?;
            // What is added to the diagonal multiplies the change of this pass alone.
            for i in 0..n {
                let change = self.impulses[i] - self.before_pass[i];
                self.constant[i] -= REGULARIZATION * self.own[i] * change;
            }
            self.before_pass.clone_from(&self.impulses);
        }
        Ok(())
    }

    /// One solution of the complementarity problem as it stands.
    fn solve_pass(&mut self, model: FrictionModel) -> Result<(), Failure> {
        let problem = ContactProblem {
            matrix: &self.response,
            q: &self.constant,
            bounds: &self.bounds,
            model,
        };
        if model != FrictionModel::Box {
            let outcome = self.solver.solve(&problem, &mut self.places, &mut self.impulses);
            self.choices.count(&outcome);
            return accepted(outcome);
        }
        let mut outcome = self.solver.round(&problem, &mut self.places, &mut self.impulses);
        self.choices.count(&outcome);
        for _ in 1..LIMIT_ROUNDS {
            match outcome {
                ContactOutcome::Unsettled { change, .. } if change > LIMIT_TOLERANCE => {
                    let z = &mut self.impulses;
                    outcome = self.solver.round(&problem, &mut self.places, z);
                    self.choices.count(&outcome);
                }
                _ => break,
            }
        }
        accepted(outcome)
    }

    /// Takes the impulses off what is left of the momentum balance.
    pub(in super::super) fn push(&self, residual: &mut [Vec3], lengths: &[f64], scale: &mut f64) {
        for (row, &impulse) in self.impulses.iter().enumerate().filter(|(_, z)| **z != 0.0) {
            for entry in self.pattern.entries(row) {
                let block = self.pattern.blocks()[entry] as usize;
                let push = self.values[entry] * impulse;
                residual[block] -= push;
                *scale = scale.max(push.norm() / lengths[block]);
            }
        }
    }

    /// By how much the rows are missed in a step of `h`, at mean velocities `y` [m], [rad].
    pub(in super::super) fn measure(&mut self, y: &[Vec3], h: f64) {
        let n = self.count();
        // Limits that stay are those of the step.
        let settled = !self.hard && self.round > SETTLING && self.sparse.limits.len() == n;
        let mut largest = 0f64;
        for i in 0..n {
            let row = &self.rows[i];
            let own = self.own.get(i).copied().unwrap_or(1.0);
            let z = self.impulses[i];
            let room = self.pattern.velocity(i, &self.values, y) - row.target + row.give * z;
            if self.choices.is_in_cone(&self.bounds[i]) {
                continue;
            }
            let [lower, upper] = match settled {
                true => self.sparse.limits[i],
                false => self.limits(i),
            };
            let error = ((z - room / own).clamp(lower, upper) - z).abs() * own * h;
            // A maximum that keeps what is not a number.
            largest = if error <= largest { largest } else { error };
        }
        self.motion = self.rows.iter().fold(0.0, |m: f64, row| m.max(row.before.abs())) * h;
        // Without directions of friction nothing is known yet of contacts that carry.
        let unknown = !self.directed && self.impulses.iter().any(|z| *z != 0.0);
        self.error = if unknown { f64::INFINITY } else { largest };
    }
}
