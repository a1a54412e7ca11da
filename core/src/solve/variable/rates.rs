//! A system as y' = f(t, y): y has positions (rotations of bodies as quaternions), velocities, and the memory of forces.

use nalgebra::{Quaternion, UnitQuaternion};

use crate::Vec3;
use crate::dynamics::turn_between;
use crate::force::VelocityTerms;
use crate::ode::{Crossing, Reaction, SwitchedSystem};
use crate::solve::constrained::{
    Constrained, StepContext, accelerations, are_met, gaps, project, switch_count,
};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::prescribed::Within;
use crate::solve::runge_kutta::prescribe_velocities;
use crate::system::{INSTANT, LoadCase, MechSystem, Motion, State};

/// Interval about a time over which velocities and accelerations of what is prescribed are taken [s]: with longer ones they
/// miss curvature of some 10 Hz, with shorter ones rounding of places of 1 m shows in accelerations.
const PRESCRIBED: f64 = 4e-3;
/// Deviation of the norm of a quaternion at which it is brought back [-]; rotations are read of its direction.
const NORM: f64 = 1e-6;

/// A system at a state that rates are evaluated at.
pub(super) struct ModelRates<'a> {
    pub(super) equations: &'a mut Equations,
    pub(super) system: &'a dyn MechSystem,
    pub(super) own: Option<&'a mut Constrained>,
    pub(super) state: &'a mut State,
    /// True for rows that are rotations of bodies.
    pub(super) rotations: &'a [bool],
}

/// Number of values of a state.
pub(super) fn packed_size(state: &State, rotations: &[bool]) -> usize {
    let turning = rotations.iter().filter(|&&rotation| rotation).count();
    6 * rotations.len() + turning + state.memory.len()
}

