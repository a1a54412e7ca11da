//! Steps with one evaluation: the linearized implicit rules and symplectic Euler.
//!
//! With f~ = f(q, u) - (df/du) u and the rule's weight w (1: backward Euler, 1/2: trapezoidal),
//! expanding f about the start of the step gives S = M - w h df/du - w² h² df/dq and
//!
//! backward Euler: S u1 = M u0 + h f~,
//! trapezoidal:    S u1 = M u0 + h f - (h/2 df/du - h²/4 df/dq) u0 = (2 M - S) u0 + h f~.

use crate::Vec3;
use crate::force::VelocityTerms;
use crate::solve::equations::{BACKWARD_EULER, Equations, ImplicitRule, Work};
use crate::solve::failure::Failure;
use crate::system::{LoadCase, MechSystem, Motion, State};

/// One linear solve about the state at the start.
pub(in crate::solve) fn step_linearized(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    h: f64,
    rule: ImplicitRule,
) -> Result<(), Failure> {
    let load = LoadCase::at(state.time + rule.end_weight * h);
    let motion = Motion::of(state, rule.end_weight * h);
    equations.eval_forces(system, load, motion, VelocityTerms::Excluded)?;
    equations.assemble(system, load, motion, (1.0, rule.jacobian_scale(h)))?;
    equations.prepare(system, &state.q)?;
    let Work { f, b, x, u0, .. } = &mut equations.work;
    let mass_factor = if rule.end_weight == BACKWARD_EULER.end_weight {
        b.iter_mut().zip(f.iter()).for_each(|(b, f)| *b = f * h);
        1.0
    } else {
        equations.matrix.mul(u0, b);
        b.iter_mut().zip(f.iter()).for_each(|(b, f)| *b = f * h - *b);
        2.0
    };
    for ((b, u), &mass) in b.iter_mut().zip(u0.iter()).zip(system.masses()) {
        *b += u * (mass_factor * mass);
    }
    x.copy_from_slice(u0);
    if let Some((y, _)) = equations.kept.as_mut().and_then(|kept| kept.take_solution()) {
        x.copy_from_slice(y);
    }
    prescribe_velocities(equations, system, state, h, rule);
    equations.solve(system)?;
    take_velocities(equations, system, state, h, rule);
    Ok(())
}

/// Sets the fixed scalars of `work.x` to the velocities that bring them to their places.
pub(in crate::solve) fn prescribe_velocities(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &State,
    h: f64,
    rule: ImplicitRule,
) {
    let Work { start, q0, u0, x, .. } = &mut equations.work;
    start.copy_from_slice(q0);
    prescribe_places(system, (state.time, h, rule), q0, start);
    let w = rule.end_weight;
    for (row, fixed) in system.fixed().iter().enumerate() {
        for axis in (0..3).filter(|&a| fixed[a]) {
            let mean = (start[row][axis] - q0[row][axis]) / h;
            x[row][axis] = (mean - (1.0 - w) * u0[row][axis]) / w;
        }
    }
}

/// Takes `work.x` as the velocity at the end and moves the positions by the rule.
pub(in crate::solve) fn take_velocities(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    h: f64,
    rule: ImplicitRule,
) {
    let Work { q0, u0, x, .. } = &equations.work;
    let w = rule.end_weight;
    for (i, q) in state.q.iter_mut().enumerate() {
        *q = q0[i] + (u0[i] * (1.0 - w) + x[i] * w) * h;
    }
    state.u.copy_from_slice(x);
    // What is prescribed is where it is prescribed, without the rounding of a velocity.
    prescribe_places(system, (state.time, h, rule), q0, &mut state.q);
}

/// Puts what is prescribed where it is after `h` [s]; of half a step half way to where it is at the end of the whole one, so that it
/// has the mean velocity of that.
pub(in crate::solve) fn prescribe_places(
    system: &dyn MechSystem,
    (time, h, rule): (f64, f64, ImplicitRule),
    q0: &[Vec3],
    q: &mut [Vec3],
) {
    if !rule.is_half {
        system.prescribe(LoadCase::at(time + h), q);
        return;
    }
    system.prescribe(LoadCase::at(time + 2.0 * h), q);
    for ((q, q0), fixed) in q.iter_mut().zip(q0).zip(system.fixed()) {
        (0..3).filter(|&axis| fixed[axis]).for_each(|axis| q[axis] = 0.5 * (q[axis] + q0[axis]));
    }
}

/// u1 = u0 + h M^-1 f(q0, u0), q1 = q0 + h u1.
pub(in crate::solve) fn step_symplectic(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let motion = Motion::now(state);
    equations.eval_forces(system, LoadCase::at(state.time), motion, VelocityTerms::Included)?;
    let Work { f, u0, x, .. } = &mut equations.work;
    for (((x, u), f), &mass) in x.iter_mut().zip(u0.iter()).zip(f.iter()).zip(system.masses()) {
        // A fixed node without an element has no mass; its velocity is given below.
        *x = if mass > 0.0 { u + f * (h / mass) } else { *u };
    }
    prescribe_velocities(equations, system, state, h, BACKWARD_EULER);
    take_velocities(equations, system, state, h, BACKWARD_EULER);
    Ok(())
}
