//! Response of a step to further impulses: back-solves with the matrix of its last iterate, under the rows that hold
//! and those that push (`mixed/response.rs`).

use crate::Vec3;
use crate::linalg::kkt::ConstraintPattern;
use crate::mixed::{MixedResponse, RowState, UnilateralRows};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::factor::factor_iterate;
use crate::solve::constrained::halving::start_on_rows;
use crate::solve::constrained::linear_problem::{Known, Request, solve_problem};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::residual::update_residual;
use crate::solve::constrained::step::take_substep;
use crate::solve::constrained::substep::Substep;
use crate::solve::constrained::trial::move_trial;
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::correction::{turn_back, turn_rows};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::response::{RowResponse, StepResponse};
use crate::solve::settings::ResponseAccuracy;
use crate::system::{Multibody, State};

/// Velocities and multipliers, or the right sides of their lines.
type Column<'a> = (&'a [Vec3], &'a [f64]);
/// The same, to be written.
type ColumnMut<'a> = (&'a mut [Vec3], &'a mut [f64]);

/// A step of `h` [s] as a whole, overlaps left as they are; its matrix stays at hand.
pub(in crate::solve) fn linearize_constrained(
    equations: &mut Equations,
    own: &mut Constrained,
    context: StepContext,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    own.begin_step();
    start_on_rows(equations, context, own, state)?;
    let substep = Substep::whole(equations.integrator, h, equations.settings.friction);
    let solves = equations.stats.linear_solves;
    own.keep_passing(true);
    let taken = take_substep(equations, context, own, state, substep);
    own.keep_passing(false);
    taken?;
    if equations.stats.linear_solves == solves {
        // What is at rest under no force takes its step without a solution, and so without a factor.
        factor_iterate(own, context, &mut equations.matrix, &equations.work, substep)?;
    }
    equations.keep_solution(&own.parts.trial.y, &own.parts.trial.impulses);
    Ok(())
}

/// Largest change of a velocity that equations are differenced over [m/s], [rad/s]: in a step of 10 ms they are then right
/// to 1e-8.
const DIFFERENCE: f64 = 1e-2;
/// Corrections of refined responses: each leaves some hundredth of the error, what the matrix leaves out of a step.
const REFINEMENTS: usize = 3;

/// Changes of positions at the end over `h` [s] by `impulses` [N s] on the block rows, column after column, of the
/// impulses of the rows, and of the forces of contacts. Impulses on attached points are handed to their masters.
pub(in crate::solve) fn respond_constrained(
    equations: &mut Equations,
    own: &mut Constrained,
    context: StepContext,
    (impulses, h, accuracy): (&mut [Vec3], f64, ResponseAccuracy),
    response: &mut StepResponse,
) -> Result<(), Failure> {
    let StepResponse { positions: changes, velocities, multipliers, contacts, rows, pushes, rates } =
        response;
    let multibody = context.multibody;
    let substep = Substep::whole(equations.integrator, h, equations.settings.friction);
    // Weights of attached points at the mean of the step, as its balance has them.
    move_trial(&mut own.parts, multibody, &equations.work, h);
    let size = equations.work.q0.len().max(1);
    for column in impulses.chunks_exact_mut(size) {
        reduce_impulses(&own.parts, multibody, substep, column);
    }
    let touches = own.contacts.as_ref().is_some_and(|rows| rows.set.count() > 0);
    let count = own.contacts.as_ref().map_or(0, |rows| rows.set.count());
    pushes.resize(count * (impulses.len() / size), 0.0);
    let found = MixedResponse { u: &mut *changes, lambda: &mut *multipliers, z: &mut *pushes };
    back_solve(equations, own, multibody, substep, (impulses, found))?;
    if let Some(unilateral) = &mut own.contacts {
        let columns = pushes.chunks_exact(count.max(1));
        let Unilateral { set, near, .. } = &mut **unilateral;
        columns.for_each(|column| set.add_force_changes(&near.found, column, h, contacts));
        rows.extend(RowState::all(&set.state_about(&own.parts.trial.y, 0.0).0));
        changes.chunks_exact(size).for_each(|column| set.add_rates(column, rates));
    }
    let refines = accuracy == ResponseAccuracy::Refined && !touches;
    if refines {
        refine(equations, own, multibody, substep, (impulses, &mut *changes, &mut *multipliers))?;
    }
    velocities.clone_from(changes);
    change_ends(&mut own.parts, multibody, h, (changes, velocities));
    Ok(())
}

