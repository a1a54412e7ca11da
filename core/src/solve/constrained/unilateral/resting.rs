//! Tasks beside the rows of a step: the check of an equilibrium that was found without them, and
//! the metric in which overlaps are taken back.

use crate::dynamics::world_inertia;
use crate::linalg::kkt::KktSystem;
use crate::linalg::{Definiteness, add_block};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{place_on_rows, set_masses};
use crate::solve::equations::{BACKWARD_EULER, Equations, TRAPEZOIDAL};
use crate::solve::failure::Failure;
use crate::solve::settings::{Integrator, Stabilization};
use crate::system::{LoadCase, Motion, Multibody, State};

/// Refuses an equilibrium in which contacts or ranges would push: it was found without them.
pub(in crate::solve) fn check_static(
    own: &mut Constrained,
    multibody: &Multibody,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Ok(()) };
    place_on_rows(parts, multibody, state);
    state.contacts.clear();
    state.range_forces.clear();
    state.range_forces.resize(multibody.joints.unilateral.count(), 0.0);
    let at = parts.placement(&state.q);
    rows.near.detect(multibody, at, (&state.u, h));
    match rows.near.worst(multibody, at) {
        Some((depth, name)) => Err(Failure::StaticContact { name, depth }),
        None => Ok(()),
    }
}

/// Sets the matrix to the metric chosen for corrections of positions after a step of `h`.
pub(in crate::solve) fn set_metric(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let rule = match equations.settings.integrator {
        Integrator::BackwardEuler(_) => Some(BACKWARD_EULER),
        Integrator::Trapezoidal(_) | Integrator::Midpoint(_) => Some(TRAPEZOIDAL),
        _ => None,
    };
    if let (Stabilization::Stiffness, Some(rule)) = (equations.settings.stabilization, rule) {
        let (load, motion) = (LoadCase::at(state.time + h), Motion::of(state, h));
        equations.assemble(system, load, motion, (1.0, rule.jacobian_scale(h)))?;
        for body in &multibody.bodies {
            let slot = system.pattern().diagonal(body.row as usize + 1);
            let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
            add_block(equations.matrix.values_mut(), slot, &inertia);
        }
        parts.reduction.attachments.reduce(&mut equations.matrix);
        let kkt = KktSystem {
            s: &equations.matrix,
            g: &parts.trial.reduced,
            r: &parts.linear.compliance,
        };
        if let Ok(Definiteness::Positive) = parts.mixed.saddle_mut().factor(kkt) {
            return Ok(());
        }
    }
    set_masses(parts, context, &mut equations.matrix, state);
    Ok(())
}
