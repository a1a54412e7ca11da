//! Iterations of a substep with the tangents of contact laws that are not linear, taken at the iterate until the rows are the
//! laws (docs/theory/unilateral.md, "Laws").

use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::iterations::iterate;
use crate::solve::constrained::residual::update_residual;
use crate::solve::constrained::substep::Substep;
use crate::solve::constrained::tuning::{FINE_CONTACT_TOLERANCE, LAW_TOLERANCE, MAX_TANGENTS};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::State;

/// Repeats the iterations with the tangents of laws at the iterate until these are met.
pub(in crate::solve) fn meet_laws(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    let tolerance = if substep.is_exact() { FINE_CONTACT_TOLERANCE } else { LAW_TOLERANCE };
    let (mut residual, mut before) = (0.0, f64::INFINITY);
    for _ in 0..MAX_TANGENTS {
        let Some(rows) = &mut own.contacts else { return Ok(()) };
        if !rows.set.follow_laws(&own.parts.trial.y, (substep.h, substep.weight())) {
            return Ok(());
        }
        update_residual(own, context.multibody, &equations.matrix, &equations.work, substep);
        residual = own.contacts.as_ref().map_or(0.0, |rows| rows.status.error);
        // Rounding lets it come no nearer.
        let is_fine = residual < LAW_TOLERANCE && residual > 0.5 * before;
        if residual < tolerance || is_fine {
            return Ok(());
        }
        before = residual;
        // Limits of friction follow the impulses of the new tangents.
        own.parts.mixed.begin_sequence();
        iterate(equations, context, own, state, substep)?;
    }
    let (method, iterations) = ("the laws of contact", MAX_TANGENTS);
    Err(Failure::NotConverged { method, iterations, residual, tolerance: LAW_TOLERANCE })
}