/// The same by unit impulses on the unilateral rows.
pub(in crate::solve) fn respond_to_rows(
    equations: &mut Equations,
    own: &mut Constrained,
    context: StepContext,
    h: f64,
    found: &mut RowResponse,
) -> Result<(), Failure> {
    let RowResponse { pushed, response, contacts } = found;
    let multibody = context.multibody;
    let substep = Substep::whole(equations.integrator, h, equations.settings.friction);
    move_trial(&mut own.parts, multibody, &equations.work, h);
    pushed.clear();
    contacts.clear();
    let Constrained { parts, contacts: unilateral } = own;
    let Some(rows) = unilateral else { return Ok(()) };
    turn_rows(parts, multibody, rows);
    let Parts { mixed, linear, trial, reduction, .. } = &mut *parts;
    let Unilateral { set, near, .. } = &mut **rows;
    let (unilateral, ..) = set.state_about(&trial.y, 0.0);
    let states = RowState::all(&unilateral);
    pushed.extend((0..states.len()).filter(|&k| states[k].is_active || states[k].only_pushes));
    let sizes = [equations.work.q0.len(), trial.impulses.len(), states.len()];
    response.resize(sizes, pushed.len());
    let StepResponse { positions, velocities, multipliers, pushes, rates, .. } = response;
    let request = Request::of(substep);
    let (known, ..) = Known::of(linear, trial, reduction, request);
    let problem = known.problem(&equations.matrix, unilateral, request);
    let solution = MixedResponse { u: &mut *positions, lambda: multipliers, z: &mut *pushes };
    mixed.respond_to_rows(&problem, pushed, solution)?;
    turn_columns(parts, multibody, positions);
    positions.chunks_exact(sizes[0].max(1)).for_each(|column| set.add_rates(column, rates));
    let columns = pushes.chunks_exact(states.len().max(1));
    contacts.extend(columns.map(|column| set.force_changes(&near.found, column, h)));
    velocities.clone_from(positions);
    change_ends(parts, multibody, h, (positions, velocities));
    Ok(())
}

/// Changes of angular velocities from the frame half way into that of the start, column after column.
fn turn_columns(parts: &Parts, multibody: &Multibody, changes: &mut [Vec3]) {
    for column in changes.chunks_exact_mut(parts.trial.q.len().max(1)) {
        for (k, body) in multibody.bodies.iter().enumerate() {
            let change = &mut column[body.row as usize + 1];
            *change = parts.start.turns[k] * parts.trial.bodies.half[k].tr_mul(change);
        }
    }
}

/// Changes of mean velocities, in the frames of the start, and of multipliers, by the matrix of the last iterate.
fn back_solve(
    equations: &Equations,
    own: &mut Constrained,
    multibody: &Multibody,
    substep: Substep,
    (impulses, response): (&[Vec3], MixedResponse),
) -> Result<(), Failure> {
    let MixedResponse { u: changes, lambda, z } = response;
    let Constrained { parts, contacts } = own;
    if let Some(rows) = contacts {
        turn_rows(parts, multibody, rows);
    }
    let Parts { mixed, linear, trial, reduction, .. } = &mut *parts;
    let request = Request::of(substep);
    let none = ConstraintPattern::default();
    let unilateral = match contacts {
        Some(rows) => rows.set.state_about(&trial.y, 0.0).0,
        None => UnilateralRows::none(&none),
    };
    let (known, ..) = Known::of(linear, trial, reduction, request);
    let problem = known.problem(&equations.matrix, unilateral, request);
    mixed.respond(&problem, impulses, MixedResponse { u: &mut *changes, lambda, z })?;
    turn_columns(parts, multibody, changes);
    Ok(())
}

