//! The classical Runge-Kutta rule under constraint rows: at each stage accelerations with G a = -(dG/dt) u;
//! orientations as quaternions; impulses of contacts and ranges, then positions and velocities projected at the
//! end. For rules of variable step its parts are as short as their tolerance asks for.

use nalgebra::{Quaternion, UnitQuaternion};

use crate::Vec3;
use crate::dynamics::turn_between;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::acceleration::accelerations;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{bring_stage_onto_rows, project};
use crate::solve::constrained::tuning::HALVINGS;
use crate::solve::constrained::unilateral::impulses::strike;
use crate::solve::constrained::unilateral::near::Looks;
use crate::solve::constrained::unilateral::rebound::rebound;
use crate::solve::equations::{Equations, Work};
use crate::solve::failure::{Failure, check_finite};
use crate::solve::prescribed::Within;
use crate::solve::runge_kutta::{STAGES, prescribe_velocities};
use crate::solve::settings::{Integrator, VariableStep};
use crate::system::{INSTANT, LoadCase, Multibody, State};

/// Halvings of an interval of a rule of variable step: some 1e5 parts, as many as it may take steps where nothing touches.
const MOST_HALVINGS: u32 = 16;

/// One step; in 2, 4, ... parts where impulses are not found, something overlaps too much, or a rule of variable step has
/// a tolerance that longer parts do not meet.
pub(in crate::solve) fn runge_kutta_in_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let time = state.time;
    let mut done = Ok(());
    for halving in 0..=most_halvings(equations.integrator, own) {
        let parts = 1u32 << halving;
        let length = h / f64::from(parts);
        for part in 0..parts {
            state.time = time + f64::from(part) * length;
            done = constrained_runge_kutta(equations, context, own, state, length);
            done = done
                .and_then(|()| within_limits(own, multibody, (&equations.work.q0, state), length));
            if done.is_err() {
                break;
            }
        }
        state.time = time;
        equations.stats.substeps = parts as usize;
        match &done {
            Err(error) if error.may_pass() => {
                own.parts.start.go_back(state);
                equations.work.memory.restore(state);
                state.contacts.clone_from(&own.parts.start.before_contacts);
                state.range_forces.clone_from(&own.parts.start.before_ranges);
            }
            _ => return done,
        }
    }
    done
}

/// Most halvings of a step.
fn most_halvings(integrator: Integrator, own: &Constrained) -> u32 {
    match (integrator, &own.contacts) {
        (Integrator::Variable(_), _) => MOST_HALVINGS,
        (_, Some(_)) => HALVINGS as u32,
        (_, None) => 0,
    }
}

/// One part of a step, projected.
fn constrained_runge_kutta(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let time = state.time;
    own.parts.begin(multibody, (&state.q, &state.u));
    rebound(equations, context, own, state, h)?;
    begin_sums(&mut own.parts, &mut equations.work, state);
    for stage in 0..STAGES.len() {
        eval_stage(equations, context, &mut own.parts, state, (stage, h))?;
    }
    own.parts.end_u.copy_from_slice(&state.u);
    for row in 0..state.q.len() {
        state.q[row] = equations.work.q0[row] + equations.work.start[row] * h;
        state.u[row] = equations.work.u0[row] + equations.work.x[row] * h;
    }
    turn_bodies(&mut own.parts, multibody, state, (h, 1));
    equations.work.memory.finish(state, h);
    system.prescribe(LoadCase::at(time + h), &mut state.q);
    prescribe_velocities(equations, system, state, Within { time, h, share: 1.0 });
    state.multipliers.copy_from_slice(&own.parts.linear.row_step);
    // Contact is looked for where things are, which must be somewhere.
    check_finite(state)?;
    if let Integrator::Variable(settings) = equations.integrator {
        ensure_accuracy(equations, context, &mut own.parts, state, (h, settings))?;
    }
    strike(equations, context, own, state, h)?;
    project(equations, context, &mut own.parts, state)
}

/// Evaluates a stage of a step of `h` that begins at the time of `state`, and adds it to the sums.
fn eval_stage(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (stage, h): (usize, f64),
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let (time, (share, weight)) = (state.time, STAGES[stage]);
    let load = LoadCase::at(time + share * h);
    if stage > 0 {
        move_to_stage(parts, multibody, &equations.work, state, share * h);
        system.prescribe(load, &mut state.q);
    }
    prescribe_velocities(equations, system, state, Within { time, h, share });
    parts.drive(multibody, (load.time, [time, time + h]), &mut state.coordinates);
    if stage > 0 {
        bring_stage_onto_rows(equations, context, parts, state)?;
    }
    accelerations(equations, context, parts, state, (load, INSTANT))?;
    equations.work.memory.add(system, state, (load.time, h), weight / 6.0);
    add_stage(parts, multibody, &mut equations.work, state, weight / 6.0);
    Ok(())
}

