//! Impacts with restitution. What is struck in a step springs back at its start, by impulses in the metric of the masses
//! under the rows of the joints: an impact takes no time, so that neither the forces nor the turns of a step have a part
//! in it. Impulses do no work: where Newton's law would have them do some, as with friction or several
//! contacts at once (Stronge1990), restitution is what leaves the energy as it is.

use crate::Vec3;
use crate::constraint::Placement;
use crate::lcp::FrictionModel;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::driven::Order;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{
    factored_motion, forget_soft_rows, place_on_rows, set_masses,
};
use crate::solve::constrained::tuning::{MAX_IMPACTS, NO_WORK};
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::impulses::solve_rows;
use crate::solve::constrained::unilateral::row_set::RowSet;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Velocities after what is struck within a step of `h` [s] has sprung back, into `state` of its start, whose rows are
/// those of `own`.
pub(in crate::solve) fn rebound(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Ok(()) };
    rows.impacts.begin(&state.u);
    if !springs_back(multibody) {
        return Ok(());
    }
    for _ in 0..MAX_IMPACTS {
        place_on_rows(parts, multibody, state);
        if !rows.begin_struck(&before(parts, multibody, state, h), state) {
            return Ok(());
        }
        meet_joints(equations, context, parts, state)?;
        if !rows.begin_struck(&before(parts, multibody, state, h), state) {
            return Ok(());
        }
        strike(equations, context, parts, state, (h, rows))?;
        for (row, u) in state.u.iter_mut().enumerate() {
            for axis in (0..3).filter(|&axis| !parts.reduction.fixed[row][axis]) {
                u[axis] = parts.trial.y[row][axis];
            }
        }
        parts.reduction.attachments.expand_velocity(&mut state.u);
        let ranges = multibody.joints.unilateral.count();
        let Unilateral { impacts, set, near, .. } = &mut **rows;
        impacts.keep(set, &near.found, ranges, &parts.trial.impulses);
    }
    Ok(())
}

fn springs_back(multibody: &Multibody) -> bool {
    let (contacts, ranges) = (&multibody.contacts, &multibody.joints.unilateral);
    contacts.behaviors.iter().any(|behavior| behavior.law.restitution > 0.0)
        || (0..ranges.count()).any(|range| ranges.restitution(range) > 0.0)
}

/// The start of the step, at which impacts are resolved.
fn before<'a>(parts: &'a Parts, multibody: &'a Multibody, state: &'a State, h: f64) -> Begin<'a> {
    let (turns, coordinates) = (&parts.start.turns[..], &parts.start.coordinates[..]);
    Begin {
        multibody,
        attachments: &parts.reduction.attachments,
        at: Placement { q: &state.q, turns, coordinates },
        u: &state.u,
        h,
        w: 1.0,
    }
}

/// Velocities onto the rows of the joints by the least change: rules that keep energy meet these rows over a step and not
/// at its ends, and impulses of rows that are missed would do work. Factors the matrix of the masses.
fn meet_joints(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
) -> Result<(), Failure> {
    set_masses(parts, context, &mut equations.matrix, state);
    let pattern = parts.reduction.rows.pattern();
    pattern.mul(&parts.trial.reduced, &state.u, &mut parts.linear.row_right);
    parts.linear.row_right.iter_mut().for_each(|rate| *rate = -*rate);
    parts.add_demand(context.multibody, Order::Rate);
    forget_soft_rows(parts, context.multibody);
    factored_motion(parts, &equations.matrix)?;
    for (row, (u, step)) in state.u.iter_mut().zip(&parts.linear.step).enumerate() {
        for axis in (0..3).filter(|&axis| !parts.reduction.fixed[row][axis]) {
            u[axis] += step[axis];
        }
    }
    parts.reduction.attachments.expand_velocity(&mut state.u);
    Ok(())
}

/// Velocities after the impact on the rows there are, into `parts.trial.y`.
fn strike(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &State,
    (h, rows): (f64, &mut Unilateral),
) -> Result<(), Failure> {
    let multibody = context.multibody;
    parts.trial.balance.residual.copy_from_slice(&state.u);
    let matrix = &equations.matrix;
    parts.mixed.matrix_changed();
    solve_rows(parts, matrix, rows, FrictionModel::Box, h)?;
    rows.settings.keep_normals(&rows.set.impulses);
    parts.trial.balance.force.copy_from_slice(&parts.trial.y);
    parts.reduction.attachments.expand_velocity(&mut parts.trial.balance.force);
    let count = rows.set.count();
    let begin = before(parts, multibody, state, h);
    rows.add_friction(&begin, Some(&parts.trial.balance.force), state);
    let model = equations.settings.friction;
    if rows.set.count() > count {
        solve_rows(parts, matrix, rows, model, h)?;
    }
    if works(&rows.set, &parts.trial.y) {
        parts.end_u.copy_from_slice(&parts.trial.y);
        rows.impacts.begin_plastic(&mut rows.set);
        solve_rows(parts, matrix, rows, model, h)?;
        let share = rows.impacts.share_without_work(&rows.set, &parts.trial.y, &parts.end_u);
        rows.impacts.restore_share(&mut rows.set, share);
        for (y, elastic) in parts.trial.y.iter_mut().zip(&parts.end_u) {
            *y += (elastic - *y) * share;
        }
    }
    Ok(())
}

/// True if the impulses of the rows do positive work: that of an impulse is its product with the
/// mean of the velocities before and after.
fn works(set: &RowSet, after: &[Vec3]) -> bool {
    let (mut work, mut size) = (0.0, 0.0);
    for (row, z) in set.impulses.iter().enumerate() {
        let ends = [set.rows[row].before, set.pattern.velocity(row, &set.values, after)];
        work += z * (ends[0] + ends[1]);
        size += z.abs() * (ends[0].abs() + ends[1].abs());
    }
    work > NO_WORK * size
}
