//! A step allocates nothing after the first ones, on any thread.

use sinew::constraint::Pose;
use sinew::contact::ContactLaw;
use sinew::material::PronySeries;
use sinew::model::{Collider, CollisionBehavior, Model};
use sinew::solve::{
    ImplicitMode, Integrator, LinearSolver, MechSystemSolver, NewtonSettings, SolverSettings,
    StaticSettings,
};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

use crate::counting::{in_pool, taken_in_pool};

const WARM_UP: usize = 2;
const COUNTED: usize = 10;

/// Allocations in [`COUNTED`] steps.
fn taken_in_steps(model: &Model, settings: SolverSettings, h: f64) -> usize {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    for _ in 0..WARM_UP {
        solver.step(&compiled, &mut state, h).unwrap();
    }
    let before = taken_in_pool();
    for _ in 0..COUNTED {
        solver.step(&compiled, &mut state, h).unwrap();
    }
    taken_in_pool() - before
}

fn model(element: BeamElement, counts: [usize; 3], law: Law) -> Model {
    let grid = BeamGrid::Cells { element, counts };
    beam(&BeamParams { grid, law, ..BeamParams::default() }).unwrap()
}

#[test]
fn steps_allocate_nothing_after_the_first_two() {
    let hexahedra = model(BeamElement::Hex, [8, 2, 2], Law::Corotated);
    // 14,520 unknowns. From 25,000 on faer's kernels run in parallel where there is more than one
    // thread, and their tasks take memory.
    let large = model(BeamElement::Hex, [40, 10, 10], Law::Corotated);
    let tetrahedra = model(BeamElement::Tet, [8, 3, 3], Law::NeoHookean);
    // Stresses that relax are part of the state.
    let mut relaxing = model(BeamElement::Hex, [8, 2, 2], Law::NeoHookean);
    relaxing.fem_mut(0).prony = PronySeries::new([[0.02, 0.5], [0.5, 1.0]]);
    let mut adhering = model(BeamElement::Hex, [8, 2, 2], Law::Corotated);
    let low = adhering.fem_mut(0).mesh.nodes.iter().map(|p| p.z).fold(f64::MAX, f64::min);
    adhering.add(Collider::half_space(Pose::translation(0.0, 0.0, low)));
    let law = ContactLaw::default().sticking(0.1, 1e-3);
    adhering.add(CollisionBehavior::default().with_law(law));
    let euler = Integrator::default();
    let newton = Integrator::Trapezoidal(ImplicitMode::Newton(NewtonSettings::default()));
    let equilibrium = Integrator::Static(StaticSettings::default());
    let (direct, cg) = (LinearSolver::Direct, LinearSolver::ConjugateGradients);
    let cases = [
        ("hexahedra, factored", &hexahedra, euler, direct, 0.01),
        ("many hexahedra, factored", &large, euler, direct, 0.01),
        ("many hexahedra, multigrid", &large, euler, cg, 0.002),
        ("many hexahedra, old factors", &large, euler, LinearSolver::Hybrid, 0.002),
        ("tetrahedra, conjugate gradients", &tetrahedra, euler, cg, 0.01),
        ("relaxing hexahedra", &relaxing, euler, direct, 0.01),
        ("relaxing hexahedra, Newton", &relaxing, newton, direct, 0.01),
        ("relaxing hexahedra, Runge-Kutta", &relaxing, Integrator::RungeKutta4, direct, 1e-4),
        ("relaxing hexahedra, equilibrium", &relaxing, equilibrium, direct, 0.01),
        ("hexahedra that adhere", &adhering, euler, direct, 0.01),
        ("trapezoidal rule, Newton", &tetrahedra, newton, direct, 0.01),
        ("symplectic Euler", &tetrahedra, Integrator::SymplecticEuler, direct, 1e-4),
        ("equilibrium", &hexahedra, equilibrium, direct, 0.01),
    ];
    let wrong: Vec<(&str, usize)> = in_pool(|| {
        let before = taken_in_pool();
        drop(std::hint::black_box(vec![1u8; 100]));
        assert_eq!(taken_in_pool() - before, 1, "the allocator does not count");
        cases
            .iter()
            .map(|&(name, model, integrator, linear_solver, h)| {
                let settings =
                    SolverSettings { integrator, linear_solver, ..SolverSettings::default() };
                (name, taken_in_steps(model, settings, h))
            })
            .filter(|&(_, taken)| taken != 0)
            .collect()
    });
    assert!(wrong.is_empty(), "allocations in {COUNTED} steps: {wrong:?}");
}
