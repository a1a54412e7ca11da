//! One iterate of a step: from mean velocities and impulses to the end state.

use nalgebra::UnitQuaternion;

use crate::attachment::Turning;
use crate::constraint::{Placement, StepOfRows};
use crate::dynamics::{SpatialInertia, advanced_by_cayley, cayley_turn, skew, turn_between};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::reduction::Reduction;
use crate::solve::constrained::residual::body_angular_velocity;
use crate::solve::constrained::substep::Substep;
use crate::solve::equations::Work;
use crate::solve::prescribed::end_on_paths;
use crate::system::{LoadCase, MechSystem, Multibody, State};
use crate::{Mat3, Vec3};

/// The right side, and the first iterate: velocities as they are, of what is prescribed as it must be, and of
/// bodies that nothing holds as they will fall and turn.
pub(super) fn predict(
    parts: &mut Parts,
    context: StepContext,
    work: &mut Work,
    state: &State,
    substep: Substep,
) {
    let StepContext { system, multibody } = context;
    let (h, w) = (substep.h, substep.weight());
    for (row, b) in work.b.iter_mut().enumerate() {
        *b = work.u0[row] * system.masses()[row] + work.f[row] * (w * h);
    }
    let Parts { trial, start, free, .. } = &mut *parts;
    trial.y.copy_from_slice(&work.u0);
    for (k, (body, turn)) in multibody.bodies.iter().zip(&start.turns).enumerate() {
        let rotation = body.row as usize + 1;
        if free[k] {
            // The weight of its end is a half.
            work.b[rotation] *= 0.5 / w;
            let before = turn.tr_mul(&work.u0[rotation]);
            trial.y[rotation] = turn * free_angular_velocity(&body.inertia, &before, h);
        }
    }
    prescribe_velocities(parts, system, work, state.time + substep.offset + h, h);
    for (row, body) in multibody.bodies.iter().enumerate() {
        let rotation = body.row as usize + 1;
        if parts.reduction.fixed[rotation] == [true; 3] {
            let target = UnitQuaternion::new(work.start[rotation]);
            parts.trial.y[rotation] = cayley_turn(&parts.start.orientations[row], &target) / h;
        }
    }
    let multipliers = state.multipliers.iter().zip(&mut parts.trial.impulses);
    multipliers.for_each(|(force, impulse)| *impulse = force * (w * h));
}

/// Sets fixed velocities to those that lead to their places at `time`.
fn prescribe_velocities(
    parts: &mut Parts,
    system: &dyn MechSystem,
    work: &mut Work,
    time: f64,
    h: f64,
) {
    work.start.copy_from_slice(&work.q0);
    system.prescribe(LoadCase::at(time), &mut work.start);
    for (row, fixed) in system.fixed().iter().enumerate() {
        for axis in (0..3).filter(|&axis| fixed[axis]) {
            parts.trial.y[row][axis] = (work.start[row][axis] - work.q0[row][axis]) / h;
        }
    }
}

/// Positions and rows of the iterate.
pub(in crate::solve) fn move_trial(parts: &mut Parts, multibody: &Multibody, work: &Work, h: f64) {
    move_to_end(parts, multibody, work, h);
    update_half_way(parts, multibody, work);
    let attachments = &mut parts.reduction.attachments;
    attachments.update_weights(&parts.trial.weights);
    attachments.expand_velocity(&mut parts.trial.y);
    update_rows(parts, multibody, h);
}

/// Positions and rotations at the end, by the mean velocities.
fn move_to_end(parts: &mut Parts, multibody: &Multibody, work: &Work, h: f64) {
    let Parts { start, trial, .. } = parts;
    for (k, body) in multibody.bodies.iter().enumerate() {
        let turn = trial.y[body.row as usize + 1] * h;
        trial.bodies.orientations[k] = advanced_by_cayley(&start.orientations[k], &turn);
        trial.bodies.turns[k] = trial.bodies.orientations[k].to_rotation_matrix().into_inner();
    }
    for (q, (q0, y)) in trial.q.iter_mut().zip(work.q0.iter().zip(&trial.y)) {
        *q = q0 + y * h;
    }
    for (k, body) in multibody.bodies.iter().enumerate() {
        let turn = turn_between(&UnitQuaternion::identity(), &trial.bodies.orientations[k]);
        trial.q[body.row as usize + 1] = turn;
    }
    multibody.place_attached(&mut trial.bodies.turns, &mut trial.q);
    for (k, fitted_body) in multibody.attachments.fitted.iter().enumerate() {
        let body = fitted_body.body as usize;
        trial.bodies.orientations[body] = multibody.bodies[body].orientation(&trial.q);
        trial.bodies.turnings[k] = multibody.turning(k, &trial.q);
        trial.bodies.rates[k] = Turning::mean_rates(&start.turnings[k], &trial.bodies.turnings[k]);
    }
}

