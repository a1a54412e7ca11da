//! Contacts of tissue under conjugate gradients: what a factor finds, without one.

use sinew::Vec3;
use sinew::backend::CpuBackend;
use sinew::backend::conformance::{Case, agree};
use sinew::model::Model;
use sinew::solve::{LinearSolver, MechSystemSolver, Preconditioning, SolverSettings};
use sinew_datasets::{Params, find};

fn built(name: &str, argument: &str) -> Model {
    (find(name).unwrap().build)(&mut Params::parse([argument]).unwrap()).unwrap()
}

fn by_multigrid(settings: SolverSettings) -> SolverSettings {
    let linear_solver = LinearSolver::ConjugateGradients;
    SolverSettings { linear_solver, preconditioner: Preconditioning::Multigrid, ..settings }
}

#[test]
fn tissue_sticks_and_slides_alike_by_a_factor_and_by_multigrid() {
    let scenes = [("plate", "n=4"), ("plate", "n=6"), ("bowl", "mu=0.4")];
    // Across the plate its friction of 0.2 holds the first, and not the second.
    for ((name, argument), pull) in scenes.into_iter().flat_map(|it| [(it, 1.0), (it, 4.0)]) {
        let mut model = built(name, argument);
        model.set_gravity(Vec3::new(pull, 0.3 * pull, -9.8));
        let case = Case { steps: vec![0.01; 30], ..Case::new(model) };
        let agreed = agree(&case, |system, settings| {
            Box::new(CpuBackend::new(system, by_multigrid(settings)).expect("a solver"))
        });
        assert!(agreed.is_ok(), "{name} {argument}, {pull} m/s²: {}", agreed.unwrap_err());
    }
}

/// Velocities that iterations leave at rest are rounding, whose sign says nothing of the matrix.
#[test]
fn tissue_that_comes_to_rest_under_multigrid_takes_no_factor() {
    let system = built("plate", "n=4").compile().unwrap();
    let settings = SolverSettings { cg_tolerance: 1e-9, ..SolverSettings::default() };
    let mut solver = MechSystemSolver::new(&system, by_multigrid(settings)).unwrap();
    let mut state = system.initial_state();
    let factored = (0..60).filter(|_| {
        let stats = solver.step(&system, &mut state, 0.005).unwrap();
        stats.factorizations > 0
    });
    assert_eq!(factored.count(), 0, "steps with a factorization");
    assert!(state.u.iter().all(|u| u.norm() < 1e-9), "it is not at rest");
}
