//! Motions that the rules lost.

use sinew::Vec3;
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings};

use super::order_scenes::{tissue, tumbling};

/// Angular momentum (1, 4, 9) of a body that turns by more than half a revolution.
#[test]
fn a_body_keeps_its_angular_momentum_beyond_half_a_revolution_under_runge_kutta() {
    let compiled = tumbling().compile().unwrap();
    let settings = SolverSettings { integrator: Integrator::RungeKutta4, ..Default::default() };
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut state = compiled.initial_state();
    for _ in 0..500 {
        solver.step(&compiled, &mut state, 0.01).unwrap();
    }
    let spin = sinew::system::MechSystem::multibody(&compiled).unwrap().spin(&state.q, &state.u);
    assert!((spin - Vec3::new(1.0, 4.0, 9.0)).norm() < 1e-5, "{spin}");
}

/// A cube that turns at 10 rad/s gained 41 % of its energy in a second under linearized trapezoidal steps: these are of
/// first order with corotated elements, which a user is told.
#[test]
fn linearized_trapezoidal_steps_of_corotated_tissue_come_with_a_warning() {
    use sinew::solve::{ImplicitMode, NewtonSettings, warnings};
    let with = |law: usize, mode: ImplicitMode| {
        let integrator = Integrator::Trapezoidal(mode);
        warnings(&tissue(law), &SolverSettings { integrator, ..Default::default() })
    };
    let (linear, corotated) = (0, 1);
    let found = with(corotated, ImplicitMode::Linearized);
    assert!(found.len() == 1 && found[0].contains("fem_models/cube"), "{found:?}");
    assert!(with(corotated, ImplicitMode::Newton(NewtonSettings::default())).is_empty());
    assert!(with(linear, ImplicitMode::Linearized).is_empty());
}

/// Many rows with friction on few nodes: the response of one set of rows was used for another. Damping by stiffness
/// makes steps of 1 ms unstable, which is an error.
#[test]
fn a_soft_cube_falls_on_a_plate_under_runge_kutta_without_a_panic() {
    use sinew_datasets::plate::{PlateParams, plate};
    for stiffness_damping in [0.0, 0.01] {
        let params = PlateParams { cells: 6, gap: 1e-4, stiffness_damping, ..Default::default() };
        let compiled = plate(&params).unwrap().compile().unwrap();
        let settings = SolverSettings { integrator: Integrator::RungeKutta4, ..Default::default() };
        let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
        let mut state = compiled.initial_state();
        let end = (0..20).try_for_each(|_| solver.step(&compiled, &mut state, 1e-3).map(drop));
        assert!(end.is_ok() || stiffness_damping > 0.0, "{end:?}");
        assert!(state.q.iter().flatten().all(|x| x.is_finite()), "{end:?}");
    }
}
