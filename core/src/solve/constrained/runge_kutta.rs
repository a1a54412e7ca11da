//! The classical Runge-Kutta rule under constraint rows: at each stage accelerations with G a = -(dG/dt) u;
//! orientations as quaternions; impulses of contacts and ranges, then positions and velocities projected at the
//! end.

use nalgebra::{Quaternion, UnitQuaternion};

use crate::Vec3;
use crate::constraint::Placement;
use crate::dynamics::{advanced, gyroscopic_torque, turn_between, world_inertia};
use crate::force::VelocityTerms;
use crate::linalg::kkt::KktSystem;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::fitted::{add_fitted_inertia, set_bias};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{place_on_rows, project, set_masses};
use crate::solve::constrained::tuning::{HALVINGS, LOOK};
use crate::solve::constrained::unilateral::impulses::strike;
use crate::solve::constrained::unilateral::rebound::rebound;
use crate::solve::equations::{Equations, Work};
use crate::solve::failure::{Failure, check_finite};
use crate::solve::prescribed::Within;
use crate::solve::runge_kutta::{STAGES, prescribe_velocities};
use crate::system::{INSTANT, LoadCase, Motion, Multibody, State};

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
    let halvings = if own.contacts.is_some() { HALVINGS } else { 0 };
    let mut done = Ok(());
    for halving in 0..=halvings {
        let parts = 1 << halving;
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
    equations.work.q0.copy_from_slice(&state.q);
    equations.work.u0.copy_from_slice(&state.u);
    equations.work.start.fill(Vec3::zeros());
    equations.work.x.fill(Vec3::zeros());
    let zero = Quaternion::new(0.0, 0.0, 0.0, 0.0);
    own.parts
        .quaternion_rates
        .iter_mut()
        .for_each(|quaternion_rates| *quaternion_rates = [zero; 2]);
    equations.work.memory.begin(state);
    for (k, (share, weight)) in STAGES.into_iter().enumerate() {
        if k > 0 {
            move_to_stage(&mut own.parts, multibody, &equations.work, state, share * h);
            system.prescribe(LoadCase::at(time + share * h), &mut state.q);
        }
        prescribe_velocities(equations, system, state, Within { time, h, share });
        let load = LoadCase::at(time + share * h);
        accelerations(equations, context, &mut own.parts, state, (load, INSTANT))?;
        equations.work.memory.add(system, state, (load.time, h), weight / 6.0);
        for row in 0..state.q.len() {
            equations.work.x[row] += own.parts.linear.step[row] * (weight / 6.0);
            equations.work.start[row] += state.u[row] * (weight / 6.0);
        }
        let bodies = multibody.bodies.iter().zip(&own.parts.start.orientations);
        for (quaternion_rates, (body, start)) in own.parts.quaternion_rates.iter_mut().zip(bodies) {
            let angular_velocity = Quaternion::from_imag(state.u[body.row as usize + 1]);
            quaternion_rates[0] =
                angular_velocity * beside(start, &body.orientation(&state.q)) * 0.5;
            quaternion_rates[1] += quaternion_rates[0] * (weight / 6.0);
        }
    }
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
    strike(equations, context, own, state, h)?;
    project(equations, context, &mut own.parts, state)
}

