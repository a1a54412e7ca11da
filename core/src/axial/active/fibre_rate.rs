//! Rates of the state of a fibre in series with a tendon, for rules that sum rates: the rate at
//! which a fibre of given length carries the force of its tendon.

use super::super::activation::ActivationModel;
use super::super::{AxialInput, Contraction, STIFF};
use super::equilibrium::balance;
use super::fibre::{FibreCurves, TendonModel, pull};
use crate::state::INSTANT;

/// Iterations of Newton's method, of which it takes three to eight.
const MAX_ITERATIONS: usize = 40;

/// Rates of [length of the fibre along the tendon, activation] \[m/s\], \[1/s\], meant for steps of `step` [s].
pub(super) fn rates<M: FibreCurves>(
    muscle: &M,
    input: &AxialInput,
    (state, step): (&[f64], f64),
    rates: &mut [f64],
) {
    let m = muscle.architecture();
    let instant = m.activation.model == ActivationModel::Instant;
    let a = if instant { m.activation.steady(input.excitation)[0] } else { state[1] };
    rates[1] = m.activation.rate(state[1], input.excitation, step);
    rates[0] = match m.tendon {
        TendonModel::Rigid => 0.0,
        TendonModel::Elastic => fibre_rate(muscle, input.length, a, (state[0], step)),
    };
}

/// Sets what follows the input at once.
pub(super) fn close<M: FibreCurves>(muscle: &M, input: &AxialInput, state: &mut [f64]) {
    let m = muscle.architecture();
    if m.activation.model == ActivationModel::Instant {
        state[1] = m.activation.steady(input.excitation)[0];
    }
    state[0] = match m.tendon {
        TendonModel::Rigid => (input.length - m.slack).max(0.0),
        TendonModel::Elastic => state[0].max(m.shortest()),
    };
}

/// Fibre and tendon in a state.
pub(super) fn contraction<M: FibreCurves>(
    muscle: &M,
    input: &AxialInput,
    state: &[f64],
) -> Contraction {
    let (m, activation) = (muscle.architecture(), state[1]);
    let along = match m.tendon {
        TendonModel::Rigid => (input.length - m.slack).max(0.0),
        TendonModel::Elastic => state[0].max(m.shortest()),
    };
    let (rate, force) = match m.tendon {
        TendonModel::Rigid if along == 0.0 => (0.0, 0.0),
        TendonModel::Rigid => {
            (input.rate, pull(muscle, along, input.rate, activation).force.max(0.0))
        }
        TendonModel::Elastic => (
            fibre_rate(muscle, input.length, activation, (along, INSTANT)),
            muscle.tendon((input.length - along) / m.slack)[0],
        ),
    };
    let fibre_length = along.hypot(m.height);
    Contraction {
        fibre_length,
        fibre_velocity: if fibre_length > 0.0 { rate * along / fibre_length } else { rate },
        activation,
        tendon_force: m.max_force * force,
    }
}

/// The root v of fibre(m, v) = tendon(l - m) by Newton's method, from the mean rate over the step; that one where
/// the fibre comes to rest within the step, or has no damping that a rate follows from.
fn fibre_rate<M: FibreCurves>(muscle: &M, length: f64, a: f64, (along, step): (f64, f64)) -> f64 {
    let m = muscle.architecture();
    let along = along.max(m.shortest());
    let mean = (balance(muscle, length, a, Some((along, step))).fibre_along - along) / step;
    let [tendon, slope] = muscle.tendon((length - along) / m.slack);
    let (mut rate, mut last) = (mean, mean);
    for iteration in 0..MAX_ITERATIONS {
        let fibre = pull(muscle, along, rate, a);
        let stiff = step * (fibre.by_length + slope / m.slack) > STIFF * fibre.by_rate;
        if iteration == 0 && stiff {
            return mean;
        }
        if fibre.by_rate <= 0.0 {
            // Beyond the fastest rate nothing follows from the force.
            rate = 0.5 * (rate + last);
            continue;
        }
        let change = (fibre.force - tendon) / fibre.by_rate;
        (last, rate) = (rate, rate - change);
        if change.abs() <= 4.0 * f64::EPSILON * (rate.abs() + m.max_rate) {
            return rate;
        }
    }
    mean
}
