//! Impulses of contacts, friction and ranges at the end of an explicit step: one complementarity problem
//! in the metric of the masses, under the rows of the joints.

use super::Unilateral;
use super::rows::Begin;
use crate::Vec3;
use crate::constraint::Placement;
use crate::lcp::FrictionModel;
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::KktSystem;
use crate::solve::constrained::StepContext;
use crate::solve::constrained::rounds::TOUCHING_GOALS;
use crate::solve::constrained::{Constrained, POSITION_GOAL};
use crate::solve::equations::{Equations, Work};
use crate::solve::failure::Failure;
use crate::system::{MechSystem, Multibody, State};

/// Rounds of the limits of friction, at most.
const ROUNDS: usize = 20;
/// Weight of the end of the step: an impulse acts as a force that is constant over the step, so that what
/// rests stays. What is struck goes too far by half of its way, and is taken back with other overlaps.
const WEIGHT: f64 = 0.5;

/// Changes velocities and positions at the end of a step of `h` that was taken without contacts and
/// ranges, by the impulses of these. `work` holds the start.
pub(in crate::solve) fn strike(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let Some(mut rows) = own.unilateral.take() else { return Ok(()) };
    own.end_u.copy_from_slice(&state.u);
    let result = strike_with(equations, context, own, state, h, &mut rows);
    if result.is_ok() {
        own.take_impulses(multibody, &equations.work, state, (h, &rows));
        rows.count_into(equations.settings.friction, &mut equations.stats);
    }
    own.unilateral = Some(rows);
    result
}

/// Mean velocities of the step into `own.trial.y`, and without impulses into `own.trial.residual`.
fn strike_with(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    own.begin_at_start(multibody, &mut equations.work, state, (h, rows));
    own.place(multibody, state);
    own.set_masses(context, &mut equations.matrix, state);
    own.rows.pattern().mul(&own.trial.reduced, &state.u, &mut own.row_right);
    own.row_right.iter_mut().for_each(|b| *b *= -WEIGHT);
    own.forget_soft_rows(multibody);
    own.least_motion(&equations.matrix)?;
    for (row, y) in own.trial.y.iter_mut().enumerate() {
        let before = equations.work.u0[row];
        *y = before + (state.u[row] - before) * WEIGHT;
    }
    own.add_step();
    own.trial.residual.copy_from_slice(&own.trial.y);
    let model = equations.settings.friction;
    own.solve_rows((system, &equations.matrix), rows, FrictionModel::Box, h)?;
    rows.choices.keep_normals(&rows.impulses);
    for (row, free) in own.trial.force.iter_mut().enumerate() {
        let before = equations.work.u0[row];
        *free = before + (own.trial.y[row] - before) / WEIGHT;
    }
    own.reduction.expand_velocity(&mut own.trial.force);
    let count = rows.count();
    let begin = own.struck(multibody, &equations.work, h);
    rows.add_friction(&begin, Some(&own.trial.force), state);
    if rows.count() > count {
        own.solve_rows((system, &equations.matrix), rows, model, h)?;
    }
    Ok(())
}

