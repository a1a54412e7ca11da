//! The same model and settings give the same bits on any number of threads.

use sinew::constraint::Pose;
use sinew::contact::ContactLaw;
use sinew::model::{Collider, CollisionBehavior, Model};
use sinew::solve::{
    ImplicitMode, Integrator, LinearSolver, MechSystemSolver, NewtonSettings, SolverSettings,
    StaticSettings,
};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

use crate::fixture::in_pool;

/// Time and all coordinates, bit by bit.
fn bits_after(
    model: &Model,
    settings: SolverSettings,
    steps: usize,
    threads: usize,
) -> (LinearSolver, Vec<u64>) {
    in_pool(threads, || {
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
        for _ in 0..steps {
            solver.step(&compiled, &mut state, 0.01).unwrap();
        }
        let numbers = state.q.iter().chain(&state.u).flat_map(|v| v.iter().copied());
        (solver.linear_solver(), numbers.chain([state.time]).map(f64::to_bits).collect())
    })
}

fn check(model: &Model, settings: SolverSettings, steps: usize, threads: &[usize]) {
    let (solver, expected) = bits_after(model, settings, steps, 1);
    for &threads in threads {
        let (other_solver, bits) = bits_after(model, settings, steps, threads);
        assert_eq!(solver, other_solver, "solver chosen on {threads} threads");
        let different = bits.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert_eq!(different, 0, "of {} numbers on {threads} threads", bits.len());
    }
}

fn model(element: BeamElement, counts: [usize; 3], law: Law) -> Model {
    let grid = BeamGrid::Cells { element, counts };
    beam(&BeamParams { grid, law, ..BeamParams::default() }).unwrap()
}

fn solved_by(linear_solver: LinearSolver) -> SolverSettings {
    SolverSettings { linear_solver, ..SolverSettings::default() }
}

#[test]
fn corotated_hexahedra_factored_move_bit_for_bit_the_same_on_any_number_of_threads() {
    let model = model(BeamElement::Hex, [12, 4, 4], Law::Corotated);
    check(&model, solved_by(LinearSolver::Direct), 5, &[2, 3, 5]);
}

#[test]
fn neo_hookean_tetrahedra_move_bit_for_bit_the_same_on_any_number_of_threads() {
    let model = model(BeamElement::Tet, [8, 3, 3], Law::NeoHookean);
    check(&model, solved_by(LinearSolver::Direct), 5, &[2, 3, 5]);
    check(&model, solved_by(LinearSolver::ConjugateGradients), 5, &[2, 3, 5]);
}

#[test]
fn tissue_that_adheres_to_the_ground_moves_bit_for_bit_the_same_on_any_number_of_threads() {
    let mut model = model(BeamElement::Hex, [12, 4, 4], Law::Corotated);
    let low = model.fem_mut(0).mesh.nodes.iter().map(|p| p.z).fold(f64::MAX, f64::min);
    model.add(Collider::half_space(Pose::translation(0.0, 0.0, low)));
    let law = ContactLaw::rough(0.3).sticking(0.1, 1e-3);
    model.add(CollisionBehavior::default().with_law(law));
    check(&model, solved_by(LinearSolver::Direct), 5, &[2, 3]);
}

#[test]
fn newton_and_equilibrium_are_bit_for_bit_the_same_on_any_number_of_threads() {
    let model = model(BeamElement::Wedge, [6, 2, 2], Law::StVenantKirchhoff);
    let newton = ImplicitMode::Newton(NewtonSettings::default());
    for integrator in
        [Integrator::Trapezoidal(newton), Integrator::Static(StaticSettings::default())]
    {
        check(&model, SolverSettings { integrator, ..SolverSettings::default() }, 2, &[2, 3, 5]);
    }
}

#[test]
fn large_systems_by_conjugate_gradients_are_bit_for_bit_the_same_on_any_number_of_threads() {
    // 14,520 unknowns: several partial sums a dot product.
    let model = model(BeamElement::Hex, [40, 10, 10], Law::Corotated);
    check(&model, solved_by(LinearSolver::ConjugateGradients), 1, &[2, 5]);
}

#[test]
fn large_factored_systems_are_bit_for_bit_the_same_on_any_number_of_threads() {
    // 29,160 unknowns: from 25,000 on the factorization itself runs in parallel.
    let model = model(BeamElement::Hex, [30, 17, 17], Law::Corotated);
    check(&model, solved_by(LinearSolver::Direct), 1, &[2, 3]);
}

#[test]
fn the_choice_of_the_linear_solver_does_not_depend_on_the_number_of_threads() {
    // From far below to far above the size where conjugate gradients become the cheaper.
    for counts in [[8, 4, 4], [20, 10, 10], [16, 16, 16], [20, 20, 20]] {
        let model = model(BeamElement::Hex, counts, Law::Corotated);
        let chosen = [1, 2, 4].map(|threads| {
            in_pool(threads, || {
                let compiled = model.compile().unwrap();
                MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap().linear_solver()
            })
        });
        assert_eq!(chosen, [chosen[0]; 3], "{counts:?}");
    }
}
