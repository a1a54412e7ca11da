//! A step as a whole, or in parts where its equations are not solved at once.

use super::{Constrained, Matrix, Piece};
use crate::constraint::Placement;
use crate::force::{JacobianScale, VelocityTerms};
use crate::solve::constrained::Parts;
use crate::solve::constrained::StepContext;
use crate::solve::constrained::carried::reduce_matrix;
use crate::solve::constrained::equilibrium::constrained_equilibrium;
use crate::solve::constrained::newton::relinearize;
use crate::solve::constrained::project::project;
use crate::solve::constrained::residual::update_residual;
use crate::solve::constrained::rounds::iterate;
use crate::solve::constrained::runge_kutta::runge_kutta_in_parts;
use crate::solve::constrained::trial::{begin_trial, finish_substep, move_trial};
use crate::solve::constrained::unilateral::choices::count_contacts;
use crate::solve::constrained::unilateral::resting::check_static;
use crate::solve::constrained::unilateral::stabilize::stabilize;
use crate::solve::equations::{Equations, ImplicitRule};
use crate::solve::failure::Failure;
use crate::solve::settings::Integrator;
use crate::system::{LoadCase, Motion, State};

/// Halvings of a step after which that is done.
const LENIENT_HALVINGS: usize = 2;
/// A step that does not converge is made in 2, 4, ... parts, this many times twice as many.
pub(super) const HALVINGS: usize = 8;

impl Failure {
    /// Whether a shorter step may succeed.
    pub(super) fn may_pass(&self) -> bool {
        let passing = matches!(self, Self::NotConverged { .. } | Self::Linear(_));
        passing || matches!(self, Self::Complementarity(_) | Self::Penetration { .. })
    }
}

/// One step; in 2, 4, ... parts where its equations are not solved, then with parts of backward Euler
/// where need be.
pub(in crate::solve) fn step_constrained(
    equations: &mut Equations,
    own: &mut Constrained,
    context: StepContext,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let integrator = equations.settings.integrator;
    step_in_parts(equations, context, own, state, h)?;
    let result = match integrator {
        Integrator::Static(_) => check_static(own, context.multibody, state, h),
        _ => stabilize(equations, context, own, state, h),
    };
    count_contacts(own, state, &mut equations.stats);
    result
}

pub(in crate::solve) fn step_in_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let integrator = equations.settings.integrator;
    start_on_rows(equations, context, &mut own.parts, state)?;
    match integrator {
        Integrator::Static(settings) => {
            let settings = (h, settings);
            return constrained_equilibrium(equations, context, &mut own.parts, state, settings);
        }
        Integrator::RungeKutta4 => {
            return runge_kutta_in_parts(equations, context, own, state, h);
        }
        _ => {}
    }
    let whole = Piece::whole(integrator, h, equations.settings.friction);
    let nearest = Piece { matrix: Matrix::Nearest, ..whole };
    if own.parts.conflicting && try_piece(equations, context, own, state, nearest).is_ok() {
        equations.stats.substeps = 1;
        return Ok(());
    }
    own.parts.conflicting = false;
    let done = try_parts(equations, context, own, state, whole);
    if done.as_ref().is_err_and(Failure::may_pass)
        && try_piece(equations, context, own, state, nearest).is_ok()
    {
        (own.parts.conflicting, equations.stats.substeps) = (true, 1);
        return Ok(());
    }
    done
}

/// Keeps the start of the step, and brings a state without multipliers onto the rows.
pub(in crate::solve) fn start_on_rows(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let count = multibody.rows.count();
    parts.start.keep(state, count);
    if !parts.start.had_multipliers {
        project(equations, context, parts, state)?;
        state.multipliers.resize(count, 0.0);
        state.multipliers.fill(0.0);
    }
    parts.start.whole_q.copy_from_slice(&state.q);
    parts.start.whole_u.copy_from_slice(&state.u);
    equations.stats.substeps = 1;
    Ok(())
}

/// The whole step, else in 2, 4, ... parts. A part that fails may be made by backward Euler.
pub(in crate::solve) fn try_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    whole: Piece,
) -> Result<(), Failure> {
    let mut done = Ok(());
    for halving in 0..=HALVINGS {
        let parts = 1 << halving;
        let h = whole.h / f64::from(parts);
        for part in 0..parts {
            let lenient = halving >= LENIENT_HALVINGS;
            let piece = Piece { offset: f64::from(part) * h, h, lenient, ..whole };
            done = try_piece(equations, context, own, state, piece);
            if done.as_ref().is_err_and(Failure::may_pass) {
                let other = Piece { matrix: Matrix::Unsymmetric, ..piece };
                done = try_piece(equations, context, own, state, other);
            }
            if done.as_ref().is_err_and(Failure::may_pass) && halving > 0 && whole.weight() < 1.0 {
                let rule = ImplicitRule { end_weight: 1.0 };
                let damped = Piece { rule, ..piece };
                done = try_piece(equations, context, own, state, damped);
            }
            if done.is_err() {
                break;
            }
        }
        match &done {
            Ok(()) => {
                equations.stats.substeps = parts as usize;
                return Ok(());
            }
            Err(error) if !error.may_pass() => return done,
            Err(_) => own.parts.start.go_back(state),
        }
    }
    done
}

/// One part of a step; the state is as it was if it fails.
pub(in crate::solve) fn try_piece(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    piece: Piece,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let Piece { offset, h, .. } = piece;
    let w = piece.weight();
    equations.work.q0.copy_from_slice(&state.q);
    equations.work.u0.copy_from_slice(&state.u);
    let load = LoadCase::at(state.time + offset + w * h);
    let motion = Motion { step: offset + h, ..Motion::of(state, h) };
    let (terms, scale) = match piece.explicit {
        true => (VelocityTerms::Included, JacobianScale { position: 0.0, velocity: 0.0 }),
        false => (VelocityTerms::Excluded, piece.rule.jacobian_scale(h)),
    };
    equations.eval_forces(system, load, motion, terms)?;
    equations.assemble(system, load, motion, (1.0, scale))?;
    own.parts.saddle.begin(&equations.settings, piece.is_fine());
    begin_trial(own, context, &mut equations.work, state, piece);
    move_trial(&mut own.parts, multibody, &equations.work, h);
    reduce_matrix(&mut own.parts, context, &mut equations.matrix);
    update_residual(own, multibody, &equations.matrix, &equations.work, piece);
    iterate(equations, context, own, state, piece)?;
    if let Some(newton) = piece.newton {
        relinearize(equations, context, own, state, (piece, newton))?;
    }
    if w < 1.0 && own.contacts.as_ref().is_some_and(|rows| rows.impact(h)) {
        // What is struck under a rule that keeps energy would fly back.
        let rule = ImplicitRule { end_weight: 1.0 };
        return try_piece(equations, context, own, state, Piece { rule, ..piece });
    }
    finish_substep(own, context, &equations.work, state, piece);
    if let Some(rows) = &mut own.contacts {
        rows.count_into(piece.friction, &mut equations.stats);
        let at = Placement {
            q: &state.q,
            turns: &own.parts.trial.bodies.turns,
            coordinates: &own.parts.start.coordinates,
        };
        if let Some((depth, pair)) = rows.beyond_limit(multibody, at, (&state.u, h)) {
            state.q.copy_from_slice(&equations.work.q0);
            state.u.copy_from_slice(&equations.work.u0);
            return Err(Failure::Penetration { depth, pair });
        }
    }
    Ok(())
}