impl Constrained {
    /// The start of a step whose impulses are sought.
    fn struck<'a>(&'a self, multibody: &'a Multibody, work: &'a Work, h: f64) -> Begin<'a> {
        let (turns, coordinates) = (&self.start.turns[..], &self.start.coordinates[..]);
        Begin {
            multibody,
            attachments: &self.reduction,
            at: Placement { q: &work.q0, turns, coordinates },
            u: &work.u0,
            h,
            w: WEIGHT,
        }
    }

    /// Rows as they are at the start of the step.
    fn begin_at_start(
        &mut self,
        multibody: &Multibody,
        work: &mut Work,
        state: &mut State,
        (h, rows): (f64, &mut Unilateral),
    ) {
        std::mem::swap(&mut state.q, &mut work.q0);
        std::mem::swap(&mut state.u, &mut work.u0);
        self.place(multibody, state);
        std::mem::swap(&mut state.q, &mut work.q0);
        std::mem::swap(&mut state.u, &mut work.u0);
        self.start.turns.copy_from_slice(&self.trial.turns);
        rows.begin(&self.struck(multibody, work, h), state);
    }

    /// Impulses that satisfy the rows there are, with the limits of friction that belong to them.
    fn solve_rows(
        &mut self,
        (system, matrix): (&dyn MechSystem, &BlockMatrix),
        rows: &mut Unilateral,
        model: FrictionModel,
        h: f64,
    ) -> Result<(), Failure> {
        self.trial.y.copy_from_slice(&self.trial.residual);
        self.trial.impulses.fill(0.0);
        self.row_right.fill(0.0);
        self.right.fill(Vec3::zeros());
        rows.half.clone_from(&rows.values);
        rows.pattern.add_transposed(&rows.values, &rows.impulses, &mut self.right);
        (rows.directed, rows.current, rows.hard, rows.round) = (true, false, false, 0);
        for _ in 0..ROUNDS {
            if rows.is_sparse() || self.solve_dense(matrix, rows, model).is_err() {
                self.solve_sparse(system, matrix, rows)?;
            }
            self.add_step();
            let steps = self.trial.impulses.iter_mut().zip(&self.row_step);
            steps.for_each(|(impulse, step)| *impulse += step);
            self.right.fill(Vec3::zeros());
            rows.measure(&self.trial.y, h);
            if rows.error < POSITION_GOAL {
                return Ok(());
            }
        }
        if rows.error < TOUCHING_GOALS[2] {
            return Ok(());
        }
        let (method, iterations) = ("the impulses of an explicit step", ROUNDS);
        let (residual, tolerance) = (rows.error, TOUCHING_GOALS[2]);
        Err(Failure::NotConverged { method, iterations, residual, tolerance })
    }

    /// `self.step` and `self.row_step` on the factor of the masses. Impulses are as they were where this fails.
    fn solve_dense(
        &mut self,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
        model: FrictionModel,
    ) -> Result<(), Failure> {
        let (size, count) = (self.step.len(), self.row_step.len());
        self.step.fill(Vec3::zeros());
        let kkt = KktSystem { s: matrix, g: &self.trial.reduced, r: &self.give };
        let sides = (&self.right[..], &self.row_right[..]);
        self.kkt.solve(kkt, sides, (&mut self.step, &mut self.row_step))?;
        if !rows.current {
            rows.velocities.resize(size * rows.count(), Vec3::zeros());
            rows.multipliers.resize(count * rows.count(), 0.0);
            let Unilateral { velocities, multipliers, pattern, values, .. } = &mut *rows;
            self.kkt.respond_once((pattern, values), (velocities, multipliers));
            rows.update_response(size);
        }
        self.trial.force.copy_from_slice(&self.trial.y);
        let corrected = self.trial.force.iter_mut().zip(&self.step);
        corrected.for_each(|(free, step)| *free += step);
        if let Err(error) = rows.solve(&self.trial.force, model) {
            rows.impulses.copy_from_slice(&rows.before);
            return Err(error);
        }
        for row in 0..rows.count() {
            let change = rows.impulses[row] - rows.before[row];
            let velocities = &rows.velocities[row * size..][..size];
            self.step.iter_mut().zip(velocities).for_each(|(step, v)| *step += v * change);
            let multipliers = &rows.multipliers[row * count..][..count];
            self.row_step.iter_mut().zip(multipliers).for_each(|(step, l)| *step += l * change);
        }
        Ok(())
    }

    /// Adds `self.step` to the mean velocities of what is not held.
    fn add_step(&mut self) {
        for (row, (y, step)) in self.trial.y.iter_mut().zip(&self.step).enumerate() {
            for axis in (0..3).filter(|&axis| !self.held[row][axis]) {
                y[axis] += step[axis];
            }
        }
    }

    /// The state with the impulses found: velocities, positions, and forces of all rows.
    fn take_impulses(
        &mut self,
        multibody: &Multibody,
        work: &Work,
        state: &mut State,
        (h, rows): (f64, &Unilateral),
    ) {
        for (row, u) in state.u.iter_mut().enumerate() {
            let end = work.u0[row] + (self.trial.y[row] - work.u0[row]) / WEIGHT;
            for axis in (0..3).filter(|&axis| !self.held[row][axis]) {
                u[axis] = end[axis];
            }
            self.step[row] = self.trial.y[row] - self.trial.residual[row];
        }
        self.displace_by(multibody, state, h);
        let forces = state.multipliers.iter_mut().zip(&self.trial.impulses);
        forces.for_each(|(force, impulse)| *force += impulse / (WEIGHT * h));
        rows.write_forces(multibody, state, WEIGHT * h);
        self.place(multibody, state);
    }
}
