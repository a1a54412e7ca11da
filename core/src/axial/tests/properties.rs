//! Properties for any input: finite values, no pushing muscles, a balance that is found.

use proptest::prelude::*;

use super::super::Settling;
use super::super::active::{Balance, MAX_ITERATIONS, Millard2012, Side, Thelen2003};
use super::*;

fn number(size: f64) -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), -size..size, (-9.0..3.0f64).prop_map(|e| 10f64.powf(e))]
}

fn length() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..0.6f64, (-12.0..2.0f64).prop_map(|e| 10f64.powf(e))]
}

/// True if the law is a muscle whose force cannot be negative but for its damper.
fn only_pulls(law: &AxialLaw) -> bool {
    let both = Value::Choice(Side::Both.name());
    law.is_muscle() && law.get("side") != Some(both)
}

/// The part of the force that a damper beside the muscle has.
fn damper(law: &AxialLaw, rate: f64) -> f64 {
    match (law.kind().name, law.get("damping")) {
        ("hill_rigid_tendon", _) | (_, None | Some(Value::Choice(_))) => 0.0,
        (_, Some(Value::Number(damping))) => damping * rate,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn tensions_are_finite_and_muscles_do_not_push(
        which in 0usize..1000, length in length(), rest_length in length(), rate in number(5.0),
        excitation in prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64],
        step in prop_oneof![Just(0.0), (-9.0..3.0f64).prop_map(|e| 10f64.powf(e))],
        hidden in length(), from in length(), earlier in 0.0..1.0f64,
    ) {
        let laws = laws();
        let law = &laws[which % laws.len()];
        let input = AxialInput { length, rate, rest_length, excitation };
        let mut state = [hidden, excitation];
        let before = Before { step, length: from, excitation: earlier };
        let t = law.tension(&input, &Past { before, state: &state });
        let all = [t.force, t.by_length, t.by_rate, t.by_excitation];
        prop_assert!(all.iter().all(|x| x.is_finite()), "{law:?} {input:?}: {t:?}");
        if only_pulls(law) {
            let pull = t.force - damper(law, rate);
            prop_assert!(pull >= -1e-12 * (1.0 + t.force.abs()), "{law:?} {input:?}: {t:?}");
            prop_assert!(t.by_excitation >= 0.0, "{law:?} {input:?}: {t:?}");
        }
        law.advance(&input, &before, &mut state);
        prop_assert!(state.iter().all(|x| x.is_finite()), "{law:?} {input:?}: {state:?}");
        law.start(&input, &mut state);
        prop_assert!(state.iter().all(|x| x.is_finite()), "{law:?} {input:?}: {state:?}");
    }

    #[test]
    fn fibre_and_tendon_balance_for_any_muscle(
        thelen: bool, length in length(), activation in prop_oneof![Just(0.0), 0.0..1.0f64],
        from in 1e-3..0.5f64, exponent in -7.0..2.0f64, at_rest: bool,
        slack in (-3.0..1.0f64).prop_map(|e| 10f64.powf(e)), optimal in 0.01..0.3f64,
        pennation in 0.0..1.3f64, damping in prop_oneof![Just(0.0), 0.0..1.0f64],
    ) {
        let before = (!at_rest).then(|| (from, 10f64.powf(exponent)));
        let sizes = (optimal, slack, pennation, damping);
        let found = settle(thelen, sizes, length, activation, before);
        prop_assert!(found.iterations < MAX_ITERATIONS, "{found:?}");
        let scale = 1.0 + strength(thelen, sizes, length, found.fibre_along);
        match found.settling {
            Settling::Shortest => prop_assert!(found.residual > 0.0, "{found:?}"),
            _ => prop_assert!(found.residual.abs() < 1e-9 * scale, "{found:?} {scale}"),
        }
    }
}

type Sizes = (f64, f64, f64, f64);

fn settle(
    thelen: bool,
    (optimal_fibre_length, tendon_slack_length, pennation, fibre_damping): Sizes,
    length: f64,
    activation: f64,
    before: Option<(f64, f64)>,
) -> Balance {
    if thelen {
        let rest = Thelen2003::default();
        Thelen2003 { optimal_fibre_length, tendon_slack_length, pennation, fibre_damping, ..rest }
            .balance(length, activation, before)
    } else {
        let rest = Millard2012::default();
        Millard2012 { optimal_fibre_length, tendon_slack_length, pennation, fibre_damping, ..rest }
            .balance(length, activation, before)
    }
}

/// Size of the forces that balance, over the maximum isometric force: of the tendon by the slope of
/// its line, of a stretched fibre by its passive curve.
fn strength(thelen: bool, sizes: Sizes, length: f64, fibre_along: f64) -> f64 {
    let (optimal, slack, pennation, _) = sizes;
    let slope = if thelen { 43.0 } else { 28.1 };
    let strain = fibre_along.hypot(optimal * pennation.sin()) / optimal - 1.0;
    let passive = if thelen { (5.0 * (strain / 0.6 - 1.0).min(9.0)).exp() } else { 3.0 };
    slope * ((length - fibre_along) / slack - 1.0).max(0.0) + passive * strain.max(1.0)
}

#[test]
fn input_that_is_not_a_number_ends() {
    for law in laws() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for which in 0..6 {
                let mut input =
                    AxialInput { length: 0.3, rate: 0.1, rest_length: 0.2, excitation: 0.5 };
                let mut state = [0.1, 0.5];
                let (mut step, mut from) = (0.01, 0.3);
                *[
                    &mut input.length,
                    &mut input.rate,
                    &mut input.excitation,
                    &mut step,
                    &mut state[0],
                    &mut from,
                ][which] = bad;
                let before = Before { step, length: from, excitation: 0.4 };
                law.tension(&input, &Past { before, state: &state });
                law.advance(&input, &before, &mut state);
            }
        }
    }
}
