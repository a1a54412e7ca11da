//! The classical Runge-Kutta rule under constraint rows: at each stage accelerations with G a = -(dG/dt) u;
//! orientations as quaternions; impulses of contacts and ranges, then positions and velocities projected at the
//! end.

use crate::solve::constrained::StepContext;
use crate::solve::constrained::project::project;
use crate::solve::constrained::unilateral::impulses::strike;
use nalgebra::{Quaternion, UnitQuaternion};

use super::Constrained;
use super::parts::HALVINGS;
use crate::Vec3;
use crate::constraint::Placement;
use crate::dynamics::{advanced, gyroscopic_torque, turn_between, world_inertia};
use crate::force::VelocityTerms;
use crate::linalg::kkt::KktSystem;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::runge_kutta::STAGES;
use crate::system::{LoadCase, MechSystem, Motion, Multibody, State};

/// Motion over which the change of the rows is taken [s]: rows are quadratic, so that what is left is of
/// second order in the turns.
pub(super) const LOOK: f64 = 1e-5;

/// One step; in 2, 4, ... parts where impulses are not found or something overlaps too much.
pub(in crate::solve) fn runge_kutta_in_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let time = state.time;
    let halvings = if own.unilateral.is_some() { HALVINGS } else { 0 };
    let mut done = Ok(());
    for halving in 0..=halvings {
        let parts = 1 << halving;
        let length = h / f64::from(parts);
        for part in 0..parts {
            let offset = f64::from(part) * length;
            state.time = time + offset;
            done = constrained_runge_kutta(equations, context, own, state, (length, offset));
            done = done.and_then(|()| own.within_limits(multibody, state, length));
            if done.is_err() {
                break;
            }
        }
        state.time = time;
        equations.stats.substeps = parts as usize;
        match &done {
            Err(error) if error.may_pass() => {
                own.go_back(state);
                state.contacts.clone_from(&own.start.before_contacts);
                state.range_forces.clone_from(&own.start.before_ranges);
            }
            _ => return done,
        }
    }
    done
}

/// One part of a step, `offset` [s] after its start, projected.
fn constrained_runge_kutta(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    (h, offset): (f64, f64),
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let time = state.time;
    equations.work.q0.copy_from_slice(&state.q);
    equations.work.u0.copy_from_slice(&state.u);
    for (orientation, body) in own.start.orientations.iter_mut().zip(&multibody.bodies) {
        *orientation = body.orientation(&state.q);
    }
    equations.work.start.fill(Vec3::zeros());
    equations.work.x.fill(Vec3::zeros());
    let zero = Quaternion::new(0.0, 0.0, 0.0, 0.0);
    own.spins.iter_mut().for_each(|spins| *spins = [zero; 2]);
    for (k, (at, weight)) in STAGES.into_iter().enumerate() {
        if k > 0 {
            own.stage(multibody, &equations.work, state, at * h);
            system.prescribe(LoadCase::at(time + at * h), &mut state.q);
        }
        let load = LoadCase::at(time + at * h);
        accelerations(equations, context, own, state, (load, offset + at * h))?;
        for row in 0..state.q.len() {
            equations.work.x[row] += own.step[row] * (weight / 6.0);
            equations.work.start[row] += state.u[row] * (weight / 6.0);
        }
        for (spins, body) in own.spins.iter_mut().zip(&multibody.bodies) {
            let spin = Quaternion::from_imag(state.u[body.row as usize + 1]);
            spins[0] = spin * body.orientation(&state.q).quaternion() * 0.5;
            spins[1] += spins[0] * (weight / 6.0);
        }
    }
    for row in 0..state.q.len() {
        state.q[row] = equations.work.q0[row] + equations.work.start[row] * h;
        state.u[row] = equations.work.u0[row] + equations.work.x[row] * h;
    }
    own.turn_bodies(multibody, state, (h, 1));
    own.lead_held(system, &mut equations.work, state, h);
    state.multipliers.copy_from_slice(&own.row_step);
    strike(equations, context, own, state, h)?;
    project(equations, context, own, state)
}

/// `own.step` = accelerations, `own.row_step` = forces of the rows, `elapsed` [s] into the step.
pub(in crate::solve) fn accelerations(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    (load, elapsed): (LoadCase, f64),
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    own.place(multibody, state);
    if !multibody.carried.is_empty() {
        own.set_bias(multibody, state);
        own.place(multibody, state);
    }
    let motion = Motion::of(state, elapsed);
    equations.eval_forces(system, load, motion, VelocityTerms::Included)?;
    own.right.copy_from_slice(&equations.work.f);
    own.add_carried_inertia(multibody, state);
    own.reduction.reduce_force(&mut own.right);
    for body in &multibody.bodies {
        let spin = body.row as usize + 1;
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        own.right[spin] += gyroscopic_torque(&inertia, &state.u[spin]);
    }
    own.set_masses(context, &mut equations.matrix, state);
    own.set_changes_of_rows(multibody, state);
    let pattern = own.rows.pattern();
    for (row, soft) in multibody.softness.iter().enumerate() {
        own.give[row] = 0.0;
        if soft.compliance != 0.0 {
            let entries = pattern.entries(row);
            let blocks = &pattern.blocks()[entries.clone()];
            let pushes = &mut own.trial.reduced[entries];
            let rate: f64 =
                blocks.iter().zip(&*pushes).map(|(&b, g)| g.dot(&state.u[b as usize])).sum();
            let force = -own.trial.values[row] / soft.compliance - soft.damping * rate;
            for (&block, push) in blocks.iter().zip(&*pushes) {
                own.right[block as usize] += push * force;
            }
            pushes.fill(Vec3::zeros());
            (own.give[row], own.row_right[row]) = (1.0, -force);
        }
    }
    own.step.fill(Vec3::zeros());
    let kkt = KktSystem { s: &equations.matrix, g: &own.trial.reduced, r: &own.give };
    own.kkt.factor(kkt)?;
    let sides = (&own.right[..], &own.row_right[..]);
    own.kkt.solve(kkt, sides, (&mut own.step, &mut own.row_step))?;
    for (row, soft) in multibody.softness.iter().enumerate() {
        if soft.compliance != 0.0 {
            own.row_step[row] = -own.row_right[row];
        }
    }
    Ok(())
}

