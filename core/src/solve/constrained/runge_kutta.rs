//! The classical Runge-Kutta rule under constraint rows: at each stage accelerations with G a = -(dG/dt) u;
//! orientations as quaternions; impulses of contacts and ranges, then positions and velocities projected at the
//! end.

use nalgebra::{Quaternion, UnitQuaternion};

use super::Constrained;
use super::parts::HALVINGS;
use crate::Vec3;
use crate::constraint::Placement;
use crate::dynamics::{advanced, gyroscopic_torque, turn_between, world_inertia};
use crate::force::VelocityTerms;
use crate::linalg::kkt::KktSystem;
use crate::solve::prescribed::Within;
use crate::solve::runge_kutta::STAGES;
use crate::solve::solver::{Failure, MechSystemSolver, check_finite};
use crate::system::{INSTANT, LoadCase, MechSystem, Motion, Multibody, State};

/// Motion over which the change of the rows is taken [s]: rows are quadratic, so that what is left is of
/// second order in the turns.
pub(super) const LOOK: f64 = 1e-5;

impl MechSystemSolver {
    /// One step; in 2, 4, ... parts where impulses are not found or something overlaps too much.
    pub(super) fn runge_kutta_in_parts(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
        h: f64,
    ) -> Result<(), Failure> {
        let time = state.time;
        let halvings = if own.unilateral.is_some() { HALVINGS } else { 0 };
        let mut done = Ok(());
        for halving in 0..=halvings {
            let parts = 1 << halving;
            let length = h / f64::from(parts);
            for part in 0..parts {
                state.time = time + f64::from(part) * length;
                let given = (system, multibody);
                done = self.constrained_runge_kutta(given, own, state, length);
                done = done.and_then(|()| own.within_limits(multibody, state, length));
                if done.is_err() {
                    break;
                }
            }
            state.time = time;
            self.stats.substeps = parts as usize;
            match &done {
                Err(error) if error.may_pass() => {
                    own.go_back(state);
                    self.work.memory.restore(state);
                    state.contacts.clone_from(&own.start.before_contacts);
                    state.range_forces.clone_from(&own.start.before_ranges);
                }
                _ => return done,
            }
        }
        done
    }

    /// One part of a step, projected.
    fn constrained_runge_kutta(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
        h: f64,
    ) -> Result<(), Failure> {
        let time = state.time;
        self.work.q0.copy_from_slice(&state.q);
        self.work.u0.copy_from_slice(&state.u);
        for (orientation, body) in own.start.orientations.iter_mut().zip(&multibody.bodies) {
            *orientation = body.orientation(&state.q);
        }
        self.work.start.fill(Vec3::zeros());
        self.work.x.fill(Vec3::zeros());
        let zero = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        own.spins.iter_mut().for_each(|spins| *spins = [zero; 2]);
        self.work.memory.begin(state);
        for (k, (share, weight)) in STAGES.into_iter().enumerate() {
            if k > 0 {
                own.stage(multibody, &self.work, state, share * h);
                system.prescribe(LoadCase::at(time + share * h), &mut state.q);
            }
            self.prescribe_velocities(system, state, Within { time, h, share });
            let load = LoadCase::at(time + share * h);
            self.accelerations((system, multibody), own, state, (load, INSTANT))?;
            self.work.memory.add(system, state, (load.time, h), weight / 6.0);
            for row in 0..state.q.len() {
                self.work.x[row] += own.step[row] * (weight / 6.0);
                self.work.start[row] += state.u[row] * (weight / 6.0);
            }
            let bodies = multibody.bodies.iter().zip(&own.start.orientations);
            for (spins, (body, start)) in own.spins.iter_mut().zip(bodies) {
                let spin = Quaternion::from_imag(state.u[body.row as usize + 1]);
                spins[0] = spin * beside(start, &body.orientation(&state.q)) * 0.5;
                spins[1] += spins[0] * (weight / 6.0);
            }
        }
        for row in 0..state.q.len() {
            state.q[row] = self.work.q0[row] + self.work.start[row] * h;
            state.u[row] = self.work.u0[row] + self.work.x[row] * h;
        }
        own.turn_bodies(multibody, state, (h, 1));
        self.work.memory.finish(state, h);
        system.prescribe(LoadCase::at(time + h), &mut state.q);
        self.prescribe_velocities(system, state, Within { time, h, share: 1.0 });
        state.multipliers.copy_from_slice(&own.row_step);
        // Contact is looked for where things are, which must be somewhere.
        check_finite(state)?;
        self.strike((system, multibody), own, state, h)?;
        self.project((system, multibody), own, state)
    }

    /// `own.step` = accelerations, `own.row_step` = forces of the rows, `step` [s] after the memory of the state.
    /// Accelerations of prescribed scalars are in `work.b`.
    pub(super) fn accelerations(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
        (load, step): (LoadCase, f64),
    ) -> Result<(), Failure> {
        own.place(multibody, state);
        if !multibody.carried.is_empty() {
            own.set_bias(multibody, state);
            own.place(multibody, state);
        }
        self.eval_forces(system, load, Motion::of(state, step), VelocityTerms::Included)?;
        own.right.copy_from_slice(&self.work.f);
        own.add_carried_inertia(multibody, state);
        own.reduction.reduce_force(&mut own.right);
        for body in &multibody.bodies {
            let spin = body.row as usize + 1;
            let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
            own.right[spin] += gyroscopic_torque(&inertia, &state.u[spin]);
        }
        own.set_masses((system, multibody), &mut self.matrix, state);
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
        for (row, held) in system.held().iter().enumerate() {
            for axis in (0..3).filter(|&axis| held[axis]) {
                own.step[row][axis] = self.work.b[row][axis];
            }
        }
        let kkt = KktSystem { s: &self.matrix, g: &own.trial.reduced, r: &own.give };
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
        work: &crate::solve::solver::Work,
        state: &mut State,
        elapsed: f64,
    ) {
        for (row, q) in state.q.iter_mut().enumerate() {
            *q = work.q0[row] + state.u[row] * elapsed;
        }
        for (row, u) in state.u.iter_mut().enumerate() {
            *u = work.u0[row] + self.step[row] * elapsed;
        }
        work.memory.stage(state, elapsed);
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

/// The quaternion of an orientation that lies beside another; its opposite is the same orientation, and a sum of both
/// is none.
fn beside(start: &UnitQuaternion<f64>, orientation: &UnitQuaternion<f64>) -> Quaternion<f64> {
    let opposite = start.coords.dot(&orientation.coords) < 0.0;
    if opposite { -orientation.into_inner() } else { orientation.into_inner() }
}

/// Rates of an orientation as a quaternion: of the last stage, and the weighted sum of all.
pub(super) type Spins = [Quaternion<f64>; 2];
