//! Settings of the solver of mixed problems.

use crate::mixed::{LinearMethod, MixedSettings};
use crate::solve::settings::{ContactMethod, LinearSolver, SolverSettings};

/// Settings of the solver of mixed problems from those of a user; the step measures its own
/// residuals.
pub(super) fn mixed_settings(settings: &SolverSettings) -> MixedSettings {
    MixedSettings {
        linear: match settings.linear_solver {
            LinearSolver::Auto => LinearMethod::Auto,
            LinearSolver::Direct | LinearSolver::Hybrid => LinearMethod::Factor,
            LinearSolver::ConjugateGradients => LinearMethod::Iterations,
        },
        tolerance: settings.cg_tolerance,
        max_iterations: settings.cg_max_iterations,
        responses: settings.responses,
        dense_rows: match settings.contact_method {
            ContactMethod::Auto => crate::mixed::MANY,
            ContactMethod::Dense => usize::MAX,
            ContactMethod::Sparse => 0,
        },
        measures: false,
    }
}
