//! One constrained step, as docs/theory/rigid.md has it: linearize, detect, predict, solve, advance, stabilize. What
//! each of these does stands in a file of its own; steps in parts are those of `halving.rs`.

use crate::force::{JacobianScale, VelocityTerms};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::driven::end_locks_on_paths;
use crate::solve::constrained::fitted::reduce_matrix;
use crate::solve::constrained::halving::step_in_parts;
use crate::solve::constrained::iterations::iterate;
use crate::solve::constrained::newton::relinearize;
use crate::solve::constrained::residual::update_residual;
use crate::solve::constrained::substep::Substep;
use crate::solve::constrained::tangents::meet_laws;
use crate::solve::constrained::trial::{finish_substep, move_trial, predict};
use crate::solve::constrained::tuning::{FINE_TOLERANCE, KEPT_FACTOR, TOUCHING_TOLERANCE};
use crate::solve::constrained::unilateral::adhesion::add_pulls;
use crate::solve::constrained::unilateral::correction::beginning;
use crate::solve::constrained::unilateral::near::Looks;
use crate::solve::constrained::unilateral::rebound::rebound;
use crate::solve::constrained::unilateral::stabilize::stabilize;
use crate::solve::equations::{BACKWARD_EULER, Equations};
use crate::solve::failure::Failure;
use crate::solve::settings::Integrator;
use crate::system::{LoadCase, Motion, RowImpacts, State};

/// One step of `h` [s], or an equilibrium.
pub(in crate::solve) fn step_constrained(
    equations: &mut Equations,
    own: &mut Constrained,
    context: StepContext,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    own.begin_step();
    step_in_parts(equations, context, own, state, h)?;
    end_locks_on_paths(equations, context, &mut own.parts, state, h)?;
    if !matches!(equations.settings.integrator, Integrator::Static(_)) {
        stabilize(equations, context, own, state, h)?;
    }
    equations.stats.contacts = own.contacts.as_ref().map_or(0, |_| state.contacts.len());
    Ok(())
}

/// One part of a step, or all of it; positions, velocities and multipliers are as they were if it fails.
pub(super) fn take_substep(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    substep: Substep,
) -> Result<(), Failure> {
    own.parts.start.part_multipliers.clone_from(&state.multipliers);
    let mut substep = substep;
    let mut done = begin_substep(equations, context, own, state, substep);
    equations.work.u0.copy_from_slice(&state.u);
    done = done.and_then(|()| iterate_from(equations, context, own, state, substep));
    let struck = own.contacts.as_ref().is_some_and(|rows| rows.set.impact(substep.h));
    if done.is_ok() && substep.weight() < 1.0 && struck {
        // What is struck under a rule that keeps energy would fly back.
        substep.rule = BACKWARD_EULER;
        done = iterate_from(equations, context, own, state, substep);
    }
    done = done.and_then(|()| {
        finish_substep(own, context, &equations.work, state, substep);
        refuse_overlap(equations, context, own, state, substep)
    });
    if let (Err(_), Some(rows)) = (&done, &own.contacts) {
        rows.impacts.undo(state);
    }
    done
}