impl Constrained {
    /// Refuses a state in which something overlaps by more than its limit.
    fn within_limits(
        &mut self,
        multibody: &Multibody,
        state: &State,
        h: f64,
    ) -> Result<(), Failure> {
        let Self { unilateral, trial, start, .. } = self;
        let Some(rows) = unilateral else { return Ok(()) };
        let at = Placement { q: &state.q, turns: &trial.turns, coordinates: &start.coordinates };
        match rows.beyond_limit(multibody, at, (&state.u, h)) {
            Some((depth, pair)) => Err(Failure::Penetration { depth, pair }),
            None => Ok(()),
        }
    }

    /// State of a stage from the start of the step, by velocities and accelerations of the stage before.
    fn stage(
        &mut self,
        multibody: &Multibody,
        work: &crate::solve::equations::Work,
        state: &mut State,
        elapsed: f64,
    ) {
        for (row, q) in state.q.iter_mut().enumerate() {
            *q = work.q0[row] + state.u[row] * elapsed;
        }
        for (row, u) in state.u.iter_mut().enumerate() {
            *u = work.u0[row] + self.step[row] * elapsed;
        }
        self.turn_bodies(multibody, state, (elapsed, 0));
    }

    /// Orientations `elapsed` [s] after the start, by rates of the stage before (0) or of all (1).
    fn turn_bodies(
        &mut self,
        multibody: &Multibody,
        state: &mut State,
        (elapsed, which): (f64, usize),
    ) {
        let starts = self.start.orientations.iter().zip(&self.spins);
        for (body, (start, spins)) in multibody.bodies.iter().zip(starts) {
            let turned = start.into_inner() + spins[which] * elapsed;
            let turned = UnitQuaternion::new_normalize(turned);
            state.q[body.row as usize + 1] = turn_between(&UnitQuaternion::identity(), &turned);
        }
    }

    /// Held scalars at the end of the step, and their mean velocities over it.
    fn lead_held(
        &mut self,
        system: &dyn MechSystem,
        work: &mut crate::solve::equations::Work,
        state: &mut State,
        h: f64,
    ) {
        system.prescribe(LoadCase::at(state.time + h), &mut state.q);
        for (row, held) in system.held().iter().enumerate() {
            for axis in (0..3).filter(|&axis| held[axis]) {
                state.u[row][axis] = (state.q[row][axis] - work.q0[row][axis]) / h;
            }
        }
    }

    /// `self.row_right` = -(dG/dt) u by central differences along the motion.
    fn set_changes_of_rows(&mut self, multibody: &Multibody, state: &State) {
        self.row_right.fill(0.0);
        for side in [1.0, -1.0] {
            let step = side * LOOK;
            for (q, (now, u)) in self.trial.q.iter_mut().zip(state.q.iter().zip(&state.u)) {
                *q = now + u * step;
            }
            for (turn, body) in self.trial.mean_turns.iter_mut().zip(&multibody.bodies) {
                let spin = state.u[body.row as usize + 1];
                let turned = advanced(&body.orientation(&state.q), &(spin * step));
                *turn = turned.to_rotation_matrix().into_inner();
            }
            self.add_rates(multibody, state, -side / (2.0 * LOOK));
        }
    }

    /// Adds `factor` times the rates of the rows at the placement of the trial.
    fn add_rates(&mut self, multibody: &Multibody, state: &State, factor: f64) {
        let at = Placement {
            q: &self.trial.q,
            turns: &self.trial.mean_turns,
            coordinates: &state.coordinates,
        };
        for row in 0..multibody.rows.count() {
            let entries = self.offsets[row] as usize..self.offsets[row + 1] as usize;
            let pushes = &mut self.trial.coefficients[entries];
            multibody.rows.coefficients(row, at, pushes);
            let blocks = &multibody.rows.lists()[row];
            let rate: f64 =
                blocks.iter().zip(&*pushes).map(|(&b, g)| g.dot(&state.u[b as usize])).sum();
            self.row_right[row] += factor * rate;
        }
    }
}

/// Rates of an orientation as a quaternion: of the last stage, and the weighted sum of all.
pub(super) type Spins = [Quaternion<f64>; 2];
