//! Muscles with a tendon in series, and the Maxwell element: what their states do over time.

use super::super::active::{Millard2012, MillardCurves, TendonModel, Thelen2003, VelocityFactor};
use super::super::passive::MaxwellElement;
use super::super::{ActivationModel, Settling};
use super::*;

fn input(length: f64, excitation: f64) -> AxialInput {
    AxialInput { length, excitation, ..AxialInput::default() }
}

/// The fibre's force from its curves, its length and its rate, against the tendon's from its own.
#[test]
fn the_tendon_carries_what_the_fibre_pulls() {
    let muscle = Millard2012 { pennation: 0.3, fibre_damping: 0.1, ..Millard2012::default() };
    let curves = MillardCurves::default();
    let mut state = [0.0; 2];
    muscle.start(&input(0.30, 0.5), &mut state);
    let step = 0.002;
    for k in 0..50 {
        let now = input(0.30 + 0.0003 * f64::from(k), 0.5 + 0.01 * f64::from(k));
        let from = state[0];
        let force = muscle.tension(&now, &Past { step, state: &state }).force;
        assert_eq!(muscle.advance(&now, step, &mut state), Settling::Balanced);
        let fibre = muscle.fibre_length(&state);
        let (cos, rate) = (state[0] / fibre, (state[0] - from) / step);
        let v = rate * cos / (0.1 * 10.0);
        let along = now.excitation * curves.active(fibre / 0.1)[0] * curves.force_velocity(v)[0]
            + curves.passive(fibre / 0.1)[0]
            + 0.1 * v;
        let tendon = curves.tendon((now.length - state[0]) / 0.2)[0];
        assert!((1000.0 * tendon - force).abs() < 1e-9 * force, "{tendon} {force}");
        assert!((1000.0 * along * cos - force).abs() < 1e-9 * force, "{along} {force}");
        assert!((fibre * fibre - state[0] * state[0]).sqrt() - 0.1 * 0.3f64.sin() < 1e-12);
    }
}

/// Strains of 4 percent and 60 percent are the definitions of Thelen's constants.
#[test]
fn thelens_curves_meet_their_definitions() {
    let muscle = Thelen2003 { tendon: TendonModel::Rigid, ..Thelen2003::default() };
    let at = |length, excitation| {
        muscle.tension(&input(length, excitation), &Past { step: 0.0, state: &[0.0; 2] }).force
    };
    assert!((at(0.36, 0.0) - 1000.0).abs() < 1e-9);
    assert!((at(0.3, 1.0) - 1000.0).abs() < 1e-9);
    let elastic = Thelen2003::default();
    // Tendon at 4 percent, fibre at the strain that pulls 1000 N with no activation.
    let length = 0.2 * 1.04 + 0.1 * 1.6;
    let found = elastic.balance(length, 0.0, None);
    assert!((found.fibre_along - 0.16).abs() < 1e-12, "{found:?}");
}

#[test]
fn a_held_muscle_comes_to_rest_where_it_starts_at_rest() {
    let with = |law: AxialLaw| {
        let (mut state, mut rest) = ([0.0; 2], [0.0; 2]);
        law.start(&input(0.27, 0.1), &mut state);
        law.start(&input(0.29, 0.8), &mut rest);
        assert!((state[0] - rest[0]).abs() > 1e-3);
        for _ in 0..2000 {
            assert_eq!(law.advance(&input(0.29, 0.8), 0.001, &mut state), Settling::Balanced);
        }
        assert!((state[0] - rest[0]).abs() < 1e-12, "{law:?}: {state:?} {rest:?}");
    };
    let damping = 0.05;
    with(AxialLaw::Millard2012(Millard2012 { fibre_damping: damping, ..Millard2012::default() }));
    with(AxialLaw::Thelen2003(Thelen2003 { fibre_damping: damping, ..Thelen2003::default() }));
    with(AxialLaw::Millard2012(Millard2012 {
        activation: ActivationModel::Bilinear,
        ..Millard2012::default()
    }));
}

/// Backward Euler: halving the step halves the error of the fibre's length.
#[test]
fn the_length_of_the_fibre_converges_with_first_order() {
    let muscle = Millard2012 { fibre_damping: 0.1, ..Millard2012::default() };
    let run = |count: u32| {
        let mut state = [0.0; 2];
        muscle.start(&input(0.29, 0.2), &mut state);
        let step = 0.04 / f64::from(count);
        for k in 1..=count {
            let time = step * f64::from(k);
            muscle.advance(&input(0.29 + 0.1 * time, 0.9), step, &mut state);
        }
        state[0]
    };
    let exact = run(1 << 15);
    let errors = [64, 128, 256].map(|count| (run(count) - exact).abs());
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.9..2.1).contains(&ratio), "{errors:?}");
    }
}

