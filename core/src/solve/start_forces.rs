//! Forces of constraint rows at the start of a run, before any step: those of the accelerations there.

use super::constrained::{StepContext, accelerations};
use super::settings::{Integrator, SolverSettings};
use super::solver::MechSystemSolver;
use crate::Vec3;
use crate::system::{INSTANT, LoadCase, MechSystem, State, StepError};

/// Forces [N] and moments [N m] of the constraint rows at a state in which no step has ended yet, brought onto the rows as
/// the first step does, where scalars that are prescribed have these accelerations [m/s²], [rad/s²]. Contacts and ends of
/// ranges do not act.
///
/// # Errors
/// [`StepError`] where rows contradict each other, or forces have no value.
pub(crate) fn row_forces_at_start(
    system: &dyn MechSystem,
    state: &State,
    prescribed: impl Iterator<Item = (usize, Vec3)>,
) -> Result<Vec<f64>, StepError> {
    // The rule that takes its steps by accelerations.
    let settings = SolverSettings { integrator: Integrator::RungeKutta4, ..Default::default() };
    let mut solver = MechSystemSolver::new(system, settings)?;
    let mut state = state.clone();
    solver.start(system, &mut state)?;
    let MechSystemSolver { equations, constrained, .. } = &mut solver;
    let (Some(own), Some(multibody)) = (constrained, system.multibody()) else {
        return Ok(Vec::new());
    };
    equations.work.b.fill(Vec3::zeros());
    prescribed.for_each(|(row, acceleration)| equations.work.b[row] = acceleration);
    let (context, load) = (StepContext { system, multibody }, LoadCase::at(state.time));
    accelerations(equations, context, &mut own.parts, &mut state, (load, INSTANT))
        .map_err(|failure| failure.name(system, state.time))?;
    Ok(own.parts.linear.row_step.clone())
}
