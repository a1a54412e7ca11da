//! The complementarity problem of a round: impulses that make the corrected velocities meet the rows, on the
//! Schur complement of the factor at hand.

use super::Unilateral;
use super::rows::Begin;
use super::sparse::SETTLING;
use crate::Vec3;
use crate::constraint::Placement;
use crate::lcp::{ContactOutcome, ContactProblem, FrictionModel};
use crate::linalg::BlockMatrix;
use crate::solve::constrained::Parts;
use crate::solve::constrained::StepContext;
use crate::solve::constrained::factor::back_solve;
use crate::solve::constrained::unilateral::choices::{set_corrected_velocities, solve_normals};
use crate::solve::constrained::unilateral::sparse::solve_sparse;
use crate::solve::constrained::{Matrix, Substep};
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

/// The start of a substep, for its rows.
pub(in crate::solve) fn beginning<'a>(
    parts: &'a Parts,
    multibody: &'a Multibody,
    work: &'a Work,
    substep: Substep,
) -> Begin<'a> {
    Begin {
        multibody,
        attachments: &parts.reduction.attachments,
        at: Placement {
            q: &work.q0,
            turns: &parts.start.turns,
            coordinates: &parts.start.coordinates,
        },
        u: &work.u0,
        h: substep.h,
        w: substep.weight(),
    }
}

/// Corrections of velocities and multipliers with the impulses of unilateral rows that satisfy these, in the
/// frame of the start. Whether rows contradict each other.
pub(in crate::solve) fn correct_with(
    parts: &mut Parts,
    context: StepContext,
    matrix: &BlockMatrix,
    (work, state): (&Work, &State),
    substep: Substep,
    rows: &mut Unilateral,
) -> Result<bool, Failure> {
    let StepContext { multibody, .. } = context;
    let mut conflict = false;
    if !rows.is_sparse() {
        conflict = back_solve(parts, matrix, substep)?.conflict;
        turn_back(parts, multibody);
    }
    if !rows.directed {
        if rows.choices.is_post_hoc() {
            solve_normals(parts, context, matrix, substep, rows)?;
        }
        if !rows.is_sparse() {
            set_free_velocities(parts, work, substep);
        }
        let begin = beginning(parts, multibody, work, substep);
        let free = (!rows.is_sparse()).then_some(&parts.trial.balance.force[..]);
        rows.add_friction(&begin, free, state);
        rows.current = false;
    }
    if rows.is_sparse() || rows.iteration > DENSE_ROUNDS {
        return correct_sparse(parts, context, matrix, rows).map(|()| conflict);
    }
    if !rows.current {
        respond(parts, (multibody, matrix), substep, rows)?;
    }
    set_corrected_velocities(parts);
    if rows.solve(&parts.end_u, substep.friction).is_err() {
        // The sparse way gives every row a little, and goes on where this one cannot.
        rows.impulses.copy_from_slice(&rows.before);
        rows.iteration = DENSE_ROUNDS + 1;
        return correct_sparse(parts, context, matrix, rows).map(|()| conflict);
    }
    let (size, count) = (parts.linear.step.len(), parts.linear.row_step.len());
    for row in 0..rows.count() {
        let change = rows.impulses[row] - rows.before[row];
        if change == 0.0 {
            continue;
        }
        let velocities = &rows.velocities[row * size..][..size];
        parts.linear.step.iter_mut().zip(velocities).for_each(|(step, v)| *step += v * change);
        let multipliers = &rows.multipliers[row * count..][..count];
        parts.linear.row_step.iter_mut().zip(multipliers).for_each(|(step, l)| *step += l * change);
    }
    Ok(conflict)
}

pub(in crate::solve) fn correct_sparse(
    parts: &mut Parts,
    context: StepContext,
    matrix: &BlockMatrix,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    turn_rows(parts, multibody, rows);
    solve_sparse(parts, system, matrix, rows)?;
    turn_back(parts, multibody);
    Ok(())
}

/// Angular corrections from the frame half way into that of the start.
pub(in crate::solve) fn turn_back(parts: &mut Parts, multibody: &Multibody) {
    for (k, body) in multibody.bodies.iter().enumerate() {
        let step = &mut parts.linear.step[body.row as usize + 1];
        *step = parts.start.turns[k] * parts.trial.bodies.half[k].tr_mul(step);
    }
}

