//! Rules of integration.

use sinew::ode::Method;
use sinew::solve::{
    ContactMethod, Integrator, NewtonSettings, SolverSettings, StaticSettings, VariableStep,
};
use sinew::system::StepError;

use super::Run;

fn with(integrator: Integrator) -> SolverSettings {
    SolverSettings { integrator, ..SolverSettings::default() }
}

/// The response of one set of rows was used for another.
#[test]
fn bodies_that_strike_under_runge_kutta_and_sparse_contacts_end_no_run_in_a_panic() {
    let settings =
        SolverSettings { contact_method: ContactMethod::Sparse, ..with(Integrator::RungeKutta4) };
    let mut run = Run::of("rk4_panic_v406.toml", settings);
    let end = run.until(0.2, 0.01);
    assert!(run.state.time > 0.02 && run.energy().is_finite(), "{end:?}");
}

/// Newton's method comes down slowly where derivatives leave out rotations: ten parts of the load end at 2e-8, which
/// a tolerance of 1e-7 takes.
#[test]
fn the_tolerance_of_a_static_solution_may_be_chosen() {
    let newton = NewtonSettings { tolerance: 1e-7, ..StaticSettings::default().newton };
    let settings = StaticSettings { increments: 10, newton };
    Run::of("elastica_corot.json", with(Integrator::Static(settings))).until(1.0, 1.0).unwrap();
}

/// A light particle on a stiff spring rings with a period of 0.6 µs, which the rule follows: a second takes millions of steps.
#[test]
fn a_rule_that_goes_on_in_very_short_steps_ends_with_their_number() {
    let settings = with(Integrator::Variable(VariableStep::new(Method::Radau)));
    let error = Run::of("ringing.toml", settings).until(1.0, 1.0).unwrap_err();
    let StepError::StepControl { detail, .. } = &error else { panic!("{error}") };
    assert!(detail.starts_with("10001 steps of the rule"), "{detail}");
}
