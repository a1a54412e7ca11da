//! Rules of integration.

use sinew::solve::{ContactMethod, Integrator, SolverSettings, StaticSettings};

use super::Run;

fn with(integrator: Integrator) -> SolverSettings {
    SolverSettings { integrator, ..SolverSettings::default() }
}

#[test]
fn probe_all() {
    for (name, end, h) in [
        ("limit_start_outside.toml", 0.1, 0.01),
        ("conflict_joints.toml", 0.1, 0.01),
        ("4bar_inconsistent.toml", 0.1, 0.01),
        ("s37.toml", 1.0, 0.01),
        ("s41.toml", 1.0, 0.01),
        ("s93.toml", 1.0, 0.01),
    ] {
        let mut run = Run::of(name, SolverSettings::default());
        let before = run.energy();
        let end = run.until(end, h);
        println!("{name}: {before} -> {} {end:?}", run.energy());
    }
}

#[test]
fn bodies_that_fly_apart_end_runge_kutta_in_an_error() {
    let settings =
        SolverSettings { contact_method: ContactMethod::Sparse, ..with(Integrator::RungeKutta4) };
    let end = Run::of("rk4_panic_v406.toml", settings).until(1.0, 0.01);
    println!("rk4_panic: {end:?}");
}

#[test]
fn a_residual_at_the_level_of_rounding_is_enough() {
    let settings = StaticSettings { increments: 10, ..StaticSettings::default() };
    Run::of("elastica_corot.json", with(Integrator::Static(settings))).until(1.0, 1.0).unwrap();
}
