//! Muscles with a tendon in series, and the Maxwell element: their states over time.

use super::super::active::{Millard2012, MillardCurves, TendonModel, Thelen2003, VelocityFactor};
use super::super::passive::MaxwellElement;
use super::super::{ActivationModel, EARLIER, Settling};
use super::*;

/// A step [s] in which the line stays as the input has it.
fn advance(law: &dyn TensionLaw, input: AxialInput, step: f64, state: &mut [f64]) -> Settling {
    law.advance(&input, &Before::unchanged(&input, step), state)
}

fn input(length: f64, excitation: f64) -> AxialInput {
    AxialInput { length, excitation, ..AxialInput::default() }
}

/// The fibre's force from its curves, its length and its rate, against the tendon's from its own: the rate of the
/// second stage of a step is that from where the first one leads.
#[test]
fn the_tendon_carries_what_the_fibre_pulls() {
    let muscle = Millard2012 { pennation: 0.3, fibre_damping: 0.1, ..Millard2012::default() };
    let curves = MillardCurves::default();
    let mut state = [0.0; 2];
    let mut last = input(0.30, 0.5);
    muscle.start(&last, &mut state);
    let (step, c) = (0.002, EARLIER);
    for k in 0..50 {
        let now = input(0.30 + 0.0003 * f64::from(k), 0.5 + 0.01 * f64::from(k));
        let excitation = last.excitation + c * (now.excitation - last.excitation);
        let before = Before { step, length: last.length, excitation };
        let from = state[0];
        let middle = last.length + c * (now.length - last.length);
        let first = muscle.balance(middle, excitation, Some((from, c * step))).fibre_along;
        let force = muscle.tension(&now, &Past { before, state: &state }).force;
        assert_eq!(muscle.advance(&now, &before, &mut state), Settling::Balanced);
        let fibre = muscle.fibre_length(&state);
        let start = from + (1.0 - c) / c * (first - from);
        let (cos, rate) = (state[0] / fibre, (state[0] - start) / (c * step));
        let v = rate * cos / (0.1 * 10.0);
        let along = now.excitation * curves.active(fibre / 0.1)[0] * curves.force_velocity(v)[0]
            + curves.passive(fibre / 0.1)[0]
            + 0.1 * v;
        let tendon = curves.tendon((now.length - state[0]) / 0.2)[0];
        assert!((1000.0 * tendon - force).abs() < 1e-9 * force, "{tendon} {force}");
        assert!((1000.0 * along * cos - force).abs() < 1e-9 * force, "{along} {force}");
        assert!((fibre * fibre - state[0] * state[0]).sqrt() - 0.1 * 0.3f64.sin() < 1e-12);
        last = now;
    }
}

