//! Newton iteration on the equations of an implicit step:
//! r(u1) = M (u0 - u1) + h ((1 - w) f(q0, u0) + w f(q1, u1)) = 0, q1 = q0 + h ((1 - w) u0 + w u1).

use crate::Vec3;
use crate::force::VelocityTerms;
use crate::linalg::{clear_fixed, norm};
use crate::solve::dynamics::{prescribe_places, step_linearized};
use crate::solve::equations::{Equations, ImplicitRule, MIDPOINT_HALF, Work};
use crate::solve::failure::Failure;
use crate::solve::settings::NewtonSettings;
use crate::system::{LoadCase, MechSystem, Motion, State};

/// Halvings of an update whose residual grows before it is taken as it is.
const MAX_HALVINGS: usize = 8;

/// An update on a kept factor that leaves more than this share of the residual is the last on it [-]: a new one costs some
/// ten solves.
const KEPT_CONTRACTION: f64 = 0.3;

/// The factor with which updates are solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Factor {
    /// That of the derivatives at the iterate (Newton).
    Anew,
    /// That of the linearized step, as long as residuals fall fast.
    Kept,
}

/// Iterates to the tolerance; `state` is left at the end of the step.
pub(in crate::solve) fn step_newton(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    (h, rule): (f64, ImplicitRule),
    (newton, factor): (NewtonSettings, Factor),
) -> Result<(), Failure> {
    set_start_forces(equations, system, state, rule)?;
    step_linearized(equations, system, state, h, rule)?;
    let mut residual = residual(equations, system, state, (h, rule))?;
    let (mut scale, mut rounding) = (0f64, 0f64);
    let mut anew = factor == Factor::Anew;
    for iteration in 0..=newton.max_iterations {
        scale = scale.max(force_scale(equations, system, h));
        if residual <= (newton.tolerance * scale).max(rounding) {
            return Ok(());
        }
        if iteration == newton.max_iterations {
            break;
        }
        if anew {
            let end = LoadCase::at(state.time + h);
            let motion = Motion::of(state, h);
            equations.assemble_whole(system, end, motion, (1.0, rule.jacobian_scale(h)))?;
            equations.prepare(system, &state.q)?;
        }
        // The matrix is w² h² K and more, the residual a sum of w h K q.
        let absolute = equations.matrix.absolute_product_norm(&state.q, system.fixed());
        rounding = f64::EPSILON * absolute / (rule.end_weight * h);
        equations.work.x.fill(Vec3::zeros());
        equations.solve(system)?;
        let before = residual;
        residual = update(equations, system, state, (h, rule), before)?;
        anew = factor == Factor::Anew || residual > KEPT_CONTRACTION * before;
    }
    Err(Failure::of_newton(newton, residual / scale.max(f64::MIN_POSITIVE)))
}

/// `work.f0` = forces at the start, where the rule has them.
fn set_start_forces(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &State,
    rule: ImplicitRule,
) -> Result<(), Failure> {
    if rule.end_weight < 1.0 {
        let motion = Motion::now(state);
        equations.eval_forces(system, LoadCase::at(state.time), motion, VelocityTerms::Included)?;
        equations.work.f0.copy_from_slice(&equations.work.f);
    } else {
        equations.work.f0.fill(Vec3::zeros());
    }
    Ok(())
}

/// The implicit midpoint rule: half a step of backward Euler, and as far again.
pub(in crate::solve) fn step_midpoint(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    h: f64,
    newton: NewtonSettings,
) -> Result<(), Failure> {
    let half = (0.5 * h, MIDPOINT_HALF);
    step_newton(equations, system, state, half, (newton, Factor::Anew))?;
    let Work { q0, u0, .. } = &equations.work;
    for (q, q0) in state.q.iter_mut().zip(q0) {
        *q += *q - q0;
    }
    for (u, u0) in state.u.iter_mut().zip(u0) {
        *u += *u - u0;
    }
    system.prescribe(LoadCase::at(state.time + h), &mut state.q);
    Ok(())
}

/// u1 += alpha x with the first alpha of 1, 1/2, ... that lowers the residual; returns it.
fn update(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    (h, rule): (f64, ImplicitRule),
    before: f64,
) -> Result<f64, Failure> {
    equations.work.start.copy_from_slice(&state.u);
    let mut alpha = 1.0;
    for halving in 0.. {
        let Work { start, x, q0, u0, .. } = &equations.work;
        let w = rule.end_weight;
        for i in 0..state.u.len() {
            state.u[i] = start[i] + x[i] * alpha;
            state.q[i] = q0[i] + (u0[i] * (1.0 - w) + state.u[i] * w) * h;
        }
        prescribe_places(system, (state.time, h, rule), q0, &mut state.q);
        match residual(equations, system, state, (h, rule)) {
            Ok(residual) if residual < before || halving == MAX_HALVINGS => {
                return Ok(residual);
            }
            Err(failure) if halving == MAX_HALVINGS => return Err(failure),
            _ => alpha *= 0.5,
        }
    }
    unreachable!("the loop returns at the last halving")
}

/// `work.b` = r(u1); returns its norm.
fn residual(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &State,
    (h, rule): (f64, ImplicitRule),
) -> Result<f64, Failure> {
    let end = LoadCase::at(state.time + h);
    let motion = Motion::of(state, h);
    equations.eval_forces(system, end, motion, VelocityTerms::Included)?;
    let Work { f, f0, b, u0, .. } = &mut equations.work;
    let w = rule.end_weight;
    for (i, &mass) in system.masses().iter().enumerate() {
        b[i] = (u0[i] - state.u[i]) * mass + (f0[i] * (1.0 - w) + f[i] * w) * h;
    }
    clear_fixed(b, system.fixed());
    Ok(norm(b))
}

/// The impulse that a residual is small against: of momentum and of forces, reactions included.
fn force_scale(equations: &Equations, system: &dyn MechSystem, h: f64) -> f64 {
    let momentum: f64 = system
        .masses()
        .iter()
        .zip(&equations.work.u0)
        .map(|(&m, u)| m * m * u.norm_squared())
        .sum();
    momentum.sqrt().max(h * norm(&equations.work.f))
}
