//! Where a run begins, and after an edit, positions and velocities are brought onto the rows, by the least
//! motion in the metric of the masses. In a running simulation nothing is projected.

use crate::solve::constrained::StepContext;
use nalgebra::UnitQuaternion;

use super::{Constrained, POSITION_GOAL};
use crate::Vec3;
use crate::constraint::Placement;
use crate::dynamics::{advanced, turn_between, world_inertia};
use crate::linalg::kkt::KktSystem;
use crate::linalg::{BLOCK, BlockMatrix, add_block};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Most corrections of positions.
const MAX_ROUNDS: usize = 30;

/// Brings positions, then velocities, onto the rigid rows.
pub(in crate::solve) fn project(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    own.place(multibody, state);
    if multibody.rows.count() == 0 {
        return Ok(());
    }
    project_positions(equations, context, own, state)?;
    own.set_masses(context, &mut equations.matrix, state);
    let pattern = own.rows.pattern();
    pattern.mul(&own.trial.reduced, &state.u, &mut own.row_right);
    own.row_right.iter_mut().for_each(|b| *b = -*b);
    own.forget_soft_rows(multibody);
    own.least_motion(&equations.matrix)?;
    state.u.iter_mut().zip(&own.step).for_each(|(u, step)| *u += step);
    own.reduction.expand_velocity(&mut state.u);
    Ok(())
}

/// Brings positions onto the rigid rows, as near as they come where these contradict each other.
pub(in crate::solve) fn project_positions(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    for _ in 0..MAX_ROUNDS {
        own.row_right.iter_mut().zip(&own.trial.values).for_each(|(b, value)| *b = -value);
        own.forget_soft_rows(multibody);
        if own.row_right.iter().all(|b| b.abs() < POSITION_GOAL) {
            break;
        }
        own.set_masses(context, &mut equations.matrix, state);
        own.least_motion(&equations.matrix)?;
        own.displace_by(multibody, state, 1.0);
        own.place(multibody, state);
    }
    Ok(())
}

impl Constrained {
    /// Followers where they belong, and the rows there.
    pub(super) fn place(&mut self, multibody: &Multibody, state: &mut State) {
        let Self { trial, reduction, rows, offsets, .. } = self;
        multibody.update_turns(&state.q, &mut trial.turns);
        multibody.place_followers(&mut trial.turns, &mut state.q);
        multibody.update_rates(&state.q, &mut trial.rates);
        multibody.update_weights(&trial.turns, &trial.rates, &mut trial.weights);
        reduction.update_weights(&trial.weights);
        reduction.expand_velocity(&mut state.u);
        let at = Placement { q: &state.q, turns: &trial.turns, coordinates: &state.coordinates };
        for (row, value) in trial.values.iter_mut().enumerate() {
            *value = multibody.rows.value(row, at);
            let entries = offsets[row] as usize..offsets[row + 1] as usize;
            multibody.rows.coefficients(row, at, &mut trial.coefficients[entries]);
        }
        rows.reduce(reduction, &trial.coefficients, &mut trial.reduced);
    }

    /// Rows that give ask for nothing here.
    pub(super) fn forget_soft_rows(&mut self, multibody: &Multibody) {
        for (row, soft) in multibody.softness.iter().enumerate() {
            self.give[row] = 0.0;
            if soft.compliance != 0.0 {
                (self.give[row], self.row_right[row]) = (1.0, 0.0);
                self.trial.reduced[self.rows.pattern().entries(row)].fill(Vec3::zeros());
            }
        }
    }

    /// The matrix of the masses, reduced.
    pub(super) fn set_masses(
        &mut self,
        context: StepContext,
        matrix: &mut BlockMatrix,
        state: &State,
    ) {
        let StepContext { system, multibody } = context;
        let pattern = system.pattern();
        matrix.values_mut().fill(0.0);
        for (row, mass) in system.masses().iter().enumerate() {
            let block = BLOCK * pattern.diagonal(row);
            (0..3).for_each(|axis| matrix.values_mut()[block + 4 * axis] += mass);
        }
        for body in &multibody.bodies {
            let slot = pattern.diagonal(body.row as usize + 1);
            let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
            add_block(matrix.values_mut(), slot, &inertia);
        }
        self.reduction.reduce(matrix);
    }

    /// The least motion that gives the rows the rates asked for.
    pub(super) fn least_motion(&mut self, matrix: &BlockMatrix) -> Result<(), Failure> {
        self.right.fill(Vec3::zeros());
        self.step.fill(Vec3::zeros());
        let system = KktSystem { s: matrix, g: &self.trial.reduced, r: &self.give };
        let sides = (&self.right[..], &self.row_right[..]);
        self.kkt.least_motion(system, sides, (&mut self.step, &mut self.row_step))?;
        Ok(())
    }

    /// Moves and turns by a share of the step.
    pub(super) fn displace_by(&mut self, multibody: &Multibody, state: &mut State, share: f64) {
        let step = &self.step;
        for (row, q) in state.q.iter_mut().enumerate() {
            *q += step[row] * share;
        }
        for body in &multibody.bodies {
            let spin = body.row as usize + 1;
            state.q[spin] -= step[spin] * share;
            let turned = advanced(&body.orientation(&state.q), &(step[spin] * share));
            state.q[spin] = turn_between(&UnitQuaternion::identity(), &turned);
        }
    }
}
