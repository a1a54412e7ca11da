//! The rules, and their orders as measured on a scene.

use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, NewtonSettings, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew::{Mat3, Vec3};

use super::order_scenes::Scene;

/// A rule and its order.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) integrator: fn() -> Integrator,
    pub(crate) order: f64,
}

fn newton() -> NewtonSettings {
    NewtonSettings { max_iterations: 50, tolerance: 1e-12 }
}

pub(crate) const RULES: &[Rule] = &[
    Rule {
        name: "backward Euler",
        integrator: || Integrator::BackwardEuler(ImplicitMode::Linearized),
        order: 1.0,
    },
    Rule {
        name: "backward Euler, Newton",
        integrator: || Integrator::BackwardEuler(ImplicitMode::Newton(newton())),
        order: 1.0,
    },
    Rule {
        name: "trapezoidal",
        integrator: || Integrator::Trapezoidal(ImplicitMode::Linearized),
        order: 2.0,
    },
    Rule {
        name: "trapezoidal, Newton",
        integrator: || Integrator::Trapezoidal(ImplicitMode::Newton(newton())),
        order: 2.0,
    },
    Rule { name: "midpoint", integrator: || Integrator::Midpoint(newton()), order: 2.0 },
    Rule { name: "symplectic Euler", integrator: || Integrator::SymplecticEuler, order: 1.0 },
    Rule { name: "Runge-Kutta 4", integrator: || Integrator::RungeKutta4, order: 4.0 },
];

/// Positions, orientations as matrices, and velocities after so many steps.
pub(crate) fn end(scene: &Scene, integrator: Integrator, steps: u32) -> Vec<f64> {
    let compiled = (scene.model)().compile().unwrap();
    let settings = SolverSettings { integrator, ..SolverSettings::default() };
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut state = compiled.initial_state();
    for _ in 0..steps {
        solver.step(&compiled, &mut state, scene.end / f64::from(steps)).unwrap();
    }
    numbers(&compiled, &state)
}

fn numbers(compiled: &CompiledModel, state: &State) -> Vec<f64> {
    let mut turns = Vec::new();
    let mut places: Vec<Vec3> = state.q.clone();
    if let Some(multibody) = compiled.multibody() {
        turns.resize(multibody.bodies.len(), Mat3::zeros());
        multibody.update_turns(&state.q, &mut turns);
        multibody.bodies.iter().for_each(|body| places[body.row as usize + 1] = Vec3::zeros());
    }
    let turns = turns.iter().flat_map(|turn| turn.iter().copied());
    places.iter().chain(&state.u).flatten().copied().chain(turns).collect()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Order measured from the two finest of the scene's steps, and that of the rule.
pub(crate) fn order(scene: &Scene, rule: &Rule) -> (f64, f64) {
    let reference = end(scene, Integrator::RungeKutta4, 4 * scene.steps);
    // Those of higher order reach rounding, or what their curves leave, at the smallest steps.
    let coarse = if rule.order > 2.0 { scene.steps / 4 } else { scene.steps };
    let errors = [coarse, 2 * coarse]
        .map(|steps| difference(&end(scene, (rule.integrator)(), steps), &reference));
    ((errors[0] / errors[1]).log2(), rule.order)
}
