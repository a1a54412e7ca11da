//! Pendulums and chains: docs/theory/rigid.md has the figures of the same scheme on dense data.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, chain};

/// 1 s from the horizontal at h = 0.01: what is kept is kept to the tolerance of the iterations (1e-9 of a
/// momentum of 0.3 N s at 2 m/s, 100 steps).
#[test]
fn a_pendulum_keeps_its_energy_under_the_trapezoidal_rule() {
    let (model, _) = chain(1);
    let run = Runner::new(&model, TRAPEZOIDAL).run(0.01, 1.0);
    assert!(run.most < 1e-8 && run.least > -1e-8, "{run:?}");
    assert_eq!(run.divided, 0, "{run:?}");
}

/// (w - 1/2) |du|² a step, exactly: never a gain.
#[test]
fn a_pendulum_only_loses_energy_under_backward_euler() {
    let (model, _) = chain(1);
    let run = Runner::new(&model, EULER).run(0.01, 1.0);
    assert!(run.most <= 1e-9, "{run:?}");
    assert!((-0.2..-0.05).contains(&run.least), "{run:?}");
}

/// 10 s at h = 0.01, in which the chain falls and its free end whips far faster than such steps resolve.
#[test]
fn a_hundred_links_gain_no_energy_under_backward_euler() {
    let (model, _) = chain(100);
    let mut runner = Runner::new(&model, EULER);
    let run = runner.run(0.01, 10.0);
    println!("10 s: {run:?}, drift {:.1e}", runner.drift());
    assert!(run.most <= 1e-9, "{run:?}");
    assert!(runner.drift() < 1e-9, "{}", runner.drift());
    let steps = 1000.0;
    assert!((run.factorizations as f64) < 1.3 * steps, "{run:?}");
}

/// The chain has 3100 J above hanging straight. Parts of steps that need backward Euler lose some; none
/// may gain. CHAIN_SECONDS=10 makes it the run of docs/theory/validation.md.
#[test]
fn a_hundred_links_gain_no_energy_under_the_trapezoidal_rule() {
    let seconds: f64 = std::env::var("CHAIN_SECONDS").map_or(3.0, |text| text.parse().unwrap());
    let (model, _) = chain(100);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let run = runner.run(0.01, seconds);
    println!("{seconds} s: {run:?}, drift {:.1e}", runner.drift());
    assert!(run.most < 1e-8 * 3100.0, "{run:?}");
    // Later whips are too fast for the step, and parts of it are made by backward Euler.
    assert!(seconds > 3.0 || run.least > -1e-5 * 3100.0, "{run:?}");
    assert!(runner.drift() < 1e-9, "{}", runner.drift());
}

#[test]
fn joints_do_not_drift_in_ten_thousand_steps() {
    let (model, _) = chain(2);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let (start, mut drift) = (runner.energy(), 0f64);
    for _ in 0..10_000 {
        runner.step(0.01);
        drift = drift.max(runner.drift());
    }
    assert!(drift < 1e-9, "{drift}");
    // 10,000 steps that leave 1e-9 of a momentum each.
    assert!((runner.energy() - start).abs() < 1e-5, "{}", runner.energy() - start);
}
