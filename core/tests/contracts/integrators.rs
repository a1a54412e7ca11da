//! Errors, orders and stability of the time integrators on systems with a known motion. The ids are
//! those of the validation set (integrators.json).

use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, NewtonSettings};
use sinew::system::MechSystem;
use sinew::{Mat3, Vec3};

use crate::fixture::{run, with_integrator};
use crate::toy::Toy;

const LINEARIZED: ImplicitMode = ImplicitMode::Linearized;

fn newton() -> ImplicitMode {
    ImplicitMode::Newton(NewtonSettings { max_iterations: 50, tolerance: 1e-13 })
}

fn midpoint() -> Integrator {
    Integrator::Midpoint(NewtonSettings { max_iterations: 50, tolerance: 1e-13 })
}

/// Error of (q, u) after t = 1 from (1, 0), q'' = -q, whose solution is (cos t, -sin t).
fn oscillator_error(integrator: Integrator, steps: usize) -> f64 {
    let mut state = Toy::start(Vec3::x(), Vec3::zeros());
    run(&Toy::oscillator(), &mut state, with_integrator(integrator), (steps, 1.0 / steps as f64));
    (state.q[0].x - 1f64.cos()).hypot(state.u[0].x + 1f64.sin())
}

/// INT-order-linear.
#[test]
fn errors_on_the_oscillator_are_those_of_the_stability_functions() {
    type Row = (fn(ImplicitMode) -> Integrator, [f64; 4]);
    let rows: [Row; 2] = [
        (
            Integrator::BackwardEuler,
            [
                0.048641810443150746,
                0.024673348222905747,
                0.012420067791657096,
                0.006230240497092441,
            ],
        ),
        (
            Integrator::Trapezoidal,
            [
                0.0008320855371403659,
                0.00020825524281697157,
                5.207845105973917e-05,
                1.3020528166196321e-05,
            ],
        ),
    ];
    for (rule, errors) in rows {
        for mode in [LINEARIZED, newton()] {
            for (steps, expected) in [10, 20, 40, 80].into_iter().zip(errors) {
                let error = oscillator_error(rule(mode), steps);
                let off = (error / expected - 1.0).abs();
                assert!(off < 1e-6, "{:?}, {steps} steps: {error}, {expected}", rule(mode));
            }
        }
    }
}

/// INT-kepler, eccentricity 0.5, h = 0.005, 50 periods.
#[test]
fn symplectic_euler_keeps_the_energy_of_an_orbit_bounded_and_its_angular_momentum() {
    const E: f64 = 0.5;
    const H: f64 = 0.005;
    let kepler = Toy::kepler();
    let speed = ((1.0 + E) / (1.0 - E)).sqrt();
    let mut state = Toy::start(Vec3::new(1.0 - E, 0.0, 0.0), Vec3::new(0.0, speed, 0.0));
    let mut solver =
        MechSystemSolver::new(&kepler, with_integrator(Integrator::SymplecticEuler)).unwrap();
    let steps = (50.0 * std::f64::consts::TAU / H).round() as usize;
    let (mut first, mut last, mut all, mut turn) = (0f64, 0f64, 0f64, 0f64);
    for step in 0..steps {
        solver.step(&kepler, &mut state, H).unwrap();
        let error = (kepler.energies(&state).total() + 0.5).abs();
        all = all.max(error);
        if step < steps / 10 {
            first = first.max(error);
        } else if step >= steps - steps / 10 {
            last = last.max(error);
        }
        turn = turn.max((state.q[0].cross(&state.u[0]).z - (1.0 - E * E).sqrt()).abs());
    }
    let published = [0.0035855964520183914, 0.003585595050482837, 0.0035855329101741606];
    for (error, expected) in [all, first, last].into_iter().zip(published) {
        assert!((error / expected - 1.0).abs() < 1e-6, "energy error {error}, {expected}");
    }
    assert!(turn < 1e-10, "angular momentum off by {turn:.1e}");
}

/// Motion of the hardening spring at t = 2 by a fourth-order method with steps of 1e-4: to 1e-15.
fn hardening_reference(q: Vec3, u: Vec3) -> (Vec3, Vec3) {
    let f = |q: &Vec3| -q - q.map(|x| x * x * x);
    let h = 1e-4;
    let (mut q, mut u) = (q, u);
    for _ in 0..20_000 {
        let (k1, l1) = (u, f(&q));
        let (k2, l2) = (u + l1 * (h / 2.0), f(&(q + k1 * (h / 2.0))));
        let (k3, l3) = (u + l2 * (h / 2.0), f(&(q + k2 * (h / 2.0))));
        let (k4, l4) = (u + l3 * h, f(&(q + k3 * h)));
        q += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
        u += (l1 + l2 * 2.0 + l3 * 2.0 + l4) * (h / 6.0);
    }
    (q, u)
}

