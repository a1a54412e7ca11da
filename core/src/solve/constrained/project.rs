//! Projection at the start of a run, and after an edit: positions and velocities are brought onto
//! the rows, by the least motion in the metric of the masses. In a running simulation explicit rules alone project.

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::constraint::Placement;
use crate::dynamics::{advanced, turn_between, world_inertia};
use crate::linalg::kkt::KktSystem;
use crate::linalg::{BLOCK, BlockMatrix, add_block};
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::driven::Order;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::reduction::Reduction;
use crate::solve::constrained::tuning::POSITION_TOLERANCE;
use crate::solve::constrained::work::LinearStep;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Most corrections of positions.
const MAX_ITERATIONS: usize = 30;

/// Brings positions, then velocities, onto the rigid rows.
pub(in crate::solve) fn project(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    place_on_rows(parts, multibody, state);
    if multibody.joints.rows.count() == 0 {
        return Ok(());
    }
    project_positions(equations, context, parts, state)?;
    set_masses(parts, context, &mut equations.matrix, state);
    let pattern = parts.reduction.rows.pattern();
    pattern.mul(&parts.trial.reduced, &state.u, &mut parts.linear.row_right);
    parts.linear.row_right.iter_mut().for_each(|b| *b = -*b);
    parts.add_demand(multibody, Order::Rate);
    forget_soft_rows(parts, multibody);
    least_motion(parts, &equations.matrix)?;
    state.u.iter_mut().zip(&parts.linear.step).for_each(|(u, step)| *u += step);
    parts.reduction.attachments.expand_velocity(&mut state.u);
    Ok(())
}

/// Brings a stage of an explicit rule onto the rows where the last factor had some that depend on others: beside all of
/// them these contradict each other by the error of the stage, and their combinations would ask for whatever removes it. Rates of
/// the stage are then those of another function with the same solutions on the rows, so that the rule keeps its order.
pub(in crate::solve) fn bring_stage_onto_rows(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
) -> Result<(), Failure> {
    match parts.mixed.saddle().has_dependent_rows() {
        true => project(equations, context, parts, state),
        false => Ok(()),
    }
}

/// Brings positions onto the rigid rows, as near as they come where these contradict each other.
pub(in crate::solve) fn project_positions(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    for _ in 0..MAX_ITERATIONS {
        equations.go_on()?;
        parts
            .linear
            .row_right
            .iter_mut()
            .zip(&parts.trial.values)
            .for_each(|(b, value)| *b = -value);
        forget_soft_rows(parts, multibody);
        if parts.linear.row_right.iter().all(|b| b.abs() < POSITION_TOLERANCE) {
            break;
        }
        set_masses(parts, context, &mut equations.matrix, state);
        least_motion(parts, &equations.matrix)?;
        displace_by(parts, multibody, state, 1.0);
        place_on_rows(parts, multibody, state);
    }
    Ok(())
}

/// Attached points where they belong, and the rows there.
pub(in crate::solve) fn place_on_rows(parts: &mut Parts, multibody: &Multibody, state: &mut State) {
    let Parts { trial, reduction: Reduction { attachments, rows, offsets, .. }, .. } = parts;
    multibody.update_turns(&state.q, &mut trial.bodies.turns);
    multibody.place_attached(&mut trial.bodies.turns, &mut state.q);
    multibody.update_rates(&state.q, &mut trial.bodies.rates);
    multibody.update_weights(
        (&state.q, &trial.bodies.turns),
        &trial.bodies.rates,
        &mut trial.weights,
    );
    attachments.update_weights(&trial.weights);
    attachments.expand_velocity(&mut state.u);
    let at = Placement { q: &state.q, turns: &trial.bodies.turns, coordinates: &state.coordinates };
    let mut reader = multibody.joints.rows.at(at);
    for (row, value) in trial.values.iter_mut().enumerate() {
        *value = reader.value(row);
        let entries = offsets[row] as usize..offsets[row + 1] as usize;
        reader.coefficients(row, &mut trial.coefficients[entries]);
    }
    rows.reduce(attachments, &trial.coefficients, &mut trial.reduced);
}

/// Compliant rows ask for nothing here.
pub(in crate::solve) fn forget_soft_rows(parts: &mut Parts, multibody: &Multibody) {
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        parts.linear.compliance[row] = 0.0;
        if soft.compliance != 0.0 {
            (parts.linear.compliance[row], parts.linear.row_right[row]) = (1.0, 0.0);
            parts.trial.reduced[parts.reduction.rows.pattern().entries(row)].fill(Vec3::zeros());
        }
    }
}

/// The matrix of the masses, reduced.
pub(in crate::solve) fn set_masses(
    parts: &mut Parts,
    context: StepContext,
    matrix: &mut BlockMatrix,
    state: &State,
) {
    let StepContext { system, multibody } = context;
    let pattern = system.pattern();
    matrix.values_mut().fill(0.0);
    for (row, mass) in system.masses().iter().enumerate() {
        let block = BLOCK * pattern.diagonal(row);
        (0..3).for_each(|axis| matrix.values_mut()[block + 4 * axis] += mass);
    }
    for body in &multibody.bodies {
        let slot = pattern.diagonal(body.row as usize + 1);
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        add_block(matrix.values_mut(), slot, &inertia);
    }
    parts.reduction.attachments.reduce(matrix);
}

/// The least motion that gives the rows the rates asked for.
pub(in crate::solve) fn least_motion(
    parts: &mut Parts,
    matrix: &BlockMatrix,
) -> Result<(), Failure> {
    parts.linear.right.fill(Vec3::zeros());
    parts.linear.step.fill(Vec3::zeros());
    let system = KktSystem { s: matrix, g: &parts.trial.reduced, r: &parts.linear.compliance };
    let sides = (&parts.linear.right[..], &parts.linear.row_right[..]);
    parts.mixed.saddle_mut().least_motion(
        system,
        sides,
        (&mut parts.linear.step, &mut parts.linear.row_step),
    )?;
    Ok(())
}

/// The same by a factor, which further rows are then responded to with.
pub(in crate::solve) fn factored_motion(
    parts: &mut Parts,
    matrix: &BlockMatrix,
) -> Result<(), Failure> {
    parts.linear.right.fill(Vec3::zeros());
    parts.linear.step.fill(Vec3::zeros());
    solve_factored(parts, matrix)
}

/// Solves the saddle point of `matrix` and the rows by a factor of its own; fixed scalars of the step are given.
pub(in crate::solve) fn solve_factored(
    parts: &mut Parts,
    matrix: &BlockMatrix,
) -> Result<(), Failure> {
    let LinearStep { step, row_step, right, row_right, compliance, .. } = &mut parts.linear;
    let system = KktSystem { s: matrix, g: &parts.trial.reduced, r: compliance };
    parts.mixed.saddle_mut().factor(system)?;
    parts.mixed.saddle_mut().solve(system, (right, row_right), (step, row_step))?;
    Ok(())
}

/// Moves and turns by a share of the step.
pub(in crate::solve) fn displace_by(
    parts: &mut Parts,
    multibody: &Multibody,
    state: &mut State,
    share: f64,
) {
    let step = &parts.linear.step;
    for (row, q) in state.q.iter_mut().enumerate() {
        *q += step[row] * share;
    }
    for body in &multibody.bodies {
        let rotation = body.row as usize + 1;
        state.q[rotation] -= step[rotation] * share;
        let turned = advanced(&body.orientation(&state.q), &(step[rotation] * share));
        state.q[rotation] = turn_between(&UnitQuaternion::identity(), &turned);
    }
}
