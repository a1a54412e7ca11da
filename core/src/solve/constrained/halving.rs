//! A step as a whole, or in parts where its equations are not solved at once.

use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::project::project;
use crate::solve::constrained::runge_kutta::runge_kutta_in_parts;
use crate::solve::constrained::settle::equilibrium;
use crate::solve::constrained::step::take_substep;
use crate::solve::constrained::substep::{Matrix, Substep};
use crate::solve::constrained::tuning::{HALVINGS, LENIENT_HALVINGS};
use crate::solve::constrained::unilateral::outside::enter_ranges;
use crate::solve::constrained::unmet::ensure_met;
use crate::solve::equations::{Equations, ImplicitRule};
use crate::solve::failure::Failure;
use crate::solve::settings::Integrator;
use crate::system::State;

impl Failure {
    /// True if a shorter step may succeed.
    pub(super) fn may_pass(&self) -> bool {
        let passing = matches!(self, Self::NotConverged { .. } | Self::Linear(_));
        let near = matches!(self, Self::Penetration { .. } | Self::Crossing { .. });
        passing || near || matches!(self, Self::Complementarity(_))
    }
}

/// The step by its rule: in 2, 4, ... parts where its equations are not solved, then with parts of backward Euler
/// where need be.
pub(in crate::solve) fn step_in_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let integrator = equations.integrator;
    start_on_rows(equations, context, own, state)?;
    match integrator {
        Integrator::Static(settings) => {
            let settings = (h, settings);
            return equilibrium(equations, context, own, state, settings);
        }
        Integrator::RungeKutta4 => {
            return runge_kutta_in_parts(equations, context, own, state, h);
        }
        Integrator::BackwardEuler(_)
        | Integrator::Trapezoidal(_)
        | Integrator::Midpoint(_)
        | Integrator::SymplecticEuler
        | Integrator::Variable(_) => {}
    }
    let whole = Substep::whole(integrator, h, equations.settings.friction);
    let nearest = Substep { matrix: Matrix::Nearest, ..whole };
    if own.parts.conflicting && take_substep(equations, context, own, state, nearest).is_ok() {
        equations.stats.substeps = 1;
        return ensure_met(&own.parts, context.multibody);
    }
    own.parts.conflicting = false;
    let done = try_parts(equations, context, own, state, whole);
    if done.as_ref().is_err_and(Failure::may_pass)
        && take_substep(equations, context, own, state, nearest).is_ok()
    {
        (own.parts.conflicting, equations.stats.substeps) = (true, 1);
        return ensure_met(&own.parts, context.multibody);
    }
    done
}

/// Keeps the start of the step, and brings a state without multipliers onto the rows.
pub(in crate::solve) fn start_on_rows(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let count = multibody.joints.rows.count();
    own.parts.start.keep(state, count);
    if !own.parts.start.had_multipliers {
        project(equations, context, &mut own.parts, state)?;
        enter_ranges(equations, context, own, state)?;
        ensure_met(&own.parts, multibody)?;
        state.multipliers.resize(count, 0.0);
        state.multipliers.fill(0.0);
    }
    own.parts.start.whole_q.copy_from_slice(&state.q);
    own.parts.start.whole_u.copy_from_slice(&state.u);
    equations.stats.substeps = 1;
    Ok(())
}

/// The whole step, else in 2, 4, ... parts. A part that fails may be made by backward Euler.
pub(in crate::solve) fn try_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    whole: Substep,
) -> Result<(), Failure> {
    let mut done = Ok(());
    for halving in 0..=HALVINGS {
        let parts = 1 << halving;
        let h = whole.h / f64::from(parts);
        for part in 0..parts {
            let lenient = halving >= LENIENT_HALVINGS;
            let substep = Substep { offset: f64::from(part) * h, h, lenient, ..whole };
            done = take_substep(equations, context, own, state, substep);
            if done.as_ref().is_err_and(Failure::may_pass) {
                let other = Substep { matrix: Matrix::Unsymmetric, ..substep };
                done = take_substep(equations, context, own, state, other);
            }
            if done.as_ref().is_err_and(Failure::may_pass) && halving > 0 && whole.weight() < 1.0 {
                let rule = ImplicitRule { end_weight: 1.0 };
                let damped = Substep { rule, ..substep };
                done = take_substep(equations, context, own, state, damped);
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
