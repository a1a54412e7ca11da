//! What lies beside the rows of a step: the check of an equilibrium that was found without them, and the
//! metric in which overlaps are taken back.

use super::Unilateral;
use super::stabilize::RANGE_TOLERANCE;
use crate::constraint::Placement;
use crate::dynamics::world_inertia;
use crate::linalg::kkt::KktSystem;
use crate::linalg::{Definiteness, add_block};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::Parts;
use crate::solve::constrained::StepContext;
use crate::solve::constrained::project::{place_on_rows, set_masses};
use crate::solve::equations::{BACKWARD_EULER, Equations, TRAPEZOIDAL};
use crate::solve::failure::Failure;
use crate::solve::settings::{Integrator, Stabilization};
use crate::system::{LoadCase, Motion, Multibody, State};

/// Overlap of what is soft that exerts no force worth the name [m], [rad].
const TOUCH: f64 = 1e-9;

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
    state.range_forces.resize(multibody.unilateral.count(), 0.0);
    let at = parts.placement(&state.q);
    rows.detect(multibody, at, (&state.u, h));
    match rows.worst(multibody, at) {
        Some((depth, name)) => Err(Failure::StaticContact { name, depth }),
        None => Ok(()),
    }
}

impl Unilateral {
    /// The largest overlap beyond its tolerance [m], [rad], and what it is of.
    fn worst(&self, multibody: &Multibody, at: Placement) -> Option<(f64, String)> {
        let ranges = &multibody.unilateral;
        let allowed = |tolerance: f64, compliance: f64| {
            if compliance > 0.0 { TOUCH.min(tolerance) } else { tolerance }
        };
        let of_ranges = (0..ranges.count()).filter_map(|number| {
            let depth = -ranges.gap(number, at);
            let most = allowed(RANGE_TOLERANCE, ranges.softness(number).compliance);
            (depth > most).then(|| (depth, ranges.name(number).to_owned()))
        });
        let of_contacts = self.found.iter().filter_map(|contact| {
            let behavior = &multibody.contacts.behaviors[contact.pair as usize];
            let most = allowed(behavior.tolerance, behavior.softness.compliance);
            let name = || multibody.contacts.names[contact.pair as usize].clone();
            (-contact.gap > most).then(|| (-contact.gap, name()))
        });
        of_ranges.chain(of_contacts).max_by(|a, b| a.0.total_cmp(&b.0))
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
        if let Ok(Definiteness::Positive) = parts.saddle.factor(kkt) {
            return Ok(());
        }
    }
    set_masses(parts, context, &mut equations.matrix, state);
    Ok(())
}
