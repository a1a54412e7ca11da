//! The complementarity problem of an iteration: impulses that make the corrected velocities meet the rows, on the
//! Schur complement of the factor at hand.

use crate::Vec3;
use crate::constraint::Placement;
use crate::lcp::{ContactOutcome, ContactProblem, FrictionModel};
use crate::linalg::BlockMatrix;
use crate::solve::constrained::factor::back_solve;
use crate::solve::constrained::tuning::{
    DENSE_ITERATIONS, LIMIT_ITERATIONS, LIMIT_TOLERANCE, PASSES, REGULARIZATION, SETTLING,
};
use crate::solve::constrained::unilateral::choices::{set_corrected_velocities, solve_normals};
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::constrained::unilateral::sparse::solve_sparse;
use crate::solve::constrained::unilateral::{DenseResponse, Unilateral};
use crate::solve::constrained::{Matrix, Parts, StepContext, Substep};
use crate::solve::equations::Work;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

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
    if !rows.step.status.directed {
        if rows.step.choices.is_post_hoc() {
            solve_normals(parts, context, matrix, substep, rows)?;
        }
        if !rows.is_sparse() {
            set_free_velocities(parts, work, substep);
        }
        let begin = beginning(parts, multibody, work, substep);
        let free = (!rows.is_sparse()).then_some(&parts.trial.balance.force[..]);
        rows.add_friction(&begin, free, state);
        rows.dense.current = false;
    }
    if rows.is_sparse() || rows.step.status.iteration > DENSE_ITERATIONS {
        return correct_sparse(parts, context, matrix, rows).map(|()| conflict);
    }
    if !rows.dense.current {
        respond(parts, (multibody, matrix), substep, rows)?;
    }
    set_corrected_velocities(parts);
    if rows.solve(&parts.end_u, substep.friction).is_err() {
        // The sparse way gives every row a little, and goes on where this one cannot.
        rows.step.set.impulses.copy_from_slice(&rows.step.set.before);
        rows.step.status.iteration = DENSE_ITERATIONS + 1;
        return correct_sparse(parts, context, matrix, rows).map(|()| conflict);
    }
    let (size, count) = (parts.linear.step.len(), parts.linear.row_step.len());
    for row in 0..rows.step.set.count() {
        let change = rows.step.set.impulses[row] - rows.step.set.before[row];
        if change == 0.0 {
            continue;
        }
        let velocities = &rows.dense.velocities[row * size..][..size];
        parts.linear.step.iter_mut().zip(velocities).for_each(|(step, v)| *step += v * change);
        let multipliers = &rows.dense.multipliers[row * count..][..count];
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

/// `parts.trial.balance.force` = velocities at the end of the step as corrected.
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
    rows.step.set.half.clone_from(&rows.step.set.values);
    for (entry, &block) in rows.step.set.pattern.blocks().iter().enumerate() {
        if let Some(k) = multibody.body_of_spin(block) {
            let vector = &mut rows.step.set.half[entry];
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
    rows.dense.velocities.resize(size * rows.step.set.count(), Vec3::zeros());
    rows.dense.multipliers.resize(count * rows.step.set.count(), 0.0);
    let DenseResponse { velocities, multipliers, .. } = &mut rows.dense;
    if substep.matrix == Matrix::Symmetric {
        let right = (&rows.step.set.pattern, &rows.step.set.half[..]);
        parts.saddle.respond_once(right, (velocities, multipliers));
    } else {
        let sides = (parts.linear.right.clone(), parts.linear.row_right.clone());
        for row in 0..rows.step.set.rows.len() {
            parts.linear.right.fill(Vec3::zeros());
            parts.linear.row_right.fill(0.0);
            for entry in rows.step.set.pattern.entries(row) {
                parts.linear.right[rows.step.set.pattern.blocks()[entry] as usize] +=
                    rows.step.set.half[entry];
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
        // What is left of the limits of friction is for the next iteration.
        ContactOutcome::Solved { .. } | ContactOutcome::Unsettled { .. } => Ok(()),
        ContactOutcome::Failed(_) => Err(Failure::Complementarity(outcome)),
    }
}

impl Unilateral {
    /// Whether there are too many rows for the dense way.
    pub(in super::super) fn is_sparse(&self) -> bool {
        self.step.status.many
    }

    /// Response of rows to rows: N S^-1 N^T and the compliance of soft rows, symmetric.
    pub(super) fn update_response(&mut self, size: usize) {
        let n = self.step.set.count();
        self.dense.response.resize(n * n, 0.0);
        for (j, velocities) in self.dense.velocities.chunks_exact(size.max(1)).take(n).enumerate() {
            for i in 0..n {
                self.dense.response[i * n + j] =
                    self.step.set.pattern.velocity(i, &self.step.set.values, velocities);
            }
        }
        self.step.set.own.resize(n, 0.0);
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (self.dense.response[i * n + j] + self.dense.response[j * n + i]);
                (self.dense.response[i * n + j], self.dense.response[j * n + i]) = (mean, mean);
            }
            let own = self.dense.response[i * n + i];
            self.step.set.own[i] = own;
            self.dense.response[i * n + i] +=
                REGULARIZATION * own + self.step.set.rows[i].compliance;
        }
        self.dense.current = true;
    }

    /// New impulses, by the velocities that there are with those of now.
    pub(super) fn solve(
        &mut self,
        velocities: &[Vec3],
        model: FrictionModel,
    ) -> Result<(), Failure> {
        let n = self.step.set.count();
        self.step.set.before.copy_from_slice(&self.step.set.impulses);
        self.step.status.iteration += 1;
        for i in 0..n {
            let velocity = self.step.set.pattern.velocity(i, &self.step.set.values, velocities);
            let row = &self.dense.response[i * n..(i + 1) * n];
            // What the compliance of a row takes is in the response.
            let compliance = self.step.set.rows[i].compliance * self.step.set.before[i];
            let known: f64 = row.iter().zip(&self.step.set.before).map(|(a, z)| a * z).sum();
            self.dense.constant[i] = velocity + compliance - self.step.set.rows[i].target - known;
        }
        self.dense.before_pass.clone_from(&self.step.set.before);
        // Cones are solved from no guess each time.
        let passes = if model == FrictionModel::Box { PASSES } else { 1 };
        for _ in 0..passes {
            self.solve_pass(model)?;
            // What is added to the diagonal multiplies the change of this pass alone.
            for i in 0..n {
                let change = self.step.set.impulses[i] - self.dense.before_pass[i];
                self.dense.constant[i] -= REGULARIZATION * self.step.set.own[i] * change;
            }
            self.dense.before_pass.clone_from(&self.step.set.impulses);
        }
        Ok(())
    }

    /// One solution of the complementarity problem as it stands.
    fn solve_pass(&mut self, model: FrictionModel) -> Result<(), Failure> {
        let problem = ContactProblem {
            matrix: &self.dense.response,
            q: &self.dense.constant,
            bounds: &self.step.set.bounds,
            model,
        };
        if model != FrictionModel::Box {
            let outcome = self.dense.solver.solve(
                &problem,
                &mut self.step.set.places,
                &mut self.step.set.impulses,
            );
            self.step.choices.count(&outcome);
            return accepted(outcome);
        }
        let mut outcome = self.dense.solver.round(
            &problem,
            &mut self.step.set.places,
            &mut self.step.set.impulses,
        );
        self.step.choices.count(&outcome);
        for _ in 1..LIMIT_ITERATIONS {
            match outcome {
                ContactOutcome::Unsettled { change, .. } if change > LIMIT_TOLERANCE => {
                    let z = &mut self.step.set.impulses;
                    outcome = self.dense.solver.round(&problem, &mut self.step.set.places, z);
                    self.step.choices.count(&outcome);
                }
                _ => break,
            }
        }
        accepted(outcome)
    }

    /// By how much the rows are missed in a step of `h`, at mean velocities `y` [m], [rad].
    pub(in super::super) fn measure(&mut self, y: &[Vec3], h: f64) {
        let n = self.step.set.count();
        // Limits that stay are those of the step.
        let settled = !self.step.status.pivoting_failed
            && self.step.status.iteration > SETTLING
            && self.sparse.friction.limits.len() == n;
        let mut largest = 0f64;
        for i in 0..n {
            let row = &self.step.set.rows[i];
            let own = self.step.set.own.get(i).copied().unwrap_or(1.0);
            let z = self.step.set.impulses[i];
            let room = self.step.set.pattern.velocity(i, &self.step.set.values, y) - row.target
                + row.compliance * z;
            if self.step.choices.is_in_cone(&self.step.set.bounds[i]) {
                continue;
            }
            let [lower, upper] = match settled {
                true => self.sparse.friction.limits[i],
                false => self.step.set.limits(i),
            };
            let error = ((z - room / own).clamp(lower, upper) - z).abs() * own * h;
            // A maximum that keeps what is not a number.
            largest = if error <= largest { largest } else { error };
        }
        self.step.status.motion =
            self.step.set.rows.iter().fold(0.0, |m: f64, row| m.max(row.before.abs())) * h;
        // Without directions of friction nothing is known yet of active contacts.
        let unknown =
            !self.step.status.directed && self.step.set.impulses.iter().any(|z| *z != 0.0);
        self.step.status.error = if unknown { f64::INFINITY } else { largest };
    }
}
