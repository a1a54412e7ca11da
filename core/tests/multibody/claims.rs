//! Conservation: free rotation, pendulum and chains at either weight, drift, order of convergence.

use super::rows::Vec3;
use super::scenes::{chain, free_body};
use super::step::{Counts, Matrix, Settings, Stepper};
use super::system::{State, System};
use sinew::dynamics::angular_momentum;

pub(crate) const BACKWARD_EULER: Settings = Settings { weight: 1.0, ..TRAPEZOIDAL };
pub(crate) const TRAPEZOIDAL: Settings = Settings {
    weight: 0.5,
    tolerance: 1e-10,
    momentum_tolerance: 1e-9,
    max_iterations: 40,
    contraction: 0.8,
    depth: 6,
    matrix: Matrix::Derivative,
};

/// Record of a run.
pub(crate) struct Record {
    pub(crate) end: State,
    /// Smallest and largest energy less that of the start [J].
    pub(crate) energy: [f64; 2],
    /// Largest position error of a row after a step.
    pub(crate) drift: f64,
    pub(crate) counts: Counts,
}

/// `count` steps of `h` [s]; `each` sees every state.
pub(crate) fn run_watched(
    (system, start): &(System, State),
    settings: Settings,
    (h, count): (f64, usize),
    mut each: impl FnMut(usize, &State),
) -> Record {
    let (mut stepper, mut state) = (Stepper::new(system, settings), start.clone());
    let first = system.energy(&state);
    let (mut energy, mut drift) = ([0f64; 2], 0f64);
    for k in 1..=count {
        assert!(stepper.step(&mut state, h), "step {k} of {h} s failed");
        let change = system.energy(&state) - first;
        energy = [energy[0].min(change), energy[1].max(change)];
        drift = drift.max(system.drift(&state));
        each(k, &state);
    }
    let counts = stepper.counts;
    println!("energy {:.1e} {:.1e} drift {drift:.1e} {counts:?}", energy[0], energy[1]);
    Record { end: state, energy, drift, counts }
}

pub(crate) fn run(scene: &(System, State), settings: Settings, steps: (f64, usize)) -> Record {
    run_watched(scene, settings, steps, |_, _| ())
}

/// 100,000 steps of 0.01 s. The middle axis is unstable (Dzhanibekov): the body turns over again and
/// again. Momentum is kept to rounding that adds up, 1e5 * 1e-16 * a few.
#[test]
fn a_free_body_keeps_its_energy_and_angular_momentum_at_either_weight() {
    for settings in [TRAPEZOIDAL, BACKWARD_EULER] {
        for angular_velocity in [Vec3::new(0.01, 5.0, 0.0), Vec3::new(1.0, 2.0, -3.0)] {
            let scene = free_body(angular_velocity);
            let momentum = |s: &State| {
                angular_momentum(&scene.0.inertias[0], &s.poses[0].orientation, &s.twists[0])
            };
            let (before, mut flipped) = (momentum(&scene.1), false);
            let record = run_watched(&scene, settings, (0.01, 100_000), |_, s| {
                let body = s.poses[0].orientation.inverse() * s.twists[0].angular;
                flipped |= body.y * angular_velocity.y < 0.0;
            });
            let size = scene.0.energy(&scene.1);
            assert!(record.energy.iter().all(|e| e.abs() < 1e-10 * size), "{:?}", record.energy);
            let change = (momentum(&record.end) - before).norm() / before.norm();
            assert!(change < 1e-10, "angular momentum changed by {change}");
            assert!(flipped || angular_velocity.x == 1.0, "the unstable body never turned over");
        }
    }
}

/// 1 s at h = 0.01 from the horizontal; ArtiSynth 3.9 gains 0.13 J of 0.31 J here.
#[test]
fn a_pendulum_keeps_its_energy_under_the_trapezoidal_rule() {
    let record = run(&chain(1), TRAPEZOIDAL, (0.01, 100));
    assert!(record.energy.iter().all(|e| e.abs() < 1e-7), "{:?}", record.energy);
    assert_eq!(record.counts.damped, 0);
}

/// 10 s at h = 0.01, where the free end whips far faster than such steps resolve. What is gained is
/// what the tolerances of the iterations let through, per link.
#[test]
fn chains_swing_without_gaining_energy_at_either_weight() {
    for settings in [BACKWARD_EULER, TRAPEZOIDAL] {
        for links in [2, 20, 100] {
            let record = run(&chain(links), settings, (0.01, 1000));
            let scale = 0.32 * 9.81 * 0.2 * (links * links) as f64;
            assert!(record.energy[1] < 1e-7 * scale, "{links} links gained {}", record.energy[1]);
            assert!(record.drift < 1e-9, "{links} links came apart by {}", record.drift);
        }
    }
}

#[test]
fn a_chain_that_no_step_is_too_long_for_keeps_all_its_energy() {
    let record = run(&chain(5), TRAPEZOIDAL, (0.01, 1000));
    assert_eq!((record.counts.damped, record.counts.halved), (0, 0));
    assert!(record.energy.iter().all(|e| e.abs() < 1e-6), "{:?}", record.energy);
}

#[test]
fn joints_do_not_drift_in_ten_thousand_steps() {
    let record = run(&chain(2), TRAPEZOIDAL, (0.01, 10_000));
    assert!(record.drift < 1e-9, "{}", record.drift);
}

/// One factorization and a few back-solves a step; a solver that does worse has lost something.
#[test]
fn a_step_costs_one_factorization_and_a_few_back_solves() {
    let per_step = |record: &Record| {
        let Counts { steps, factors, solves, .. } = record.counts;
        [factors, solves].map(|n| n as f64 / steps as f64)
    };
    let [factors, solves] = per_step(&run(&chain(100), BACKWARD_EULER, (0.01, 500)));
    assert!(factors < 1.1 && solves < 4.5, "{factors} {solves}");
    let symmetric = Settings { matrix: Matrix::Symmetric, ..BACKWARD_EULER };
    let [factors, solves] = per_step(&run(&chain(100), symmetric, (0.01, 500)));
    assert!(factors < 1.4 && solves < 5.0, "{factors} {solves}");
}

/// Double pendulum of two links to 0.8 s, against a run at a fortieth of the longest step.
#[test]
fn the_trapezoidal_rule_is_of_second_order_and_backward_euler_of_first() {
    let scene = chain(2);
    let position = |settings, h: f64| {
        let end = run(&scene, settings, (h, (0.8 / h).round() as usize)).end;
        end.poses[1].center
    };
    let exact = position(TRAPEZOIDAL, 0.00025);
    for (settings, order, h) in [(TRAPEZOIDAL, 2.0, 0.005), (BACKWARD_EULER, 1.0, 0.0025)] {
        let [coarse, fine] = [h, 0.5 * h].map(|h| (position(settings, h) - exact).norm());
        let found = (coarse / fine).log2();
        assert!((found - order).abs() < 0.15, "order {found}, errors {coarse} and {fine}");
    }
}