#[test]
fn orders_on_a_hardening_spring_are_one_and_two_with_and_without_newton() {
    let (q, u) = (Vec3::new(1.5, -0.4, 0.2), Vec3::new(0.0, 1.0, -2.0));
    let (q_end, u_end) = hardening_reference(q, u);
    let cases = [
        (Integrator::BackwardEuler(LINEARIZED), 1.0),
        (Integrator::BackwardEuler(newton()), 1.0),
        (Integrator::Trapezoidal(LINEARIZED), 2.0),
        (Integrator::Trapezoidal(newton()), 2.0),
        (midpoint(), 2.0),
        (Integrator::SymplecticEuler, 1.0),
    ];
    for (integrator, order) in cases {
        let error = |steps: usize| {
            let mut state = Toy::start(q, u);
            let h = 2.0 / steps as f64;
            run(&Toy::hardening(), &mut state, with_integrator(integrator), (steps, h));
            ((state.q[0] - q_end).norm_squared() + (state.u[0] - u_end).norm_squared()).sqrt()
        };
        let observed = (error(1600) / error(3200)).log2();
        assert!((observed - order).abs() < 0.05, "{integrator:?}: order {observed:.3}");
    }
    // At fewer steps, where its error is not yet rounding.
    let error = |steps: usize| {
        let mut state = Toy::start(q, u);
        let settings = with_integrator(Integrator::RungeKutta4);
        run(&Toy::hardening(), &mut state, settings, (steps, 2.0 / steps as f64));
        ((state.q[0] - q_end).norm_squared() + (state.u[0] - u_end).norm_squared()).sqrt()
    };
    let observed = (error(100) / error(200)).log2();
    assert!((observed - 4.0).abs() < 0.1, "Runge-Kutta: order {observed:.3}");
}

#[test]
fn newton_solves_the_equations_of_the_trapezoidal_rule() {
    let (q, u, h) = (Vec3::new(1.5, -0.4, 0.2), Vec3::new(0.0, 1.0, -2.0), 0.3);
    let mut state = Toy::start(q, u);
    run(&Toy::hardening(), &mut state, with_integrator(Integrator::Trapezoidal(newton())), (1, h));
    let f = |q: &Vec3| -q - q.map(|x| x * x * x);
    let (q1, u1) = (state.q[0], state.u[0]);
    let balance = u1 - u - (f(&q) + f(&q1)) * (h / 2.0);
    let motion = q1 - q - (u + u1) * (h / 2.0);
    assert!(balance.norm() < 1e-12 && motion.norm() < 1e-15, "{balance:?}, {motion:?}");
}

#[test]
fn newton_solves_the_equations_of_the_midpoint_rule() {
    let (q, u, h) = (Vec3::new(1.5, -0.4, 0.2), Vec3::new(0.0, 1.0, -2.0), 0.3);
    let mut state = Toy::start(q, u);
    run(&Toy::hardening(), &mut state, with_integrator(midpoint()), (1, h));
    let f = |q: Vec3| -q - q.map(|x| x * x * x);
    let (q1, u1) = (state.q[0], state.u[0]);
    let balance = u1 - u - f((q + q1) * 0.5) * h;
    let motion = q1 - q - (u + u1) * (h / 2.0);
    assert!(balance.norm() < 1e-12 && motion.norm() < 1e-14, "{balance:?}, {motion:?}");
}

#[test]
fn backward_euler_damps_what_it_cannot_follow_and_the_trapezoidal_rule_keeps_it() {
    // Angular frequency 1e4 with h = 1: R = 1/(1 + 1e4 i), |R| = 1e-4 a step.
    let stiff = Toy::new(|q| q * -1e8, |_| Mat3::identity() * 1e8, |q| 5e7 * q.norm_squared());
    let energy_after = |integrator, steps| {
        let mut state = Toy::start(Vec3::x(), Vec3::zeros());
        run(&stiff, &mut state, with_integrator(integrator), (steps, 1.0));
        stiff.energies(&state).total() / 5e7
    };
    let left = energy_after(Integrator::BackwardEuler(LINEARIZED), 1);
    assert!((left / 1e-8 - 1.0).abs() < 1e-6, "energy left {left:.3e}");
    let kept = energy_after(Integrator::Trapezoidal(LINEARIZED), 10);
    assert!((kept - 1.0).abs() < 1e-6, "energy kept {kept}");
}