/// Strains of 4 percent and 60 percent are the definitions of Thelen's constants.
#[test]
fn thelens_curves_meet_their_definitions() {
    let muscle = Thelen2003 { tendon: TendonModel::Rigid, ..Thelen2003::default() };
    let at = |length, excitation| {
        muscle
            .tension(
                &input(length, excitation),
                &Past::unchanged(&input(length, excitation), 0.0, &[0.0; 2]),
            )
            .force
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
fn a_muscle_of_fixed_length_comes_to_rest_where_it_starts_at_rest() {
    let with = |law: AxialLaw| {
        let (mut state, mut rest) = ([0.0; 2], [0.0; 2]);
        law.start(&input(0.27, 0.1), &mut state);
        law.start(&input(0.29, 0.8), &mut rest);
        assert!((state[0] - rest[0]).abs() > 1e-3);
        for _ in 0..2000 {
            assert_eq!(advance(&law, input(0.29, 0.8), 0.001, &mut state), Settling::Balanced);
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

/// Rates summed by the classical Runge-Kutta rule over steps far below the time of relaxation, of a line and an
/// excitation that move.
fn by_rates(law: &AxialLaw, line: &dyn Fn(f64) -> AxialInput, end: f64, count: u32) -> Vec<f64> {
    let len = law.state_len();
    let mut state = vec![0.0; len];
    law.start(&line(0.0), &mut state);
    let h = end / f64::from(count);
    for k in 0..count {
        let time = h * f64::from(k);
        let (mut rate, mut sum, start) = (vec![0.0; len], vec![0.0; len], state.clone());
        for (share, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            (0..len).for_each(|i| state[i] = start[i] + share * h * rate[i]);
            law.rates(&line(time + share * h), (&state, h), &mut rate);
            (0..len).for_each(|i| sum[i] += weight / 6.0 * rate[i]);
        }
        (0..len).for_each(|i| state[i] = start[i] + h * sum[i]);
        law.close(&line(time + h), &mut state);
    }
    state
}

/// The state by steps of the law itself.
fn by_steps(law: &AxialLaw, line: &dyn Fn(f64) -> AxialInput, end: f64, count: u32) -> Vec<f64> {
    let mut state = vec![0.0; law.state_len()];
    law.start(&line(0.0), &mut state);
    let step = end / f64::from(count);
    for k in 0..count {
        let time = step * f64::from(k);
        let (length, excitation) = (line(time).length, line(time + EARLIER * step).excitation);
        law.advance(&line(time + step), &Before { step, length, excitation }, &mut state);
    }
    state
}

fn with_states() -> Vec<AxialLaw> {
    let muscle = Millard2012 { fibre_damping: 0.1, ..Millard2012::default() };
    let thelen = Thelen2003 { pennation: 0.3, ..Thelen2003::default() };
    vec![
        AxialLaw::Maxwell(MaxwellElement { stiffness: 700.0, damping: 5.0 }),
        AxialLaw::Millard2012(muscle),
        AxialLaw::Thelen2003(thelen),
        AxialLaw::Millard2012(Millard2012 { activation: ActivationModel::FirstOrder, ..muscle }),
        AxialLaw::Thelen2003(Thelen2003 { activation: ActivationModel::Bilinear, ..thelen }),
    ]
}

/// A line that is stretched while its excitation rises; rates at it are those of the length.
fn stretched(time: f64) -> AxialInput {
    let (length, rate) = (0.29 + 0.02 * (8.0 * time).sin(), 0.16 * (8.0 * time).cos());
    AxialInput { length, rate, rest_length: 0.25, excitation: 0.2 + 5.0 * time }
}

/// Halving the step divides errors by four under the rule of two stages, and by sixteen where rates are summed;
/// both go to the same end.
#[test]
fn hidden_states_are_those_of_their_differential_equations_at_second_and_at_fourth_order() {
    for law in with_states() {
        let exact = by_rates(&law, &stretched, 0.1, 1 << 13);
        let error = |state: Vec<f64>| {
            state.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let second = [64, 128, 256].map(|n| error(by_steps(&law, &stretched, 0.1, n)));
        let fourth = [64, 128, 256].map(|n| error(by_rates(&law, &stretched, 0.1, n)));
        for pair in second.windows(2) {
            assert!((3.6..4.6).contains(&(pair[0] / pair[1])), "{law:?}: {second:?}");
        }
        // The curves of these muscles have no third derivative where their parts meet.
        assert!(fourth[0] > 100.0 * fourth[2] || fourth[2] < 1e-12, "{law:?}: {fourth:?}");
    }
}

/// States that relax within 5 ms stay at rest under steps of 0.1 s, by both ways.
#[test]
fn states_that_are_faster_than_the_step_come_to_rest() {
    let unchanged =
        |_: f64| AxialInput { length: 0.29, rest_length: 0.25, excitation: 0.3, rate: 0.0 };
    for law in with_states() {
        let moved = |time: f64| AxialInput {
            length: 0.29 + 0.01 * f64::from(u8::from(time == 0.0)),
            ..unchanged(0.0)
        };
        let (far, near) = (by_rates(&law, &moved, 10.0, 100), by_steps(&law, &moved, 10.0, 100));
        let mut rest = vec![0.0; law.state_len()];
        law.start(&unchanged(0.0), &mut rest);
        for k in 0..rest.len() {
            let off = [far[k] - rest[k], near[k] - rest[k]];
            assert!(off.iter().all(|off| off.abs() < 1e-6), "{law:?}: {off:?}");
        }
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
        let before = Before { step, length: length - 0.02 * step, excitation: 0.6 };
        stiff.advance(&input(length, 0.6), &before, &mut state);
    }
    let now = AxialInput { length: 0.29 + 0.02 * step * 59.0, rate: 0.02, ..input(0.0, 0.6) };
    let found = stiff.tension(
        &AxialInput { length: now.length + 0.02 * step, ..now },
        &Past { before: Before { step, length: now.length, excitation: 0.6 }, state: &state },
    );
    let expected = rigid.tension(&now, &Past::unchanged(&now, step, &state));
    assert!((found.force / expected.force - 1.0).abs() < 5e-3, "{found:?} {expected:?}");
}

#[test]
fn a_slack_muscle_without_excitation_keeps_its_fibre() {
    let muscle = Millard2012::default();
    let mut state = [0.09, 0.0];
    let now = input(0.25, 0.0);
    let found = muscle.tension(&now, &Past::unchanged(&now, 0.01, &state));
    assert_eq!(found, Default::default());
    assert_eq!(advance(&muscle, now, 0.01, &mut state), Settling::Slack);
    assert_eq!(state[0], 0.09);
}

/// At the fastest rate the active force has gone: 10 optimal lengths a second.
#[test]
fn a_slack_muscle_with_excitation_shortens_as_fast_as_it_can() {
    for law in
        [AxialLaw::Millard2012(Millard2012::default()), AxialLaw::Thelen2003(Thelen2003::default())]
    {
        let mut state = [0.09, 1.0];
        assert_eq!(advance(&law, input(0.25, 1.0), 0.01, &mut state), Settling::Slack);
        assert!((state[0] - 0.08).abs() < 2e-5, "{law:?}: {state:?}");
        for _ in 0..10 {
            advance(&law, input(0.25, 1.0), 0.01, &mut state);
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
    assert_eq!(
        muscle.tension(&input(0.15, 1.0), &Past::unchanged(&input(0.15, 1.0), 0.0, &state)).force,
        0.0
    );
    let cos = state[0] / muscle.fibre_length(&state);
    assert!((cos - 0.1).abs() < 1e-12, "{cos}");
}

/// A taut tendon then pulls alone: 14 N, where the fibre would pull 113 N.
#[test]
fn behind_a_fibre_that_cannot_be_shorter_the_tendon_pulls() {
    let muscle = Thelen2003::default();
    let length = 0.2 * 1.005 + 0.001;
    assert_eq!(muscle.balance(length, 1.0, None).settling, Settling::Shortest);
    let past = Past::unchanged(&input(length, 1.0), 0.0, &[0.0; 2]);
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
    let found = muscle.tension(&now, &Past::unchanged(&now, 0.01, &[0.0; 2]));
    assert!((found.force - 700.0).abs() < 1e-9 && found.by_rate == 0.0, "{found:?}");
}

/// A held Maxwell element relaxes as exp(-k t / d), by any steps; a fast one is a spring and a slow one a damper.
#[test]
fn a_maxwell_element_relaxes() {
    let law = MaxwellElement { stiffness: 100.0, damping: 10.0 };
    let unchanged = AxialInput { length: 0.5, rest_length: 0.3, ..AxialInput::default() };
    for count in [1, 7] {
        let mut state = [0.4];
        for _ in 0..count {
            advance(&law, unchanged, 0.1 / f64::from(count), &mut state);
        }
        let force = law.tension(&unchanged, &Past::unchanged(&unchanged, 0.0, &state)).force;
        assert!((force - 10.0 * (-1.0f64).exp()).abs() < 1e-13, "{force}");
    }
    let moved = |step: f64| {
        let before = Before { step, length: unchanged.length - 0.2 * step, excitation: 0.0 };
        law.tension(&unchanged, &Past { before, state: &[0.3] }).force
    };
    assert!((moved(1e-6) / (100.0 * 0.2 * 1e-6) - 1.0).abs() < 1e-4);
    assert!((moved(1e6) / (10.0 * 0.2) - 1.0).abs() < 1e-6);
}
