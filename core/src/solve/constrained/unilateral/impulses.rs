//! Impulses of contacts, friction and ranges at the end of an explicit step: one complementarity problem
//! in the metric of the masses, under the rows of the joints.

use crate::Vec3;
use crate::constraint::Placement;
use crate::lcp::FrictionModel;
use crate::linalg::BlockMatrix;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::linear_problem::{Request, solve_problem};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{
    displace_by, factored_motion, forget_soft_rows, place_on_rows, set_masses,
};
use crate::solve::constrained::tuning::{
    IMPULSE_ITERATIONS, POSITION_TOLERANCE, TOUCHING_TOLERANCES,
};
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::adhesion::add_pulls;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::equations::{Equations, Work};
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Weight of the end of the step: an impulse acts as a force that is constant over the step, so that what
/// rests stays. What is struck goes too far by half of its way, and is taken back with other overlaps.
const WEIGHT: f64 = 0.5;

/// Changes velocities and positions at the end of a step of `h` that was taken without contacts and
/// ranges, by the impulses of these. `work` holds the start.
pub(in crate::solve) fn strike(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Ok(()) };
    parts.end_u.copy_from_slice(&state.u);
    strike_with(equations, context, parts, state, (h, rows))?;
    take_impulses(parts, multibody, &equations.work, state, (h, rows));
    rows.settings.count_into(&rows.set, equations.settings.friction, &mut equations.stats);
    Ok(())
}

/// Mean velocities of the step into `parts.trial.y`, and without impulses into `parts.trial.balance.residual`.
fn strike_with(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (h, rows): (f64, &mut Unilateral),
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    begin_at_start(parts, multibody, &mut equations.work, state, (h, rows));
    place_on_rows(parts, multibody, state);
    set_masses(parts, context, &mut equations.matrix, state);
    parts.reduction.rows.pattern().mul(&parts.trial.reduced, &state.u, &mut parts.linear.row_right);
    parts.linear.row_right.iter_mut().for_each(|b| *b *= -WEIGHT);
    forget_soft_rows(parts, multibody);
    factored_motion(parts, &equations.matrix)?;
    for (row, y) in parts.trial.y.iter_mut().enumerate() {
        let before = equations.work.u0[row];
        *y = before + (state.u[row] - before) * WEIGHT;
    }
    add_step(parts);
    parts.trial.balance.residual.copy_from_slice(&parts.trial.y);
    let model = equations.settings.friction;
    parts.mixed.matrix_changed();
    solve_rows(parts, &equations.matrix, rows, FrictionModel::Box, h)?;
    rows.settings.keep_normals(&rows.set.impulses);
    for (row, free) in parts.trial.balance.force.iter_mut().enumerate() {
        let before = equations.work.u0[row];
        *free = before + (parts.trial.y[row] - before) / WEIGHT;
    }
    parts.reduction.attachments.expand_velocity(&mut parts.trial.balance.force);
    let count = rows.set.count();
    let begin = struck(parts, multibody, &equations.work, h);
    rows.add_friction(&begin, Some(&parts.trial.balance.force), state);
    equations.go_on()?;
    if rows.set.count() > count {
        solve_rows(parts, &equations.matrix, rows, model, h)?;
    }
    Ok(())
}

/// The start of a step whose impulses are sought.
fn struck<'a>(parts: &'a Parts, multibody: &'a Multibody, work: &'a Work, h: f64) -> Begin<'a> {
    let (turns, coordinates) = (&parts.start.turns[..], &parts.start.coordinates[..]);
    Begin {
        multibody,
        attachments: &parts.reduction.attachments,
        at: Placement { q: &work.q0, turns, coordinates },
        u: &work.u0,
        h,
        w: WEIGHT,
    }
}

/// Rows as they are at the start of the step.
fn begin_at_start(
    parts: &mut Parts,
    multibody: &Multibody,
    work: &mut Work,
    state: &mut State,
    (h, rows): (f64, &mut Unilateral),
) {
    std::mem::swap(&mut state.q, &mut work.q0);
    std::mem::swap(&mut state.u, &mut work.u0);
    place_on_rows(parts, multibody, state);
    std::mem::swap(&mut state.q, &mut work.q0);
    std::mem::swap(&mut state.u, &mut work.u0);
    parts.start.turns.copy_from_slice(&parts.trial.bodies.turns);
    let begin = struck(parts, multibody, work, h);
    rows.begin(&begin, state);
    add_pulls(rows, &begin, state);
}

/// Impulses that satisfy the rows there are, with the limits of friction that belong to them.
pub(super) fn solve_rows(
    parts: &mut Parts,
    matrix: &BlockMatrix,
    rows: &mut Unilateral,
    friction: FrictionModel,
    h: f64,
) -> Result<(), Failure> {
    parts.trial.y.copy_from_slice(&parts.trial.balance.residual);
    parts.trial.impulses.fill(0.0);
    parts.linear.row_right.fill(0.0);
    parts.linear.right.fill(Vec3::zeros());
    rows.set.half.clone_from(&rows.set.values);
    rows.set.add_to(&mut parts.linear.right);
    rows.status.directed = true;
    parts.mixed.begin_sequence();
    for _ in 0..IMPULSE_ITERATIONS {
        solve_problem(parts, matrix, Some(&mut *rows), Request::by_masses(friction, h))?;
        add_step(parts);
        let steps = parts.trial.impulses.iter_mut().zip(&parts.linear.row_step);
        steps.for_each(|(impulse, step)| *impulse += step);
        parts.linear.right.fill(Vec3::zeros());
        if rows.set.follow_laws(&parts.trial.y, (h, WEIGHT)) {
            parts.mixed.matrix_changed();
        }
        rows.measure(&parts.mixed, &parts.trial.y, h);
        if rows.status.error < POSITION_TOLERANCE {
            return Ok(());
        }
    }
    if rows.status.error < TOUCHING_TOLERANCES[2] {
        return Ok(());
    }
    let (method, iterations) = ("the impulses of an explicit step", IMPULSE_ITERATIONS);
    let (residual, tolerance) = (rows.status.error, TOUCHING_TOLERANCES[2]);
    Err(Failure::NotConverged { method, iterations, residual, tolerance })
}

/// Adds `parts.linear.step` to the mean velocities of what is not fixed.
fn add_step(parts: &mut Parts) {
    for (row, (y, step)) in parts.trial.y.iter_mut().zip(&parts.linear.step).enumerate() {
        for axis in (0..3).filter(|&axis| !parts.reduction.fixed[row][axis]) {
            y[axis] += step[axis];
        }
    }
}

/// The state with the impulses found: velocities, positions, and forces of all rows.
fn take_impulses(
    parts: &mut Parts,
    multibody: &Multibody,
    work: &Work,
    state: &mut State,
    (h, rows): (f64, &Unilateral),
) {
    for (row, u) in state.u.iter_mut().enumerate() {
        let end = work.u0[row] + (parts.trial.y[row] - work.u0[row]) / WEIGHT;
        for axis in (0..3).filter(|&axis| !parts.reduction.fixed[row][axis]) {
            u[axis] = end[axis];
        }
        parts.linear.step[row] = parts.trial.y[row] - parts.trial.balance.residual[row];
    }
    displace_by(parts, multibody, state, h);
    let forces = state.multipliers.iter_mut().zip(&parts.trial.impulses);
    forces.for_each(|(force, impulse)| *force += impulse / (WEIGHT * h));
    rows.write_forces(multibody, state, WEIGHT * h);
    rows.impacts.add_to(state, h);
    place_on_rows(parts, multibody, state);
}