/// Positions, rotations and weights of attached points half way between start and end.
fn update_half_way(parts: &mut Parts, multibody: &Multibody, work: &Work) {
    let Parts { start, trial, .. } = parts;
    for k in 0..multibody.bodies.len() {
        trial.bodies.mean_turns[k] = (start.turns[k] + trial.bodies.turns[k]) * 0.5;
        trial.bodies.half[k] = half_way(&start.orientations[k], &trial.bodies.orientations[k]);
    }
    for (mean, (q0, q)) in trial.mean_q.iter_mut().zip(work.q0.iter().zip(&trial.q)) {
        *mean = (q0 + q) * 0.5;
    }
    let half = (&trial.mean_q[..], &trial.bodies.mean_turns[..]);
    multibody.update_weights(half, &trial.bodies.rates, &mut trial.weights);
}

/// Values of the rows at the end, and their vectors half way.
fn update_rows(parts: &mut Parts, multibody: &Multibody, h: f64) {
    let Parts { start, trial, reduction, .. } = parts;
    let coordinates = &start.coordinates;
    let end = Placement { q: &trial.q, turns: &trial.bodies.turns, coordinates };
    let mean = Placement { q: &trial.mean_q, turns: &trial.bodies.mean_turns, coordinates };
    let step = StepOfRows { end, mean, before: &start.values, velocities: &trial.y, h };
    let entries = |row| reduction.entries(row);
    multibody.joints.rows.update(step, entries, (&mut trial.values, &mut trial.coefficients));
    let Reduction { rows, attachments, .. } = reduction;
    rows.reduce(attachments, &trial.coefficients, &mut trial.reduced);
}

/// Velocities at the end of the step, by the mean ones.
pub(in crate::solve) fn set_end_velocities(
    parts: &mut Parts,
    multibody: &Multibody,
    work: &Work,
    substep: Substep,
) {
    let Parts { start, trial, end_u, free, .. } = parts;
    for (u, (u0, y)) in end_u.iter_mut().zip(work.u0.iter().zip(&trial.y)) {
        *u = u0 + (y - u0) / substep.weight();
    }
    for (k, body) in multibody.bodies.iter().enumerate() {
        let rotation = body.row as usize + 1;
        let weight = substep.rotation_weight(free[k]);
        let after =
            body_angular_velocity(&start.turns[k], &work.u0[rotation], &trial.y[rotation], weight);
        end_u[rotation] = trial.bodies.turns[k] * after;
    }
}

/// Writes the end of the step into `state`.
pub(in crate::solve) fn finish_substep(
    own: &mut Constrained,
    context: StepContext,
    work: &Work,
    state: &mut State,
    substep: Substep,
) {
    let StepContext { system, multibody } = context;
    set_end_velocities(&mut own.parts, multibody, work, substep);
    let Parts { linear, end_u, .. } = &mut own.parts;
    let span = (state.time + substep.offset, substep.h);
    let places = [&mut linear.step[..], &mut linear.right];
    end_on_paths(system, span, places, (&work.u0, end_u));
    let Parts { trial, end_u, reduction: Reduction { attachments, .. }, .. } = &mut own.parts;
    let (h, w) = (substep.h, substep.weight());
    state.q.copy_from_slice(&trial.q);
    state.u.copy_from_slice(end_u);
    // What is prescribed is where it is prescribed, without the rounding of a velocity.
    if system.prescribe(LoadCase::at(state.time + substep.offset + h), &mut state.q) {
        multibody.update_turns(&state.q, &mut trial.bodies.turns);
        multibody.place_attached(&mut trial.bodies.turns, &mut state.q);
    }
    multibody.update_rates(&state.q, &mut trial.bodies.rates);
    let end = (&state.q[..], &trial.bodies.turns[..]);
    multibody.update_weights(end, &trial.bodies.rates, &mut trial.weights);
    attachments.update_weights(&trial.weights);
    attachments.expand_velocity(&mut state.u);
    multibody.keep_fitted(end_u, &trial.weights, &mut state.u);
    let impulses = trial.impulses.iter().zip(&mut state.multipliers);
    impulses.for_each(|(impulse, force)| *force = impulse / (w * h));
    if let Some(rows) = &own.contacts {
        rows.write_forces(multibody, state, w * h);
        rows.impacts.add_to(state, h);
    }
}

fn half_way(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> Mat3 {
    let b = if a.coords.dot(&b.coords) < 0.0 { -b.into_inner() } else { b.into_inner() };
    UnitQuaternion::new_normalize(a.into_inner() + b).to_rotation_matrix().into_inner()
}

/// Mean angular velocity W of a free step from `before`, both in body axes, at weight 1/2: the root of
/// 2 J (W - W0) + h W x J W (Austin1993), by Newton's method.
fn free_angular_velocity(inertia: &SpatialInertia, before: &Vec3, h: f64) -> Vec3 {
    let j = inertia.rotational();
    let mut mean = *before;
    for _ in 0..20 {
        let residual = j * (mean - before) * 2.0 + mean.cross(&(j * mean)) * h;
        let derivative = j * 2.0 + (skew(&mean) * j - skew(&(j * mean))) * h;
        let change = derivative.lu().solve(&residual).unwrap_or_else(Vec3::zeros);
        mean -= change;
        if change.norm() <= 1e-16 * mean.norm() {
            break;
        }
    }
    mean
}