/// With a tendon of nearly no stretch, the elastic muscle is the rigid one.
#[test]
fn a_stiff_tendon_is_a_rigid_one() {
    let rigid = Millard2012 {
        tendon: TendonModel::Rigid,
        pennation: 0.25,
        fibre_damping: 0.1,
        ..Millard2012::default()
    };
    let stiff = Millard2012 { tendon: TendonModel::Elastic, tendon_strain: 1e-3, ..rigid };
    let (mut state, step) = ([0.0; 2], 1e-3);
    stiff.start(&input(0.29, 0.6), &mut state);
    for k in 1..60 {
        let length = 0.29 + 0.02 * step * f64::from(k);
        stiff.advance(&input(length, 0.6), step, &mut state);
    }
    let now = AxialInput { length: 0.29 + 0.02 * step * 59.0, rate: 0.02, ..input(0.0, 0.6) };
    let found = stiff.tension(
        &AxialInput { length: now.length + 0.02 * step, ..now },
        &Past { step, state: &state },
    );
    let expected = rigid.tension(&now, &Past { step, state: &state });
    assert!((found.force / expected.force - 1.0).abs() < 5e-3, "{found:?} {expected:?}");
}

#[test]
fn a_slack_muscle_without_excitation_keeps_its_fibre() {
    let muscle = Millard2012::default();
    let mut state = [0.09, 0.0];
    let now = input(0.25, 0.0);
    let found = muscle.tension(&now, &Past { step: 0.01, state: &state });
    assert_eq!(found, Default::default());
    assert_eq!(muscle.advance(&now, 0.01, &mut state), Settling::Slack);
    assert_eq!(state[0], 0.09);
}

/// At the fastest rate the active force has gone: 10 optimal lengths a second.
#[test]
fn a_slack_muscle_with_excitation_shortens_as_fast_as_it_can() {
    for law in
        [AxialLaw::Millard2012(Millard2012::default()), AxialLaw::Thelen2003(Thelen2003::default())]
    {
        let mut state = [0.09, 1.0];
        assert_eq!(law.advance(&input(0.25, 1.0), 0.01, &mut state), Settling::Slack);
        assert!((state[0] - 0.08).abs() < 2e-5, "{law:?}: {state:?}");
        for _ in 0..10 {
            law.advance(&input(0.25, 1.0), 0.01, &mut state);
        }
        // The tendon is taut again, but for a force that is no longer active at short lengths.
        assert!(state[0] <= 0.05 + 1e-9, "{law:?}: {state:?}");
    }
}

#[test]
fn a_fibre_that_cannot_be_shorter_says_so() {
    let muscle = Thelen2003 { pennation: 0.5, ..Thelen2003::default() };
    let mut state = [0.0; 2];
    assert_eq!(muscle.start(&input(0.15, 1.0), &mut state), Settling::Shortest);
    assert_eq!(muscle.tension(&input(0.15, 1.0), &Past { step: 0.0, state: &state }).force, 0.0);
    let cos = state[0] / muscle.fibre_length(&state);
    assert!((cos - 0.1).abs() < 1e-12, "{cos}");
}

/// A taut tendon then pulls alone: 14 N, where the fibre would pull 113 N.
#[test]
fn behind_a_fibre_that_cannot_be_shorter_the_tendon_pulls() {
    let muscle = Thelen2003::default();
    let length = 0.2 * 1.005 + 0.001;
    assert_eq!(muscle.balance(length, 1.0, None).settling, Settling::Shortest);
    let past = Past { step: 0.0, state: &[0.0; 2] };
    let at = |length| muscle.tension(&input(length, 1.0), &past);
    let tendon = slope(|l| at(l).force, length, 1e-5);
    let found = at(length);
    assert!((10.0..20.0).contains(&found.force), "{found:?}");
    assert!((found.by_length / tendon - 1.0).abs() < 1e-6, "{found:?} {tendon}");
}

#[test]
fn a_muscle_may_be_without_the_force_velocity_curve() {
    let muscle = Millard2012 {
        force_velocity: VelocityFactor::Ignored,
        tendon: TendonModel::Rigid,
        ..Millard2012::default()
    };
    let now = AxialInput { rate: 0.5, ..input(0.3, 0.7) };
    let found = muscle.tension(&now, &Past { step: 0.01, state: &[0.0; 2] });
    assert!((found.force - 700.0).abs() < 1e-9 && found.by_rate == 0.0, "{found:?}");
}

/// A held Maxwell element relaxes as exp(-k t / d), backward Euler with first order; a fast one is
/// a spring and a slow one a damper.
#[test]
fn a_maxwell_element_relaxes() {
    let law = MaxwellElement { stiffness: 100.0, damping: 10.0 };
    let held = AxialInput { length: 0.5, rest_length: 0.3, ..AxialInput::default() };
    let run = |count: u32| {
        let mut state = [0.4];
        for _ in 0..count {
            law.advance(&held, 0.1 / f64::from(count), &mut state);
        }
        law.tension(&held, &Past { step: 0.0, state: &state }).force
    };
    let exact = 10.0 * (-1.0f64).exp();
    let errors = [64, 128].map(|count| (run(count) - exact).abs());
    assert!((1.95..2.05).contains(&(errors[0] / errors[1])), "{errors:?}");
    let moving = AxialInput { rate: 0.2, ..held };
    let fast = law.tension(&moving, &Past { step: 1e-9, state: &[0.3] });
    assert!((fast.force / (100.0 * 0.2 * 1e-9) - 1.0).abs() < 1e-6);
    let slow = law.tension(&moving, &Past { step: 1e6, state: &[0.3] });
    assert!((slow.force / (10.0 * 0.2) - 1.0).abs() < 1e-6);
}