/// Corrects responses by what they leave of the equations themselves, differenced along them.
fn refine(
    equations: &Equations,
    own: &mut Constrained,
    multibody: &Multibody,
    substep: Substep,
    (impulses, changes, multipliers): (&[Vec3], &mut [Vec3], &mut [f64]),
) -> Result<(), Failure> {
    let (size, rows) = (equations.work.q0.len().max(1), own.parts.trial.impulses.len());
    let (mut left, mut row_left) = (impulses.to_vec(), multipliers.to_vec());
    let (mut more, mut row_more) = (changes.to_vec(), multipliers.to_vec());
    for _ in 0..REFINEMENTS {
        left.copy_from_slice(impulses);
        row_left.fill(0.0);
        for k in 0..impulses.len() / size {
            let (at, row_at) = (k * size..(k + 1) * size, k * rows..(k + 1) * rows);
            let along = (&changes[at.clone()], &multipliers[row_at.clone()]);
            let leave = (&mut left[at], &mut row_left[row_at]);
            subtract_derivative(equations, own, multibody, substep, (along, leave));
        }
        for (k, column) in left.chunks_exact(size).enumerate() {
            let sides = (column, &row_left[k * rows..(k + 1) * rows]);
            let found =
                (&mut more[k * size..(k + 1) * size], &mut row_more[k * rows..(k + 1) * rows]);
            solve_column(equations, own, multibody, substep, (sides, found))?;
        }
        changes.iter_mut().zip(&more).for_each(|(change, more)| *change += more);
        multipliers.iter_mut().zip(&row_more).for_each(|(change, more)| *change += more);
    }
    Ok(())
}

/// Impulses as the balance of momenta has them: of masters, in the frames half way.
fn reduce_impulses(parts: &Parts, multibody: &Multibody, substep: Substep, column: &mut [Vec3]) {
    for (body, _) in multibody.bodies.iter().zip(&parts.free).filter(|(_, free)| **free) {
        column[body.row as usize + 1] *= 0.5 / substep.weight();
    }
    parts.reduction.attachments.reduce_force(column);
    for (k, body) in multibody.bodies.iter().enumerate() {
        let bodies = &parts.trial.bodies;
        if let Some(inverse) = bodies.mean_turns[k].try_inverse() {
            let moment = &mut column[body.row as usize + 1];
            *moment = bodies.half[k] * (inverse * *moment);
        }
    }
    for (push, fixed) in column.iter_mut().zip(&parts.reduction.fixed) {
        (0..3).filter(|&axis| fixed[axis]).for_each(|axis| push[axis] = 0.0);
    }
}

/// From changes of mean velocities, in both arrays, to changes of positions and of velocities at the end, column after
/// column, with the weights that attached points have there.
fn change_ends(
    parts: &mut Parts,
    multibody: &Multibody,
    h: f64,
    (changes, velocities): (&mut [Vec3], &mut [Vec3]),
) {
    let Parts { trial, reduction, .. } = &mut *parts;
    multibody.update_rates(&trial.q, &mut trial.bodies.rates);
    let end = (&trial.q[..], &trial.bodies.turns[..]);
    multibody.update_weights(end, &trial.bodies.rates, &mut trial.weights);
    reduction.attachments.update_weights(&trial.weights);
    let size = trial.q.len().max(1);
    for (column, rates) in changes.chunks_exact_mut(size).zip(velocities.chunks_exact_mut(size)) {
        expand_changes(parts, multibody, h, column);
        end_velocities(parts, multibody, (&*column, h), rates);
    }
}