/// Velocities of a state after what a step of `h` [s] from it strikes has sprung back, and the impulses of that.
pub(in crate::solve) fn spring_back(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<RowImpacts, Failure> {
    let whole = Substep::whole(equations.integrator, h, equations.settings.friction);
    begin_substep(equations, context, own, state, whole)?;
    Ok(own.contacts.as_ref().map_or_else(RowImpacts::default, |rows| rows.impacts.of_rows()))
}

/// The start of a substep, and velocities after what is struck in it has sprung back.
fn begin_substep(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    substep: Substep,
) -> Result<(), Failure> {
    equations.work.q0.copy_from_slice(&state.q);
    let begin = state.time + substep.offset;
    own.parts.drive_to_end(context.multibody, [begin, begin + substep.h]);
    own.parts.begin(context.multibody, (&equations.work.q0, &equations.work.u0));
    rebound(equations, context, own, state, substep.h)
}

/// The iterate that solves the equations of a substep, whose impacts have happened.
fn iterate_from(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    linearize(equations, context, state, substep)?;
    detect(equations, context, own, state, substep);
    predict(&mut own.parts, context, &mut equations.work, state, substep);
    go_on_from_linearization(equations, own);
    solve(equations, context, own, state, substep)
}

/// Begins at the solution of the linearization of this step, with its factor, where there is one that is
/// worth it and nothing touches.
fn go_on_from_linearization(equations: &mut Equations, own: &mut Constrained) {
    let touches = own.contacts.as_ref().is_some_and(|rows| rows.set.count() > 0);
    let known = equations.kept.as_mut().and_then(|kept| kept.take_solution());
    let saddle = own.parts.mixed.saddle();
    let is_large = saddle.iterates() || saddle.factor_nnz() >= KEPT_FACTOR;
    own.parts.keeps_factor = false;
    if let (Some((y, impulses)), true) = (known, is_large && !touches) {
        own.parts.trial.y.copy_from_slice(y);
        own.parts.trial.impulses.copy_from_slice(impulses);
        own.parts.mixing.begin();
        own.parts.keeps_factor = true;
    }
}

/// Forces and their matrix about the start of the substep.
fn linearize(
    equations: &mut Equations,
    context: StepContext,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    let Substep { offset, h, .. } = substep;
    let load = LoadCase::at(state.time + offset + substep.weight() * h);
    let motion = Motion::of(state, offset + substep.weight() * h);
    let (terms, scale) = match substep.explicit {
        true => (VelocityTerms::Included, JacobianScale { position: 0.0, velocity: 0.0 }),
        false => (VelocityTerms::Excluded, substep.rule.jacobian_scale(h)),
    };
    equations.eval_forces(context.system, load, motion, terms)?;
    equations.assemble(context.system, load, motion, (1.0, scale))
}

/// Contacts and ranges that are near, and the bodies whose rotation none of them touches.
fn detect(
    equations: &Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    substep: Substep,
) {
    let Constrained { parts, contacts } = own;
    let Some(contacts) = contacts else { return };
    let begin = beginning(parts, context.multibody, &equations.work, substep);
    contacts.begin(&begin, state);
    add_pulls(contacts, &begin, state);
    contacts.prefer_iterations(parts, substep);
    parts.mixed.begin_sequence();
    for (k, body) in context.multibody.bodies.iter().enumerate() {
        parts.free[k] = body.rotates_freely && !contacts.set.touches(k);
    }
}

/// Mean velocities and impulses that balance momenta and meet all rows.
fn solve(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    let multibody = context.multibody;
    let tolerance = equations.settings.cg_tolerance;
    let touches = own.contacts.as_ref().is_some_and(|rows| rows.set.count() > 0);
    own.parts.mixed.set_tolerance(match (substep.is_fine(), touches) {
        (true, _) => tolerance.min(FINE_TOLERANCE),
        (false, true) => tolerance.min(TOUCHING_TOLERANCE),
        (false, false) => tolerance,
    });
    move_trial(&mut own.parts, multibody, &equations.work, substep.h);
    reduce_matrix(&mut own.parts, context, &mut equations.matrix);
    update_residual(own, multibody, &equations.matrix, &equations.work, substep);
    iterate(equations, context, own, state, substep)?;
    meet_laws(equations, context, own, state, substep)?;
    match substep.newton {
        Some(newton) => relinearize(equations, context, own, state, (substep, newton)),
        None => Ok(()),
    }
}

/// Goes back to the start of the substep where surfaces pass through each other, or something overlaps by more than
/// its limit at the end.
fn refuse_overlap(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    substep: Substep,
) -> Result<(), Failure> {
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Ok(()) };
    rows.settings.count_into(&rows.set, substep.friction, &mut equations.stats);
    let ways = [&equations.work.q0[..], &state.q];
    let ways = (ways, substep.h);
    let failure = match rows.near.refuse_crossing(context.multibody, ways, Looks::All) {
        Some(pair) => Failure::Crossing { pair },
        None => {
            let at = parts.placement(&state.q);
            match rows.near.beyond_limit(context.multibody, at, (&state.u, substep.h)) {
                Some((depth, pair)) => Failure::Penetration { depth, pair },
                None => return Ok(()),
            }
        }
    };
    state.q.copy_from_slice(&equations.work.q0);
    state.u.copy_from_slice(&equations.work.u0);
    state.multipliers.copy_from_slice(&parts.start.part_multipliers);
    Err(failure)
}
