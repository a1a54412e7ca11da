//! Accelerations and projections of a state in natural coordinates.

use crate::constraint::Placement;
use crate::solve::constrained::acceleration::{
    add_forces_of_soft_rows, add_soft_rows, begin_accelerations, set_changes_of_rows,
    take_prescribed,
};
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::driven::Order;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{forget_soft_rows, place_on_rows};
use crate::solve::constrained::tuning::POSITION_TOLERANCE;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{LoadCase, Multibody, State};

use super::Natural;
use super::base::PAIRS;
use super::solution::Demand;

/// Error of rows that is rounding [m], [-], [m/s], [1/s].
const ROUNDING: f64 = 1e-13;
/// Most corrections of positions.
const MAX_ITERATIONS: usize = 30;

impl Natural {
    /// Accelerations of a state whose bodies it has: `parts.linear.step`, those of base vectors inside, and forces of
    /// rows in `parts.linear.row_step`. Accelerations of prescribed scalars are in `work.b`.
    pub(in crate::solve) fn accelerate(
        &mut self,
        equations: &mut Equations,
        context: StepContext,
        parts: &mut Parts,
        state: &mut State,
        at: (LoadCase, f64),
    ) -> Result<(), Failure> {
        let StepContext { system, multibody } = context;
        begin_accelerations(equations, context, parts, state, at)?;
        set_bending(parts, multibody, state);
        parts.add_demand(multibody, Order::Acceleration);
        add_soft_rows(parts, multibody, state);
        take_prescribed(parts, system, &equations.work.b);
        self.equations.factor(system, parts, &self.bases)?;
        self.equations.solve(system, (parts, &mut self.bases), Demand::Accelerations);
        add_forces_of_soft_rows(parts, multibody);
        Ok(())
    }

    /// Brings positions, then velocities, onto rows of rigidity and of joints, by the least motion in the metric of the
    /// masses: q + M⁺ Gᵀ (..), repeated (Moore-Penrose iteration, Eich1993). True if they were off.
    pub(in crate::solve) fn project(
        &mut self,
        context: StepContext,
        parts: &mut Parts,
        state: &mut State,
    ) -> Result<bool, Failure> {
        let StepContext { system, multibody } = context;
        place_on_rows(parts, multibody, state);
        let rate = self.demand(parts, multibody, state, Demand::Rates);
        let mut before = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            let error = self.demand(parts, multibody, state, Demand::Positions);
            if iteration == 0 && error.max(rate) < ROUNDING {
                return Ok(false);
            }
            if error < ROUNDING || (error < POSITION_TOLERANCE && error > 0.5 * before) {
                break;
            }
            before = error;
            self.equations.factor(system, parts, &self.bases)?;
            self.equations.solve(system, (parts, &mut self.bases), Demand::Positions);
            self.displace(parts, multibody, state);
            place_on_rows(parts, multibody, state);
        }
        self.demand(parts, multibody, state, Demand::Rates);
        self.equations.factor(system, parts, &self.bases)?;
        self.equations.solve(system, (parts, &mut self.bases), Demand::Rates);
        self.add_velocities(parts, multibody, state);
        Ok(true)
    }

    /// Right sides of the constraint rows for their errors, or the rates of these; the largest error of any row, those of
    /// rigidity among them.
    fn demand(
        &self,
        parts: &mut Parts,
        multibody: &Multibody,
        state: &State,
        demand: Demand,
    ) -> f64 {
        match demand {
            Demand::Positions => parts.set_row_errors(),
            Demand::Accelerations | Demand::Rates => {
                let (pattern, right) =
                    (parts.reduction.rows.pattern(), &mut parts.linear.row_right);
                pattern.mul(&parts.trial.reduced, &state.u, right);
                right.iter_mut().for_each(|side| *side = -*side);
                parts.add_demand(multibody, Order::Rate);
            }
        }
        forget_soft_rows(parts, multibody);
        let rows = parts.linear.row_right.iter().fold(0.0, |most: f64, side| most.max(side.abs()));
        let bodies = 0..self.bases.base.len();
        let rigidity = bodies.flat_map(|k| PAIRS.map(|pair| (k, pair)));
        rigidity
            .fold(rows, |most, (k, pair)| most.max(demand.of_rigidity(&self.bases, k, pair).abs()))
    }

    /// Moves by the solution, base vectors too.
    fn displace(&mut self, parts: &Parts, multibody: &Multibody, state: &mut State) {
        state.q.iter_mut().zip(&parts.linear.step).for_each(|(q, step)| *q += step);
        for (k, body) in multibody.bodies.iter().enumerate() {
            let (rotation, step) = (body.row as usize + 1, &parts.linear.step);
            state.q[rotation] -= step[rotation];
            if self.moves(body.row) {
                self.bases.base[k] += self.bases.found[k];
                [state.q[rotation], state.u[rotation]] = self.bases.turn(k);
            }
        }
    }

    /// Adds the solution to velocities.
    fn add_velocities(&mut self, parts: &Parts, multibody: &Multibody, state: &mut State) {
        state.u.iter_mut().zip(&parts.linear.step).for_each(|(u, step)| *u += step);
        for (k, body) in multibody.bodies.iter().enumerate() {
            if self.moves(body.row) {
                self.bases.rates[k] += self.bases.found[k];
                state.u[body.row as usize + 1] = self.bases.turning(k, &self.bases.rates[k]);
            }
        }
        parts.reduction.attachments.expand_velocity(&mut state.u);
    }

    /// True for the first row of a body that is not prescribed.
    fn moves(&self, row: u32) -> bool {
        self.equations.structure.coordinates(row).is_some()
    }
}

/// `parts.linear.row_right` = -(dG/dt) u, exact but for laws of users, of which central differences are taken.
fn set_bending(parts: &mut Parts, multibody: &Multibody, state: &State) {
    let rows = &multibody.joints.rows;
    if rows.has_laws() {
        set_changes_of_rows(parts, multibody, state);
    } else {
        parts.linear.row_right.fill(0.0);
        parts.add_bias_of_rows(multibody);
    }
    let turns = &parts.trial.bodies.turns[..];
    let reader = rows.at(Placement { q: &state.q, turns, coordinates: &state.coordinates });
    for (row, side) in parts.linear.row_right.iter_mut().enumerate() {
        if let Some(bending) = reader.bending(row, &state.u) {
            *side -= bending;
        }
    }
}
