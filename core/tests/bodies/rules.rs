//! The other integrators on bodies with joints: Runge-Kutta, Newton iterations, statics.

use super::scenes::{G, Runner, chain};
use sinew::solve::{ImplicitMode, Integrator, NewtonSettings, StaticSettings};

/// Positions of two links at 0.4 s, by small steps of a rule of second order.
fn end_of_two_links(integrator: Integrator, h: f64) -> Vec<f64> {
    let (model, _) = chain(2);
    let mut runner = Runner::new(&model, integrator);
    runner.run(h, 0.4);
    runner.state.q.iter().flatten().copied().collect()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn runge_kutta_under_joints_is_of_fourth_order() {
    let at = |h| end_of_two_links(Integrator::RungeKutta4, h);
    let reference = at(6.25e-4);
    let order = (difference(&at(1e-2), &reference) / difference(&at(5e-3), &reference)).log2();
    println!("order {order}");
    assert!(order > 3.5 && order < 4.6, "{order}");
    // The rule of second order comes to the same place.
    let trapezoidal = |h| {
        let rule = Integrator::Trapezoidal(ImplicitMode::Linearized);
        difference(&end_of_two_links(rule, h), &reference)
    };
    let (coarse, fine) = (trapezoidal(1e-3), trapezoidal(5e-4));
    assert!(fine < 1e-4 && (3.7..4.3).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn newton_iterations_and_linearized_steps_agree_where_forces_are_constant() {
    let linearized = end_of_two_links(Integrator::Trapezoidal(ImplicitMode::Linearized), 1e-2);
    let newton = Integrator::Trapezoidal(ImplicitMode::Newton(NewtonSettings::default()));
    // Weight does not depend on the motion: the equations are the same.
    let apart = difference(&end_of_two_links(newton, 1e-2), &linearized);
    assert!(apart < 1e-8, "{apart}");
}

#[test]
fn a_pendulum_in_equilibrium_hangs_below_its_hinge() {
    let (model, bodies) = chain(3);
    let settings = StaticSettings::default();
    let mut runner = Runner::new(&model, Integrator::Static(settings));
    runner.run(1.0, 1.0);
    for (k, &body) in bodies.iter().enumerate() {
        let center = runner.point(body, sinew::Vec3::zeros());
        let expected = sinew::Vec3::new(0.0, 0.0, -0.1 - 0.2 * k as f64);
        assert!((center - expected).norm() < 1e-6, "link {k}: {center}");
    }
    // The first hinge carries all of the weight.
    let weight = 3.0 * 0.32 * G;
    let force = (0..3).map(|row| runner.state.multipliers[row].powi(2)).sum::<f64>().sqrt();
    assert!((force - weight).abs() < 1e-6 * weight, "{force} {weight}");
}
