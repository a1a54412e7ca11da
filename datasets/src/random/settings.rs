//! Settings of any kind, and a length of step.

use sinew::lcp::FrictionModel;
use sinew::ode::Method;
use sinew::solve::{
    ContactMethod, FrictionMethod, ImplicitMode, Integrator, LinearSolver, NewtonSettings,
    Preconditioning, SolverSettings, Stabilization, StaticSettings, VariableStep,
};

use super::Draws;

const LINEAR_SOLVERS: &[LinearSolver] = &[
    LinearSolver::Auto,
    LinearSolver::Direct,
    LinearSolver::Hybrid,
    LinearSolver::ConjugateGradients,
];
const PRECONDITIONERS: &[Preconditioning] =
    &[Preconditioning::Auto, Preconditioning::BlockJacobi, Preconditioning::Multigrid];
const FRICTION: &[FrictionModel] =
    &[FrictionModel::Box, FrictionModel::Cone4, FrictionModel::Cone8];
const CONTACTS: &[ContactMethod] =
    &[ContactMethod::Auto, ContactMethod::Dense, ContactMethod::Sparse];
const STABILIZATION: &[Stabilization] =
    &[Stabilization::Mass, Stabilization::Stiffness, Stabilization::None];

/// Any settings, and a step [s]: of explicit rules one below their limit for most scenes.
pub(super) fn random_settings(draws: &mut Draws) -> (SolverSettings, f64) {
    let newton = NewtonSettings { tolerance: 1e-9, ..NewtonSettings::default() };
    let integrator = draws.pick(&[
        Integrator::BackwardEuler(ImplicitMode::Linearized),
        Integrator::BackwardEuler(ImplicitMode::Newton(newton)),
        Integrator::Trapezoidal(ImplicitMode::Linearized),
        Integrator::Trapezoidal(ImplicitMode::Newton(newton)),
        Integrator::Midpoint(newton),
        Integrator::SymplecticEuler,
        Integrator::RungeKutta4,
    ]);
    let settings = SolverSettings {
        integrator,
        linear_solver: draws.pick(LINEAR_SOLVERS),
        preconditioner: draws.pick(PRECONDITIONERS),
        friction: draws.pick(FRICTION),
        friction_method: draws.pick(&[FrictionMethod::Implicit, FrictionMethod::PostHoc]),
        contact_method: draws.pick(CONTACTS),
        stabilization: draws.pick(STABILIZATION),
        ..SolverSettings::default()
    };
    let steps = if integrator.is_explicit() { [1e-4, 1e-4, 2e-4] } else { [1e-3, 4e-3, 1e-2] };
    let step = draws.pick(&steps);
    // Drawn last, so that the other scenes of a seed stay what they are.
    let integrator = if draws.chance(0.15) { draws.pick(&further_rules()) } else { integrator };
    (SolverSettings { integrator, ..settings }, step)
}

/// Rules of variable step, and equilibria.
fn further_rules() -> [Integrator; 5] {
    let variable = |method| Integrator::Variable(VariableStep::new(method));
    [
        variable(Method::RungeKuttaFehlberg),
        variable(Method::DormandPrince),
        variable(Method::Adams),
        variable(Method::Radau),
        Integrator::Static(StaticSettings::default()),
    ]
}