/// `parts.linear.step` = accelerations, `parts.linear.row_step` = forces of the rows, `step` [s] after the memory
/// of the state. Accelerations of prescribed scalars are in `work.b`.
pub(in crate::solve) fn accelerations(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (load, step): (LoadCase, f64),
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    place_on_rows(parts, multibody, state);
    if !multibody.attachments.fitted.is_empty() {
        set_bias(parts, multibody, state);
        place_on_rows(parts, multibody, state);
    }
    equations.eval_forces(system, load, Motion::of(state, step), VelocityTerms::Included)?;
    parts.linear.right.copy_from_slice(&equations.work.f);
    add_fitted_inertia(parts, multibody, state);
    parts.reduction.attachments.reduce_force(&mut parts.linear.right);
    for body in &multibody.bodies {
        let rotation = body.row as usize + 1;
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        parts.linear.right[rotation] += gyroscopic_torque(&inertia, &state.u[rotation]);
    }
    set_masses(parts, context, &mut equations.matrix, state);
    set_changes_of_rows(parts, multibody, state);
    let pattern = parts.reduction.rows.pattern();
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        parts.linear.compliance[row] = 0.0;
        if soft.compliance != 0.0 {
            let entries = pattern.entries(row);
            let blocks = &pattern.blocks()[entries.clone()];
            let pushes = &mut parts.trial.reduced[entries];
            let rate: f64 =
                blocks.iter().zip(&*pushes).map(|(&b, g)| g.dot(&state.u[b as usize])).sum();
            let force = -parts.trial.values[row] / soft.compliance - soft.damping * rate;
            for (&block, push) in blocks.iter().zip(&*pushes) {
                parts.linear.right[block as usize] += push * force;
            }
            parts.trial.soft_forces[row] = force;
            let inertia = multibody.joints.inertia[row];
            if inertia > 0.0 {
                // Its row is that of a rigid one that yields by its acceleration.
                parts.linear.compliance[row] = 1.0 / inertia;
                continue;
            }
            pushes.fill(Vec3::zeros());
            (parts.linear.compliance[row], parts.linear.row_right[row]) = (1.0, 0.0);
        }
    }
    parts.linear.step.fill(Vec3::zeros());
    for (row, fixed) in system.fixed().iter().enumerate() {
        for axis in (0..3).filter(|&axis| fixed[axis]) {
            parts.linear.step[row][axis] = equations.work.b[row][axis];
        }
    }
    let kkt =
        KktSystem { s: &equations.matrix, g: &parts.trial.reduced, r: &parts.linear.compliance };
    parts.mixed.saddle_mut().factor(kkt)?;
    let sides = (&parts.linear.right[..], &parts.linear.row_right[..]);
    parts.mixed.saddle_mut().solve(
        kkt,
        sides,
        (&mut parts.linear.step, &mut parts.linear.row_step),
    )?;
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        if soft.compliance != 0.0 {
            parts.linear.row_step[row] += parts.trial.soft_forces[row];
        }
    }
    Ok(())
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
    if let Some(pair) = rows.near.refuse_crossing(multibody, [q0, &state.q], h) {
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

/// `parts.linear.row_right` = -(dG/dt) u by central differences along the motion.
fn set_changes_of_rows(parts: &mut Parts, multibody: &Multibody, state: &State) {
    parts.linear.row_right.fill(0.0);
    for side in [1.0, -1.0] {
        let step = side * LOOK;
        for (q, (now, u)) in parts.trial.q.iter_mut().zip(state.q.iter().zip(&state.u)) {
            *q = now + u * step;
        }
        for (turn, body) in parts.trial.bodies.mean_turns.iter_mut().zip(&multibody.bodies) {
            let angular_velocity = state.u[body.row as usize + 1];
            let turned = advanced(&body.orientation(&state.q), &(angular_velocity * step));
            *turn = turned.to_rotation_matrix().into_inner();
        }
        add_rates(parts, multibody, state, -side / (2.0 * LOOK));
    }
}

/// Adds `factor` times the rates of the rows at the placement of the trial.
fn add_rates(parts: &mut Parts, multibody: &Multibody, state: &State, factor: f64) {
    let at = Placement {
        q: &parts.trial.q,
        turns: &parts.trial.bodies.mean_turns,
        coordinates: &state.coordinates,
    };
    let mut reader = multibody.joints.rows.at(at);
    for row in 0..multibody.joints.rows.count() {
        let entries =
            parts.reduction.offsets[row] as usize..parts.reduction.offsets[row + 1] as usize;
        let pushes = &mut parts.trial.coefficients[entries];
        reader.coefficients(row, pushes);
        let blocks = &multibody.joints.rows.lists()[row];
        let rate: f64 =
            blocks.iter().zip(&*pushes).map(|(&b, g)| g.dot(&state.u[b as usize])).sum();
        parts.linear.row_right[row] += factor * rate;
    }
}

/// The quaternion of an orientation that lies beside another; its opposite is the same orientation, and a sum of both
/// is none.
fn beside(start: &UnitQuaternion<f64>, orientation: &UnitQuaternion<f64>) -> Quaternion<f64> {
    let opposite = start.coords.dot(&orientation.coords) < 0.0;
    if opposite { -orientation.into_inner() } else { orientation.into_inner() }
}
