//! The CPU in the suite of all backends, by every solver; and backends with one mistake each, which
//! the suite must find.

mod factored {
    sinew::conformance_suite!(|system, settings| super::cpu(
        system,
        LinearSolver::Direct,
        settings
    ));
    use sinew::solve::LinearSolver;
}

mod by_conjugate_gradients {
    sinew::conformance_suite!(|system, settings| {
        super::cpu(system, LinearSolver::ConjugateGradients, settings)
    });
    use sinew::solve::LinearSolver;
}

use std::sync::Arc;

use sinew::backend::{Backend, CpuBackend};
use sinew::solve::{LinearSolver, SolverSettings};
use sinew::system::CompiledModel;

fn cpu(
    system: Arc<CompiledModel>,
    linear_solver: LinearSolver,
    settings: SolverSettings,
) -> Box<dyn Backend> {
    let settings = SolverSettings { linear_solver, ..settings };
    Box::new(CpuBackend::new(system, settings).expect("the models of the suite have solvers"))
}