/// Refuses the end of a step of `h`, without the impulses of what touches, whose error is beyond a tolerance: that of the rule
/// of third order with the stages and the rates at the end, by weights 1/6, 1/3, 1/3, 0, 1/6. Stiff tissue has no stable
/// step that it would accept. The last stage was evaluated last, with the velocities `parts.end_u`.
fn ensure_accuracy(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (h, VariableStep { relative, absolute, .. }): (f64, VariableStep),
) -> Result<(), Failure> {
    equations.work.start.copy_from_slice(&parts.linear.step);
    let load = LoadCase::at(state.time + h);
    accelerations(equations, context, parts, state, (load, INSTANT))?;
    let Work { q0, u0, start, .. } = &equations.work;
    let mut sum = 0.0;
    for row in 0..state.q.len() {
        let by_velocity = parts.end_u[row] - state.u[row];
        let by_rate = start[row] - parts.linear.step[row];
        let values = [(by_velocity, q0[row], state.q[row]), (by_rate, u0[row], state.u[row])];
        for (error, before, after) in values {
            for axis in 0..3 {
                let size = before[axis].abs().max(after[axis].abs());
                sum += (error[axis] * h / 6.0 / (absolute + relative * size)).powi(2);
            }
        }
    }
    let error = (sum / (6 * state.q.len()).max(1) as f64).sqrt();
    if error <= 1.0 { Ok(()) } else { Err(Failure::Inexact { step: h, error }) }
}

/// Sums of the stages, none yet: of velocities in `start`, of accelerations in `x`, of rates of quaternions.
fn begin_sums(parts: &mut Parts, work: &mut Work, state: &State) {
    work.q0.copy_from_slice(&state.q);
    work.u0.copy_from_slice(&state.u);
    work.start.fill(Vec3::zeros());
    work.x.fill(Vec3::zeros());
    parts.quaternion_rates.fill([Quaternion::new(0.0, 0.0, 0.0, 0.0); 2]);
    work.memory.begin(state);
}

/// Adds what a stage found to the sums.
fn add_stage(
    parts: &mut Parts,
    multibody: &Multibody,
    work: &mut Work,
    state: &State,
    weight: f64,
) {
    for row in 0..state.q.len() {
        work.x[row] += parts.linear.step[row] * weight;
        work.start[row] += state.u[row] * weight;
    }
    let bodies = multibody.bodies.iter().zip(&parts.start.orientations);
    for ([rate, sum], (body, start)) in parts.quaternion_rates.iter_mut().zip(bodies) {
        let angular_velocity = Quaternion::from_imag(state.u[body.row as usize + 1]);
        *rate = angular_velocity * beside(start, &body.orientation(&state.q)) * 0.5;
        *sum += *rate * weight;
    }
}

/// Refuses a state in which something overlaps by more than its limit, or surfaces passed through each other since `q0`.
fn within_limits(
    own: &mut Constrained,
    multibody: &Multibody,
    (q0, state): (&[Vec3], &State),
    h: f64,
) -> Result<(), Failure> {
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Ok(()) };
    let ways = ([q0, &state.q[..]], h);
    if let Some(pair) = rows.near.refuse_crossing(multibody, ways, Looks::Surfaces) {
        return Err(Failure::Crossing { pair });
    }
    let at = parts.placement(&state.q);
    match rows.near.beyond_limit(multibody, at, (&state.u, h)) {
        Some((depth, pair)) => Err(Failure::Penetration { depth, pair }),
        None => Ok(()),
    }
}

/// State of a stage from the start of the step, by velocities and accelerations of the stage before.
fn move_to_stage(
    parts: &mut Parts,
    multibody: &Multibody,
    work: &Work,
    state: &mut State,
    elapsed: f64,
) {
    for (row, q) in state.q.iter_mut().enumerate() {
        *q = work.q0[row] + state.u[row] * elapsed;
    }
    for (row, u) in state.u.iter_mut().enumerate() {
        *u = work.u0[row] + parts.linear.step[row] * elapsed;
    }
    work.memory.stage(state, elapsed);
    turn_bodies(parts, multibody, state, (elapsed, 0));
}

/// Orientations `elapsed` [s] after the start, by rates of the stage before (0) or of all (1).
fn turn_bodies(
    parts: &mut Parts,
    multibody: &Multibody,
    state: &mut State,
    (elapsed, which): (f64, usize),
) {
    let starts = parts.start.orientations.iter().zip(&parts.quaternion_rates);
    for (body, (start, quaternion_rates)) in multibody.bodies.iter().zip(starts) {
        let turned = start.into_inner() + quaternion_rates[which] * elapsed;
        let turned = UnitQuaternion::new_normalize(turned);
        state.q[body.row as usize + 1] = turn_between(&UnitQuaternion::identity(), &turned);
    }
}

/// The quaternion of an orientation that lies beside another; its opposite is the same orientation, and a sum of both
/// is none.
fn beside(start: &UnitQuaternion<f64>, orientation: &UnitQuaternion<f64>) -> Quaternion<f64> {
    let opposite = start.coords.dot(&orientation.coords) < 0.0;
    if opposite { -orientation.into_inner() } else { orientation.into_inner() }
}