/// `own.trial.balance.force` = velocities at the end of the step as corrected.
pub(in crate::solve) fn set_free_velocities(parts: &mut Parts, work: &Work, substep: Substep) {
    let w = substep.weight();
    set_corrected_velocities(parts);
    let mean = parts.end_u.iter().zip(&work.u0);
    for (free, (y, before)) in parts.trial.balance.force.iter_mut().zip(mean) {
        *free = before + (y - before) / w;
    }
}

/// Vectors of the rows with those of rotations in the frame half way.
pub(in crate::solve) fn turn_rows(parts: &Parts, multibody: &Multibody, rows: &mut Unilateral) {
    rows.half.clone_from(&rows.values);
    for (entry, &block) in rows.pattern.blocks().iter().enumerate() {
        if let Some(k) = multibody.body_of_spin(block) {
            let vector = &mut rows.half[entry];
            *vector = parts.trial.bodies.half[k] * parts.start.turns[k].tr_mul(vector);
        }
    }
}

/// Responses of velocities and multipliers to a unit impulse on each row, and of rows to rows.
pub(in crate::solve) fn respond(
    parts: &mut Parts,
    (multibody, matrix): (&Multibody, &BlockMatrix),
    substep: Substep,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    let (size, count) = (parts.linear.step.len(), parts.linear.row_step.len());
    turn_rows(parts, multibody, rows);
    rows.velocities.resize(size * rows.count(), Vec3::zeros());
    rows.multipliers.resize(count * rows.count(), 0.0);
    let Unilateral { velocities, multipliers, .. } = rows;
    if substep.matrix == Matrix::Symmetric {
        let right = (&rows.pattern, &rows.half[..]);
        parts.saddle.respond_once(right, (velocities, multipliers));
    } else {
        let sides = (parts.linear.right.clone(), parts.linear.row_right.clone());
        for row in 0..rows.rows.len() {
            parts.linear.right.fill(Vec3::zeros());
            parts.linear.row_right.fill(0.0);
            for entry in rows.pattern.entries(row) {
                parts.linear.right[rows.pattern.blocks()[entry] as usize] += rows.half[entry];
            }
            let kept = (parts.linear.step.clone(), parts.linear.row_step.clone());
            back_solve(parts, matrix, substep)?;
            velocities[row * size..][..size].copy_from_slice(&parts.linear.step);
            multipliers[row * count..][..count].copy_from_slice(&parts.linear.row_step);
            (parts.linear.step, parts.linear.row_step) = kept;
        }
        (parts.linear.right, parts.linear.row_right) = sides;
    }
    for velocities in velocities.chunks_exact_mut(size.max(1)) {
        for (k, body) in multibody.bodies.iter().enumerate() {
            let rotation = &mut velocities[body.row as usize + 1];
            *rotation = parts.start.turns[k] * parts.trial.bodies.half[k].tr_mul(rotation);
        }
    }
    rows.update_response(size);
    Ok(())
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

    /// Response of rows to rows: N S^-1 N^T and the compliance of soft rows, symmetric.
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
            self.response[i * n + i] += REGULARIZATION * own + self.rows[i].compliance;
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
        self.iteration += 1;
        for i in 0..n {
            let velocity = self.pattern.velocity(i, &self.values, velocities);
            let row = &self.response[i * n..(i + 1) * n];
            // What the compliance of a row takes is in the response.
            let compliance = self.rows[i].compliance * self.before[i];
            let known: f64 = row.iter().zip(&self.before).map(|(a, z)| a * z).sum();
            self.constant[i] = velocity + compliance - self.rows[i].target - known;
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
        let settled =
            !self.pivoting_failed && self.iteration > SETTLING && self.sparse.limits.len() == n;
        let mut largest = 0f64;
        for i in 0..n {
            let row = &self.rows[i];
            let own = self.own.get(i).copied().unwrap_or(1.0);
            let z = self.impulses[i];
            let room = self.pattern.velocity(i, &self.values, y) - row.target + row.compliance * z;
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
        // Without directions of friction nothing is known yet of active contacts.
        let unknown = !self.directed && self.impulses.iter().any(|z| *z != 0.0);
        self.error = if unknown { f64::INFINITY } else { largest };
    }
}
