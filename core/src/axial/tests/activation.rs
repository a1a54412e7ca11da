//! From excitation to activation.

use proptest::prelude::*;

use super::super::{ActivationDynamics, ActivationModel};
use super::slope;

fn dynamics(model: ActivationModel) -> ActivationDynamics {
    ActivationDynamics { model, activation_time: 0.012, deactivation_time: 0.045, least: 0.02 }
}

fn model() -> impl Strategy<Value = ActivationModel> {
    use ActivationModel::{Bilinear, ByExcitation, FirstOrder};
    prop_oneof![Just(FirstOrder), Just(Bilinear), Just(ByExcitation)]
}

proptest! {
    #[test]
    fn activation_lies_between_where_it_was_and_its_excitation(
        from in 0.0..1.0f64, excitation in -1.0..2.0f64, exponent in -12.0..6.0f64, model in model(),
    ) {
        let dynamics = dynamics(model);
        let [a, by_excitation] = dynamics.advance(from, excitation, 10f64.powf(exponent));
        let (from, to) = (from.max(0.02), excitation.clamp(0.02, 1.0));
        prop_assert!(a >= from.min(to) && a <= from.max(to), "{a} not from {from} to {to}");
        prop_assert!(by_excitation.is_finite() && by_excitation >= 0.0);
        if exponent > 2.0 {
            prop_assert!((a - to).abs() < 1e-12);
        }
    }

    /// By the activation at the start, whether it rises or falls.
    #[test]
    fn the_derivative_by_the_start_is_that_of_the_activation(
        from in 0.03..0.99f64, excitation in 0.02..1.0f64, step in 1e-4..0.1f64, linear: bool,
    ) {
        prop_assume!((from - excitation).abs() > 1e-4);
        let model = if linear { ActivationModel::FirstOrder } else { ActivationModel::Bilinear };
        let dynamics = dynamics(model);
        let [_, _, found] = dynamics.advance_slopes(from, excitation, step);
        let expected = slope(|from| dynamics.advance(from, excitation, step)[0], from, 5e-5);
        prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    /// The step is the solution of the equation, so two half steps are one step.
    #[test]
    fn two_steps_are_one_step(
        from in 0.02..1.0f64, excitation in 0.02..1.0f64, step in 1e-4..0.1f64, model in model(),
    ) {
        let dynamics = dynamics(model);
        let [middle, _] = dynamics.advance(from, excitation, 0.3 * step);
        let [twice, _] = dynamics.advance(middle, excitation, 0.7 * step);
        let [once, _] = dynamics.advance(from, excitation, step);
        prop_assert!((once - twice).abs() < 1e-13, "{once} {twice}");
    }

    #[test]
    fn the_derivative_by_the_excitation_is_that(
        from in 0.1..0.9f64, excitation in 0.1..0.9f64, step in 1e-4..0.1f64, model in model(),
    ) {
        prop_assume!((from - excitation).abs() > 1e-3);
        let dynamics = dynamics(model);
        let [_, found] = dynamics.advance(from, excitation, step);
        let numeric = slope(|u| dynamics.advance(from, u, step)[0], excitation, 1e-4);
        prop_assert!((found - numeric).abs() < 1e-9, "{found} {numeric}");
    }
}

#[test]
fn activation_begins_at_the_rate_of_its_equation() {
    let step = 1e-9;
    for (model, factor) in [(ActivationModel::FirstOrder, 1.0), (ActivationModel::Bilinear, 0.95)] {
        let dynamics = dynamics(model);
        let rise = (dynamics.advance(0.3, 0.8, step)[0] - 0.3) / step;
        assert!((rise / (0.5 / (0.012 * factor)) - 1.0).abs() < 1e-6, "{model:?}: {rise}");
        let fall = (dynamics.advance(0.3, 0.1, step)[0] - 0.3) / step;
        assert!((fall / (-0.2 / (0.045 / factor)) - 1.0).abs() < 1e-6, "{model:?}: {fall}");
    }
}

/// OpenSim's Schutte1993Muscle: (u - a)(a1 u + a2)/T where u > a, (u - a) a2/T otherwise.
#[test]
fn activation_by_excitation_begins_at_the_rate_of_schutte() {
    let (a1, a2, scale, step) = (7.667, 1.459_854, 0.1, 1e-9);
    let dynamics = ActivationDynamics {
        model: ActivationModel::ByExcitation,
        activation_time: scale / (a1 + a2),
        deactivation_time: scale / a2,
        least: 0.0,
    };
    for (excitation, rate) in [(0.8, 0.5 * (a1 * 0.8 + a2) / scale), (0.1, -0.2 * a2 / scale)] {
        let found = (dynamics.advance(0.3, excitation, step)[0] - 0.3) / step;
        assert!((found / rate - 1.0).abs() < 1e-6, "{found} {rate}");
        let found = dynamics.rate(0.3, excitation, step);
        assert!((found / rate - 1.0).abs() < 1e-12, "{found} {rate}");
    }
}

#[test]
fn instant_activation_is_the_excitation() {
    assert_eq!(dynamics(ActivationModel::Instant).advance(0.9, 0.4, 1e-3), [0.4, 1.0]);
    assert_eq!(dynamics(ActivationModel::Bilinear).steady(0.0), [0.02, 0.0]);
}
