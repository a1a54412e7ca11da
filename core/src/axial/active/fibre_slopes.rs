//! Derivatives of the state of a fibre in series with a tendon over a step, by implicit differentiation of the balance of each
//! of its two stages (`equilibrium.rs`), and of the tension that follows.

use super::super::activation::ActivationModel;
use super::super::{
    AxialInput, BY_EXCITATION, BY_EXCITATION_EARLIER, BY_LENGTH, BY_LENGTH_BEFORE, BY_STATE,
    EARLIER, Past, Settling, StateSlopes, StepSlope,
};
use super::equilibrium::{balance, trial};
use super::fibre::{FibreCurves, TendonModel, pull};

/// A number with its derivatives.
#[derive(Clone, Copy)]
struct Sloped {
    value: f64,
    slope: StepSlope,
}

fn unit(place: usize) -> StepSlope {
    StepSlope::ith(place, 1.0)
}

/// Derivatives of the tension, of the length of the fibre along the tendon and of the activation.
pub(super) fn slopes<M: FibreCurves>(
    muscle: &M,
    input: &AxialInput,
    past: &Past<'_>,
) -> StateSlopes {
    let m = muscle.architecture();
    let [earlier, end] = activations(muscle, input.excitation, past);
    let (along, force) = match m.tendon {
        TendonModel::Rigid => rigid(muscle, input, end),
        TendonModel::Elastic => elastic(muscle, input.length, [earlier, end], past),
    };
    StateSlopes { force: force * m.max_force, state: [along, end.slope] }
}

/// Activation after the share [`EARLIER`] of the step, and at its end.
fn activations<M: FibreCurves>(muscle: &M, excitation: f64, past: &Past<'_>) -> [Sloped; 2] {
    let (dynamics, before) = (muscle.architecture().activation, past.before);
    let at_once = |excitation: f64, place: usize| {
        let [value, by_excitation] = dynamics.steady(excitation);
        Sloped { value, slope: unit(place) * by_excitation }
    };
    if dynamics.model == ActivationModel::Instant {
        return [
            at_once(before.excitation, BY_EXCITATION_EARLIER),
            at_once(excitation, BY_EXCITATION),
        ];
    }
    let after = |excitation: f64, by: StepSlope, step: f64| {
        let [value, by_excitation, by_start] =
            dynamics.advance_slopes(past.state[1], excitation, step);
        Sloped { value, slope: by * by_excitation + unit(BY_STATE + 1) * by_start }
    };
    let share = before.mean_excitation(1.0) - before.mean_excitation(0.0);
    let mean = unit(BY_EXCITATION_EARLIER) * (1.0 - share) + unit(BY_EXCITATION) * share;
    [
        after(before.excitation, unit(BY_EXCITATION_EARLIER), EARLIER * before.step),
        after(before.mean_excitation(excitation), mean, before.step),
    ]
}

/// Of the length of the fibre, and of the force over the maximum isometric force.
fn rigid<M: FibreCurves>(muscle: &M, input: &AxialInput, a: Sloped) -> (StepSlope, StepSlope) {
    let along = input.length - muscle.architecture().slack;
    if along <= 0.0 {
        return Default::default();
    }
    let pull = pull(muscle, along, input.rate, a.value);
    let force = a.slope * pull.by_activation + unit(BY_LENGTH) * pull.by_length;
    (unit(BY_LENGTH), if pull.force < 0.0 { StepSlope::zeros() } else { force })
}

/// The same behind an elastic tendon.
fn elastic<M: FibreCurves>(
    muscle: &M,
    length: f64,
    [earlier, end]: [Sloped; 2],
    past: &Past<'_>,
) -> (StepSlope, StepSlope) {
    let (c, before) = (EARLIER, past.before);
    let mut start = None;
    if before.step > 0.0 {
        let from = Sloped { value: past.state[0], slope: unit(BY_STATE) };
        let half_way = Sloped {
            value: before.length + c * (length - before.length),
            slope: unit(BY_LENGTH_BEFORE) * (1.0 - c) + unit(BY_LENGTH) * c,
        };
        let (found, _) = stage(muscle, half_way, earlier, Some((from, c * before.step)));
        let further = (1.0 - c) / c;
        let from = Sloped {
            value: from.value + further * (found.value - from.value),
            slope: from.slope + (found.slope - from.slope) * further,
        };
        start = Some((from, c * before.step));
    }
    let length = Sloped { value: length, slope: unit(BY_LENGTH) };
    let (found, stiffness) = stage(muscle, length, end, start);
    (found.slope, (length.slope - found.slope) * stiffness)
}

/// The length of the fibre at which it balances the tendon, and the stiffness of the tendon there: with S the stiffness of the
/// fibre over the stage, D / t its damping and T that of the tendon, (S + T) dm = T dl - dF/da da + D / t dm0.
fn stage<M: FibreCurves>(
    muscle: &M,
    length: Sloped,
    a: Sloped,
    from: Option<(Sloped, f64)>,
) -> (Sloped, f64) {
    let before = from.map(|(from, step)| (from.value, step));
    let found = balance(muscle, length.value, a.value, before);
    let value = found.fibre_along;
    let t = trial(muscle, length.value, a.value, before, value);
    let mut slope = length.slope * t.tendon_stiffness - a.slope * t.fibre.by_activation;
    if let Some((from, step)) = from {
        slope += from.slope * (t.fibre.by_rate / step);
    }
    let sum = t.stiffness();
    let rests = found.settling == Settling::Shortest || sum <= 0.0;
    let slope = if rests { StepSlope::zeros() } else { slope / sum };
    (Sloped { value, slope }, t.tendon_stiffness)
}
