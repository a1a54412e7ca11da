//! The rules themselves in place of their linearization: forces of the end, or of the mean of start and end,
//! are evaluated there, and the iterations repeated about it until momenta are balanced with these.

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::dynamics::turn_between;
use crate::force::VelocityTerms;
use crate::linalg::BLOCK;
use crate::mixed::AndersonMixing;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::fitted::reduce_matrix;
use crate::solve::constrained::iterations::iterate;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::residual::update_residual;
use crate::solve::constrained::substep::Substep;
use crate::solve::constrained::tangents::meet_laws;
use crate::solve::constrained::trial::set_end_velocities;
use crate::solve::constrained::tuning::{MIDPOINT_CONTRACTION, MIDPOINT_TOLERANCE};
use crate::solve::constrained::unilateral::turning;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::settings::NewtonSettings;
use crate::system::{INSTANT, LoadCase, Motion, Multibody, State};

/// Goes on from the linearized solution; `state` is that of the start.
pub(in crate::solve) fn relinearize(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    (substep, newton): (Substep, NewtonSettings),
) -> Result<(), Failure> {
    let multibody = context.multibody;
    set_start_forces(equations, context, state, substep)?;
    let tolerance = newton.tolerance.max(substep.momentum_tolerance());
    let (mut error, mut before) = (f64::INFINITY, f64::INFINITY);
    let mut mixing = AndersonMixing::default();
    for _ in 0..newton.max_iterations {
        linearize_about(equations, context, &mut own.parts, state, substep)?;
        reduce_matrix(&mut own.parts, context, &mut equations.matrix);
        update_residual(own, multibody, &equations.matrix, &equations.work, substep);
        let turned = turn_friction(equations, own, multibody, (substep, &mut mixing));
        error = own.parts.trial.balance.momentum_error;
        let tolerance = tolerance.max(rounding(equations, context, own, substep));
        let fine = error < MIDPOINT_TOLERANCE || error > MIDPOINT_CONTRACTION * before;
        if error < tolerance
            && turned < TURNED
            && (fine || !(substep.forces_at_mean() || substep.is_exact()))
        {
            return Ok(());
        }
        before = error;
        iterate(equations, context, own, state, substep)?;
        meet_laws(equations, context, own, state, substep)?;
    }
    if error < tolerance {
        return Ok(());
    }
    Err(Failure::of_newton(newton, error))
}

/// Forces at the start, where the rule has them.
fn set_start_forces(
    equations: &mut Equations,
    context: StepContext,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    if !substep.forces_at_mean() {
        let load = LoadCase::at(state.time + substep.offset);
        let start = Motion::of(state, substep.offset.max(INSTANT));
        equations.eval_forces(context.system, load, start, VelocityTerms::Included)?;
        equations.work.f0.copy_from_slice(&equations.work.f);
    }
    Ok(())
}

/// Part of the momentum error that rounding leaves [-]: forces are differences of stiffness times positions, which are far larger
/// where all is at rest.
fn rounding(
    equations: &Equations,
    context: StepContext,
    own: &Constrained,
    substep: Substep,
) -> f64 {
    let trial = &own.parts.trial;
    let absolute = equations.matrix.absolute_product_norm(&trial.q, context.system.fixed());
    // The matrix is w h² K and more, momenta are sums of w h K q.
    f64::EPSILON * absolute / (substep.h * trial.balance.momentum_scale)
}

/// Angle between friction and slip that is none [rad].
const TURNED: f64 = 1e-10;

/// Turns friction at its limit against the slip, where equations are solved as far as rounding lets them; by how much.
fn turn_friction(
    equations: &Equations,
    own: &mut Constrained,
    multibody: &Multibody,
    (substep, mixing): (Substep, &mut AndersonMixing),
) -> f64 {
    let Some(rows) = own.contacts.as_mut().filter(|_| substep.is_exact()) else { return 0.0 };
    let turned = turning::turn_friction(
        &mut rows.set,
        own.parts.mixed.own_responses(),
        &own.parts.trial.y,
        mixing,
    );
    if turned > 0.0 {
        update_residual(own, multibody, &equations.matrix, &equations.work, substep);
    }
    turned
}

/// Matrix and right side by forces and derivatives of the iterate.
fn linearize_about(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let (h, w) = (substep.h, substep.weight());
    set_end_velocities(parts, multibody, &equations.work, substep);
    // The share of the step after which forces are evaluated, and the weight that they have.
    let (share, weight) = if substep.forces_at_mean() { (w, 1.0) } else { (1.0, w) };
    let (q, u) = match substep.forces_at_mean() {
        true => mean_motion(parts, multibody),
        false => (&parts.trial.q[..], &parts.end_u[..]),
    };
    let motion = Motion { q, u, ..Motion::of(state, substep.offset + share * h) };
    let load = LoadCase::at(state.time + substep.offset + share * h);
    equations.eval_forces(system, load, motion, VelocityTerms::Included)?;
    equations.assemble_whole(system, load, motion, (0.0, substep.rule.jacobian_scale(h)))?;
    equations.matrix.mul(&parts.trial.y, &mut equations.work.b);
    let masses = system.masses();
    for (row, b) in equations.work.b.iter_mut().enumerate() {
        let force = equations.work.f0[row] * (1.0 - weight) + equations.work.f[row] * weight;
        *b += equations.work.u0[row] * masses[row] + force * (w * h);
        let block = BLOCK * system.pattern().diagonal(row);
        for axis in 0..3 {
            equations.matrix.values_mut()[block + 4 * axis] += masses[row];
        }
    }
    for (body, _) in multibody.bodies.iter().zip(&parts.free).filter(|(_, free)| **free) {
        equations.work.b[body.row as usize + 1] *= 0.5 / w;
    }
    Ok(())
}

/// Means of positions and velocities, bodies turned half way.
fn mean_motion<'a>(parts: &'a mut Parts, multibody: &Multibody) -> (&'a [Vec3], &'a [Vec3]) {
    let Parts { start, trial, .. } = parts;
    for (k, body) in multibody.bodies.iter().enumerate() {
        let turn = turn_between(&start.orientations[k], &trial.bodies.orientations[k]);
        let half = UnitQuaternion::new(turn * 0.5) * start.orientations[k];
        trial.mean_q[body.row as usize + 1] = turn_between(&UnitQuaternion::identity(), &half);
    }
    (&trial.mean_q, &trial.y)
}
