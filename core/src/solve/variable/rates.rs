//! A system as y' = f(t, y): y has positions (rotations of bodies as quaternions), velocities, and the memory of forces.

use nalgebra::{Quaternion, UnitQuaternion};

use crate::Vec3;
use crate::dynamics::turn_between;
use crate::force::VelocityTerms;
use crate::ode::{Crossing, Reaction, SwitchedSystem};
use crate::solve::constrained::{
    Constrained, StepContext, accelerations, are_met, bring_stage_onto_rows, gaps, project,
    switch_count,
};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::prescribed::Within;
use crate::solve::runge_kutta::prescribe_velocities;
use crate::solve::variable::turns::{RowValues, Turns, places, read_quaternion};
use crate::system::{INSTANT, LoadCase, MechSystem, Motion, State};

/// Interval about a time over which velocities and accelerations of what is prescribed are taken [s]: with longer ones they
/// miss curvature of some 10 Hz, with shorter ones rounding of places of 1 m shows in accelerations.
const PRESCRIBED: f64 = 4e-3;

/// A system at a state that rates are evaluated at.
pub(super) struct ModelRates<'a> {
    pub(super) equations: &'a mut Equations,
    pub(super) system: &'a dyn MechSystem,
    pub(super) own: Option<&'a mut Constrained>,
    pub(super) state: &'a mut State,
    pub(super) turns: &'a mut Turns,
    /// Begin and end of the interval that is asked for [s].
    pub(super) span: [f64; 2],
}

