//! Steps of backward Euler that would create energy are refused, where nothing works on the model.

use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Dirichlet, FemModel, Model, PointLoad, PointRef, Schedule};
use sinew::solve::{Integrator, MechSystemSolver};
use sinew::system::{CompiledModel, MechSystem, State, StepError};

use crate::fixture::{floating, with_integrator};

/// Young's modulus [Pa]; of a law without Poisson's ratio W = E e²/2 along one axis, with e = (s² - 1)/2.
const MODULUS: f64 = 1000.0;

/// A tetrahedron on three fixed nodes, under St. Venant-Kirchhoff's law.
fn model() -> Model {
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let mut mesh = VolumeMesh::new(corners.to_vec());
    mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).unwrap();
    let law = Isotropic { youngs_modulus: MODULUS, poissons_ratio: 0.0 };
    let mut model = floating(mesh, MaterialSpec::StVenantKirchhoff(law));
    model.fem_mut(0).dirichlet.push(Dirichlet::fix(vec![0, 1, 2]));
    model
}

/// The apex pressed down to half its height, where the stiffness is -V E/8 and the force 3 V E/16, V = 1/6 m³.
fn pressed(compiled: &CompiledModel) -> (State, usize) {
    let mut state = compiled.initial_state();
    let apex = compiled.block_of_node(compiled.fems()[0], 3);
    state.q[apex].z = 0.5;
    (state, apex)
}

fn solver(compiled: &CompiledModel) -> MechSystemSolver {
    MechSystemSolver::new(compiled, with_integrator(Integrator::default())).unwrap()
}

/// Length of a step [s] whose matrix m + h² k has one per cent of the mass m left.
fn long_step(compiled: &CompiledModel, apex: usize) -> f64 {
    (0.99 * compiled.masses()[apex] * 8.0 * 6.0 / MODULUS).sqrt()
}

/// Steps of `h` [s], in halves where they are refused; the number of refusals.
fn advance(
    solver: &mut MechSystemSolver,
    compiled: &CompiledModel,
    state: &mut State,
    h: f64,
) -> usize {
    match solver.step(compiled, state, h) {
        Ok(_) => 0,
        Err(error) => {
            assert!(matches!(error, StepError::EnergyGained { .. }), "{error}");
            let first = advance(solver, compiled, state, 0.5 * h);
            1 + first + advance(solver, compiled, state, 0.5 * h)
        }
    }
}

#[test]
fn a_step_that_creates_energy_is_refused_by_its_element() {
    let compiled = model().compile().unwrap();
    let (mut state, apex) = pressed(&compiled);
    let (start, h) = (state.clone(), long_step(&compiled, apex));
    let before = compiled.energies(&state).total();
    assert!((before - MODULUS / 12.0 * 0.375f64.powi(2)).abs() < 1e-9 * before, "{before}");
    let mut own = solver(&compiled);
    let error = own.step(&compiled, &mut state, h).unwrap_err();
    assert!((&state.q, &state.u) == (&start.q, &start.u) && error.may_pass());
    let StepError::EnergyGained { place, gain, .. } = &error else { panic!("{error}") };
    assert!(place.starts_with("element 0 of 'tissue'") && *gain > 1e3 * before, "{error}");
    let refused = advance(&mut own, &compiled, &mut state, h);
    let after = compiled.energies(&state).total();
    assert!((1..20).contains(&refused) && after < 1.5 * before, "{refused}, {before}, {after} J");
}

#[test]
fn what_is_worked_on_may_gain_energy() {
    // The apex is pressed down by a support that moves, and by a load.
    let mut moved = model();
    let mut support = Dirichlet::fix(vec![3]);
    support.displacement = vec![Vec3::z() * -0.2];
    support.schedule = Schedule::Table(vec![[0.0, 0.0], [1.0, 1.0]]);
    moved.fem_mut(0).dirichlet.push(support);
    let mut loaded = model();
    let fem = loaded.iter::<FemModel>().next().map(|(handle, _)| handle).unwrap();
    loaded.add(PointLoad::new(PointRef::FemNode(fem, 3), Vec3::z() * -20.0));
    for model in [moved, loaded] {
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        solver(&compiled).step(&compiled, &mut state, 0.5).unwrap();
        assert!(compiled.energies(&state).total() > 1e-2);
    }
}
