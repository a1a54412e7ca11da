//! The classical Runge-Kutta rule of fourth order. Systems with bodies and rows: accelerations under the
//! rows at each stage, and positions and velocities projected onto them at the end.

use crate::Vec3;
use crate::force::VelocityTerms;
use crate::solve::equations::{Equations, Work};
use crate::solve::failure::Failure;
use crate::solve::prescribed::Within;
use crate::system::{LoadCase, MechSystem, Motion, State};

/// Time and weight of each stage.
pub(super) const STAGES: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];

/// One step without bodies and rows.
pub(in crate::solve) fn step_runge_kutta(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let work = &mut equations.work;
    for sums in [&mut work.start, &mut work.x, &mut work.b] {
        sums.fill(Vec3::zeros());
    }
    work.memory.begin(state);
    for (k, (share, weight)) in STAGES.into_iter().enumerate() {
        if k > 0 {
            move_to_stage(&equations.work, state, share * h);
            system.prescribe(LoadCase::at(state.time + share * h), &mut state.q);
        }
        let stage = Within { time: state.time, h, share };
        prescribe_velocities(equations, system, state, stage);
        let load = LoadCase::at(state.time + share * h);
        equations.eval_forces(system, load, Motion::now(state), VelocityTerms::Included)?;
        add_stage(&mut equations.work, system, state, weight / 6.0);
        equations.work.memory.add(system, state, (load.time, h), weight / 6.0);
    }
    let work = &mut equations.work;
    for row in 0..state.q.len() {
        state.q[row] = work.q0[row] + work.start[row] * h;
        state.u[row] = work.u0[row] + work.x[row] * h;
    }
    work.memory.finish(state, h);
    let end = Within { time: state.time, h, share: 1.0 };
    prescribe_velocities(equations, system, state, end);
    system.prescribe(LoadCase::at(state.time + h), &mut state.q);
    Ok(())
}

/// State `elapsed` [s] after the start, by the velocities and the accelerations in `b` of the stage before.
fn move_to_stage(work: &Work, state: &mut State, elapsed: f64) {
    for (row, q) in state.q.iter_mut().enumerate() {
        *q = work.q0[row] + state.u[row] * elapsed;
    }
    for (row, u) in state.u.iter_mut().enumerate() {
        *u = work.u0[row] + work.b[row] * elapsed;
    }
    work.memory.stage(state, elapsed);
}

/// Accelerations of a stage into `b`; adds them to their sum in `x`, and velocities to theirs in `start`.
fn add_stage(work: &mut Work, system: &dyn MechSystem, state: &State, weight: f64) {
    for (row, &mass) in system.masses().iter().enumerate() {
        // A fixed node without an element has no mass; it is prescribed.
        let acceleration = if mass > 0.0 { work.f[row] / mass } else { Vec3::zeros() };
        work.b[row] = acceleration;
        work.x[row] += acceleration * weight;
        work.start[row] += state.u[row] * weight;
    }
}

/// Velocities of prescribed scalars at a time within the step; their accelerations are in `work.b`.
pub(in crate::solve) fn prescribe_velocities(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    within: Within,
) {
    let Work { f, f0, b, .. } = &mut equations.work;
    within.derivatives(system, [f, f0], (&mut state.u, b));
}