impl ModelRates<'_> {
    /// The state as values, quaternions beside those that `y` has.
    pub(super) fn pack(&self, y: &mut [f64]) {
        let mut at = 0;
        for (q, &rotation) in self.state.q.iter().zip(self.rotations) {
            if rotation {
                let turn = UnitQuaternion::new(*q).into_inner();
                let before = read_quaternion(&y[at..at + 4]);
                let sign = if before.coords.dot(&turn.coords) < 0.0 { -1.0 } else { 1.0 };
                y[at..at + 4].copy_from_slice((turn.coords * sign).as_slice());
                at += 4;
            } else {
                y[at..at + 3].copy_from_slice(q.as_slice());
                at += 3;
            }
        }
        for u in &self.state.u {
            y[at..at + 3].copy_from_slice(u.as_slice());
            at += 3;
        }
        y[at..].copy_from_slice(&self.state.memory);
    }

    /// The state of values at a time [s], what is prescribed where it belongs.
    pub(super) fn place(&mut self, time: f64, y: &[f64]) {
        let mut at = 0;
        for (q, &rotation) in self.state.q.iter_mut().zip(self.rotations) {
            if rotation {
                let turn = UnitQuaternion::new_normalize(read_quaternion(&y[at..at + 4]));
                *q = turn_between(&UnitQuaternion::identity(), &turn);
                at += 4;
            } else {
                *q = Vec3::new(y[at], y[at + 1], y[at + 2]);
                at += 3;
            }
        }
        for u in &mut self.state.u {
            *u = Vec3::new(y[at], y[at + 1], y[at + 2]);
            at += 3;
        }
        self.state.memory.copy_from_slice(&y[at..]);
        self.state.time = time;
        self.system.prescribe(LoadCase::at(time), &mut self.state.q);
        // Nothing before the start of a run is looked at, where schedules may rest.
        let share = if time < 0.5 * PRESCRIBED { 0.0 } else { 0.5 };
        let within = Within { time: time - share * PRESCRIBED, h: PRESCRIBED, share };
        prescribe_velocities(self.equations, self.system, self.state, within);
    }

    /// Accelerations of all rows at the state, into the step of the parts, or into `work.b`.
    pub(super) fn evaluate(&mut self, time: f64) -> Result<(), Failure> {
        let load = LoadCase::at(time);
        let Self { equations, system, own, state, .. } = self;
        if let (Some(own), Some(multibody)) = (own.as_deref_mut(), system.multibody()) {
            let context = StepContext { system: *system, multibody };
            return accelerations(equations, context, &mut own.parts, state, (load, INSTANT));
        }
        equations.eval_forces(*system, load, Motion::now(state), VelocityTerms::Included)?;
        for (row, &mass) in system.masses().iter().enumerate() {
            let force = equations.work.f[row];
            let free = system.fixed()[row].map(|fixed| !fixed);
            for axis in (0..3).filter(|&axis| free[axis]) {
                equations.work.b[row][axis] = if mass > 0.0 { force[axis] / mass } else { 0.0 };
            }
        }
        Ok(())
    }

    /// Rates of the values, once accelerations are known. Values that are prescribed do not change here.
    pub(super) fn pack_rates(&mut self, time: f64, y: &[f64], rates: &mut [f64]) {
        let Self { equations, system, own, state, rotations } = self;
        let accelerations = match own {
            Some(own) => &own.parts.linear.step,
            None => &equations.work.b,
        };
        let attached = |row: usize| {
            system.multibody().is_some_and(|it| it.attachments.resolved.is_attached(row as u32))
        };
        let mut at = 0;
        let turning = rotations.iter().filter(|&&rotation| rotation).count();
        let start = 3 * rotations.len() + turning;
        for (row, &rotation) in rotations.iter().enumerate() {
            let (u, acceleration) = (state.u[row], accelerations[row]);
            let still = attached(row);
            let fixed = system.fixed()[row].map(|fixed| fixed || still);
            let velocity = start + 3 * row;
            for axis in 0..3 {
                rates[velocity + axis] = if fixed[axis] { 0.0 } else { acceleration[axis] };
            }
            if rotation {
                let turn = read_quaternion(&y[at..at + 4]);
                let moves = fixed.contains(&false);
                let rate = if moves { Quaternion::from_imag(u) * turn * 0.5 } else { turn * 0.0 };
                rates[at..at + 4].copy_from_slice(rate.coords.as_slice());
                at += 4;
            } else {
                for axis in 0..3 {
                    rates[at + axis] = if fixed[axis] { 0.0 } else { u[axis] };
                }
                at += 3;
            }
        }
        let memory = &mut rates[start + 3 * rotations.len()..];
        system.memory_rates(time, Motion::of(state, INSTANT), memory);
    }

    /// Brings the state onto the rows; true if it was off, or a quaternion has lost its norm.
    pub(super) fn bring_onto_rows(&mut self) -> Result<bool, Failure> {
        let Self { equations, system, own, state, .. } = self;
        let (Some(own), Some(multibody)) = (own.as_deref_mut(), system.multibody()) else {
            return Ok(false);
        };
        let context = StepContext { system: *system, multibody };
        let met = are_met(&mut own.parts, context, state);
        if !met {
            project(equations, context, &mut own.parts, state)?;
        }
        multibody.update_coordinates(&state.q, &mut state.coordinates);
        Ok(!met)
    }

    /// True if a quaternion has lost its norm.
    pub(super) fn has_lost_norm(&self, y: &[f64]) -> bool {
        let mut at = 0;
        self.rotations.iter().any(|&rotation| {
            let here = at;
            at += if rotation { 4 } else { 3 };
            rotation && (read_quaternion(&y[here..here + 4]).norm() - 1.0).abs() > NORM
        })
    }
}

fn read_quaternion(y: &[f64]) -> Quaternion<f64> {
    Quaternion::new(y[3], y[0], y[1], y[2])
}

impl SwitchedSystem for ModelRates<'_> {
    fn switch_count(&self) -> usize {
        let multibody = self.system.multibody();
        self.own.as_deref().zip(multibody).map_or(0, |(own, it)| switch_count(own, it))
    }

    fn crossing(&self, _: usize) -> Crossing {
        Crossing::Falling
    }

    fn switches(&mut self, time: f64, y: &[f64], values: &mut [f64]) -> Result<(), Failure> {
        if values.is_empty() {
            return Ok(());
        }
        self.place(time, y);
        if let (Some(own), Some(multibody)) = (self.own.as_deref_mut(), self.system.multibody()) {
            gaps(own, multibody, self.state, values);
        }
        Ok(())
    }

    /// Impacts are resolved outside, where the state is at hand.
    fn react(&mut self, _: f64, _: &mut [f64], _: &[usize]) -> Result<Reaction, Failure> {
        Ok(Reaction::Stop)
    }
}