impl ModelRates<'_> {
    /// Takes the bodies of the state over into natural coordinates.
    pub(super) fn take_bodies(&mut self) {
        let Self { system, turns: Turns { natural, .. }, state, .. } = self;
        if let (Some(natural), Some(multibody)) = (natural, system.multibody()) {
            natural.take(StepContext { system: *system, multibody }, state);
        }
    }

    /// The state as values, quaternions beside those that `y` has.
    pub(super) fn pack(&self, y: &mut [f64]) {
        let Self { state, turns, .. } = self;
        let [positions, velocities, memory] = turns.split(y);
        let [size, rate_size] = turns.sizes();
        for RowValues { row, body, position, velocity } in places(&turns.rotations, turns.sizes()) {
            match (body, &turns.natural) {
                (Some(body), Some(natural)) => {
                    let rates = &mut velocities[velocity..velocity + rate_size];
                    natural.write(body, &mut positions[position..position + size], rates);
                    continue;
                }
                (Some(_), None) => {
                    let turn = UnitQuaternion::new(state.q[row]).into_inner();
                    let values = &mut positions[position..position + size];
                    let beside = read_quaternion(values).coords.dot(&turn.coords) < 0.0;
                    let turn = if beside { -turn.coords } else { turn.coords };
                    values.copy_from_slice(turn.as_slice());
                }
                (None, _) => {
                    positions[position..position + 3].copy_from_slice(state.q[row].as_slice());
                }
            }
            velocities[velocity..velocity + 3].copy_from_slice(state.u[row].as_slice());
        }
        memory.copy_from_slice(&state.memory);
    }

    /// The state of values at a time [s], what is prescribed where it belongs.
    pub(super) fn place(&mut self, time: f64, y: &[f64]) {
        let Self { equations, system, state, turns, own, span } = self;
        let ([count, rates], [size, rate_size]) = (turns.counts(), turns.sizes());
        let (positions, velocities) = (&y[..count], &y[count..count + rates]);
        let Turns { rotations, natural } = &mut **turns;
        for RowValues { row, body, position, velocity } in places(rotations, [size, rate_size]) {
            let rate = &velocities[velocity..];
            state.u[row] = Vec3::new(rate[0], rate[1], rate[2]);
            let place = &positions[position..];
            match (body, &mut *natural) {
                (Some(body), Some(natural)) => {
                    [state.q[row], state.u[row]] =
                        natural.read(body, &place[..size], &rate[..rate_size]);
                }
                (Some(_), None) => {
                    let turn = UnitQuaternion::new_normalize(read_quaternion(place));
                    state.q[row] = turn_between(&UnitQuaternion::identity(), &turn);
                }
                (None, _) => state.q[row] = Vec3::new(place[0], place[1], place[2]),
            }
        }
        state.memory.copy_from_slice(&y[count + rates..]);
        state.time = time;
        system.prescribe(LoadCase::at(time), &mut state.q);
        let within = around(time, *span);
        prescribe_velocities(equations, *system, state, within);
        if let (Some(own), Some(multibody)) = (own.as_deref_mut(), system.multibody()) {
            let span = [within.time, within.time + within.h];
            own.parts.drive(multibody, (time, span), &mut state.coordinates);
        }
        if let (Some(natural), Some(multibody)) = (natural, system.multibody()) {
            natural.follow(StepContext { system: *system, multibody }, state);
        }
    }

    /// Accelerations of all rows at the state, into the step of the parts, or into `work.b`.
    pub(super) fn evaluate(&mut self, time: f64) -> Result<(), Failure> {
        let load = LoadCase::at(time);
        let Self { equations, system, own, state, turns, .. } = self;
        if let (Some(own), Some(multibody)) = (own.as_deref_mut(), system.multibody()) {
            let context = StepContext { system: *system, multibody };
            let (parts, at) = (&mut own.parts, (load, INSTANT));
            return match &mut turns.natural {
                Some(natural) => natural.accelerate(equations, context, parts, state, at),
                None => accelerations(equations, context, parts, state, at),
            };
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
        let Self { equations, system, own, state, turns, .. } = self;
        let accelerations = match own {
            Some(own) => &own.parts.linear.step,
            None => &equations.work.b,
        };
        let [positions, velocities, memory] = turns.split(rates);
        let ([count, _], [size, rate_size]) = (turns.counts(), turns.sizes());
        for RowValues { row, body, position, velocity } in
            places(&turns.rotations, [size, rate_size])
        {
            let fixed = fixed_scalars(*system, row);
            let moving =
                |v: &Vec3| Vec3::from_fn(|axis, _| if fixed[axis] { 0.0 } else { v[axis] });
            let (place, rate) = (&mut positions[position..], &mut velocities[velocity..]);
            match (body, &turns.natural) {
                (Some(body), Some(natural)) => {
                    let (place, rate) = (&mut place[..size], &mut rate[..rate_size]);
                    place.copy_from_slice(&y[count + velocity..][..size]);
                    natural.write_accelerations(body, rate);
                    if fixed[0] {
                        place.fill(0.0);
                        rate.fill(0.0);
                    }
                    continue;
                }
                (Some(_), None) => {
                    let turn = read_quaternion(&y[position..]);
                    let moves = fixed.contains(&false);
                    let share = if moves { 0.5 } else { 0.0 };
                    let turning = Quaternion::from_imag(state.u[row]) * turn * share;
                    place[..size].copy_from_slice(turning.coords.as_slice());
                }
                (None, _) => place[..3].copy_from_slice(moving(&state.u[row]).as_slice()),
            }
            rate[..3].copy_from_slice(moving(&accelerations[row]).as_slice());
        }
        system.memory_rates(time, Motion::of(state, INSTANT), memory);
    }

    /// Brings a stage of the rule onto rows of which some depend on others.
    pub(super) fn bring_stage_onto_rows(&mut self) -> Result<(), Failure> {
        let Self { equations, system, own, state, turns, .. } = self;
        match (own.as_deref_mut(), system.multibody()) {
            (Some(own), Some(multibody)) if turns.natural.is_none() => {
                let context = StepContext { system: *system, multibody };
                bring_stage_onto_rows(equations, context, &mut own.parts, state)
            }
            _ => Ok(()),
        }
    }

    /// Brings the state onto the rows; true if it was off.
    pub(super) fn bring_onto_rows(&mut self) -> Result<bool, Failure> {
        let Self { equations, system, own, state, turns, .. } = self;
        let (Some(own), Some(multibody)) = (own.as_deref_mut(), system.multibody()) else {
            return Ok(false);
        };
        let context = StepContext { system: *system, multibody };
        let moved = match &mut turns.natural {
            Some(natural) => natural.project(context, &mut own.parts, state)?,
            None => {
                let met = are_met(&mut own.parts, context, state);
                if !met {
                    project(equations, context, &mut own.parts, state)?;
                }
                !met
            }
        };
        multibody.update_coordinates(&state.q, &mut state.coordinates);
        Ok(moved)
    }

    /// The state of dense output at a time [s] on its rows, with the forces of these.
    pub(super) fn finish(&mut self, time: f64) -> Result<(), Failure> {
        let Self { equations, system, own, state, turns, .. } = self;
        let (Some(own), Some(multibody)) = (own.as_deref_mut(), system.multibody()) else {
            return Ok(());
        };
        let context = StepContext { system: *system, multibody };
        match &mut turns.natural {
            Some(natural) => natural.project(context, &mut own.parts, state).map(|_| ())?,
            None => project(equations, context, &mut own.parts, state)?,
        }
        self.evaluate(time)
    }
}

/// The interval about a time [s] over which what is prescribed is looked at: inside the one that is asked for as long as the rule is
/// there, since the paths of probes are known in it alone; nowhere before the start of a run, where schedules may rest.
fn around(time: f64, [begin, end]: [f64; 2]) -> Within {
    let h = if time <= end { PRESCRIBED.min(end - begin) } else { PRESCRIBED };
    let middle = time - 0.5 * h;
    let start = match time <= end {
        true => middle.clamp(begin, (end - h).max(begin)),
        false => middle.max(0.0),
    };
    Within { time: start, h, share: (time - start) / h }
}

/// Scalars of a row that are prescribed, or follow others.
fn fixed_scalars(system: &dyn MechSystem, row: usize) -> [bool; 3] {
    let attachments = system.multibody().map(|it| &it.attachments.resolved);
    let follows = attachments.is_some_and(|it| it.is_attached(row as u32));
    system.fixed()[row].map(|fixed| fixed || follows)
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