/// From changes of mean velocities to changes of positions over `h` [s]: of rotations by the
/// derivative of the Cayley map, (1 + [v]/2) / (1 + v²/4) at the turn v of the step; of attached points by the weights at
/// the end.
fn expand_changes(parts: &Parts, multibody: &Multibody, h: f64, column: &mut [Vec3]) {
    let Parts { trial, reduction, .. } = parts;
    for body in &multibody.bodies {
        let row = body.row as usize + 1;
        let (change, turn) = (column[row], trial.y[row] * h);
        column[row] = (change + turn.cross(&change) * 0.5) / (1.0 + 0.25 * turn.norm_squared());
    }
    reduction.attachments.expand_velocity(column);
}

/// From changes of mean velocities to those at the end. The angular velocity of a body is the mean one w, which turns with it
/// by Q over the step: Q dw + dq x w, with the change dq of its rotation.
fn end_velocities(
    parts: &Parts,
    multibody: &Multibody,
    (column, h): (&[Vec3], f64),
    rates: &mut [Vec3],
) {
    let Parts { trial, start, .. } = parts;
    for (k, body) in multibody.bodies.iter().enumerate() {
        let row = body.row as usize + 1;
        let turned = trial.bodies.turns[k] * start.turns[k].tr_mul(&rates[row]);
        rates[row] = turned + (column[row] * h).cross(&trial.y[row]);
    }
}

/// Takes off `left` and `row_left` the derivative of the equations along a change of velocities and multipliers.
fn subtract_derivative(
    equations: &Equations,
    own: &mut Constrained,
    multibody: &Multibody,
    substep: Substep,
    ((u, lambda), (left, row_left)): (Column, ColumnMut),
) {
    let largest = u.iter().map(|u| u.amax()).fold(0.0, f64::max);
    if largest == 0.0 {
        return;
    }
    let step = DIFFERENCE / largest;
    let (y, pushes) = (own.parts.trial.y.clone(), own.parts.trial.impulses.clone());
    for side in [step, -step] {
        let trial = &mut own.parts.trial;
        for (y, (base, u)) in trial.y.iter_mut().zip(y.iter().zip(u)) {
            *y = base + u * side;
        }
        for (push, (base, change)) in trial.impulses.iter_mut().zip(pushes.iter().zip(lambda)) {
            *push = base + change * side;
        }
        move_trial(&mut own.parts, multibody, &equations.work, substep.h);
        update_residual(own, multibody, &equations.matrix, &equations.work, substep);
        let balance = &own.parts.trial.balance;
        let share = 0.5 / side;
        for (left, residual) in left.iter_mut().zip(&balance.residual) {
            *left -= residual * share;
        }
        let joints = &multibody.joints;
        let compliant = joints.compliance.iter().zip(&joints.inertia);
        let rows = row_left.iter_mut().zip(&balance.row_residual).zip(compliant);
        for ((left, residual), (soft, inertia)) in rows {
            *left -= residual * share / (substep.h * soft.scale(substep.of_row(*inertia)));
        }
    }
    own.parts.trial.y.copy_from_slice(&y);
    own.parts.trial.impulses.copy_from_slice(&pushes);
    move_trial(&mut own.parts, multibody, &equations.work, substep.h);
}

/// One solution by the matrix at hand for right sides of both lines.
fn solve_column(
    equations: &Equations,
    own: &mut Constrained,
    multibody: &Multibody,
    substep: Substep,
    ((b, b_g), (u, lambda)): (Column, ColumnMut),
) -> Result<(), Failure> {
    own.parts.linear.right.copy_from_slice(b);
    own.parts.linear.row_right.copy_from_slice(b_g);
    solve_problem(&mut own.parts, &equations.matrix, None, Request::of(substep))?;
    turn_back(&mut own.parts, multibody);
    u.copy_from_slice(&own.parts.linear.step);
    lambda.copy_from_slice(&own.parts.linear.row_step);
    Ok(())
}
