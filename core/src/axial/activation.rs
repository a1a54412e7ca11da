//! From excitation to activation, by first-order dynamics with a constant excitation over the step
//! solved exactly (Zajac1989, Thelen2003, Schutte1993), so that every step is stable.

use super::STIFF;
use super::constants::choice;

choice! {
    /// Dynamics by which activation follows excitation.
    ActivationModel {
        /// Activation is excitation (ArtiSynth's muscles).
        Instant = "instant",
        /// da/dt = (u - a) / tau, tau the activation time when u > a, else the deactivation time.
        FirstOrder = "first_order",
        /// The same with tau (1/2 + 3/2 a) when u > a and tau / (1/2 + 3/2 a) otherwise: a muscle
        /// that is active activates slower and deactivates faster.
        Bilinear = "bilinear",
        /// da/dt = (u - a) (1/td + u (1/ta - 1/td)) when u > a, with the activation time ta and the deactivation time td,
        /// and (u - a) / td otherwise: the more a muscle is excited, the faster it activates.
        ByExcitation = "by_excitation",
    }
}

/// Activation dynamics with its constants. Check the ranges where the law does.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ActivationDynamics {
    /// Model of the dynamics.
    pub model: ActivationModel,
    /// Time constant of activation [s], positive.
    pub activation_time: f64,
    /// Time constant of deactivation [s], positive.
    pub deactivation_time: f64,
    /// Least activation [-], at least 0 and below 1; an [`ActivationModel::Instant`] one has none.
    pub least: f64,
}

impl Default for ActivationDynamics {
    /// Activation is excitation; the times and the least activation are those of OpenSim's muscles.
    fn default() -> Self {
        Self {
            model: ActivationModel::Instant,
            activation_time: 0.01,
            deactivation_time: 0.04,
            least: 0.01,
        }
    }
}

impl ActivationDynamics {
    /// Activation that a constant excitation leads to in the end [-], and its derivative by the
    /// excitation.
    pub fn steady(&self, excitation: f64) -> [f64; 2] {
        let (low, high) = match self.model {
            ActivationModel::Instant => (0.0, f64::INFINITY),
            _ => (self.least, 1.0),
        };
        let inside = excitation >= low && excitation <= high;
        [excitation.max(low).min(high), f64::from(u8::from(inside))]
    }

    /// Activation [-] a step [s] after it was `from`, with the excitation held, and its derivative
    /// by the excitation. It lies between the two, whatever the step. Where they are equal the derivative is that of a rise:
    /// what rests is excited, not less than that; at full activation it is that of a fall.
    pub fn advance(&self, from: f64, excitation: f64, step: f64) -> [f64; 2] {
        let [to, by_excitation, _] = self.advance_slopes(from, excitation, step);
        [to, by_excitation]
    }

    /// The same, and the derivative by `from`.
    pub(crate) fn advance_slopes(&self, from: f64, excitation: f64, step: f64) -> [f64; 3] {
        let [target, inside] = self.steady(excitation);
        if self.model == ActivationModel::Instant {
            return [target, inside, 0.0];
        }
        let known = from;
        let from = known.max(self.least).min(1.0);
        let rises = target > from || (target == from && target < 1.0);
        let time = if rises { self.activation_time } else { self.deactivation_time };
        let ratio = step.max(0.0) / time;
        let [to, by_target, by_from] = match self.model {
            ActivationModel::Bilinear if rises => bilinear_rise(from, target, ratio),
            ActivationModel::Bilinear => bilinear_fall(from, target, ratio),
            ActivationModel::ByExcitation if rises => {
                excited_rise(from, target, [ratio, step.max(0.0) / self.deactivation_time])
            }
            _ => {
                let left = (-ratio).exp();
                [target + (from - target) * left, -(-ratio).exp_m1(), left]
            }
        };
        let to = to.max(from.min(target)).min(from.max(target));
        let follows = f64::from(u8::from(from == known));
        // Rounding may leave a derivative of a step of no length below zero.
        [to, by_target.max(0.0) * inside, by_from * follows]
    }

    /// Rate of an activation \[1/s\] under an excitation, for rules that sum rates over steps [s]; the mean
    /// rate over the step where that is long beside the time constant. Zero for an instant one.
    pub fn rate(&self, from: f64, excitation: f64, step: f64) -> f64 {
        let [target, _] = self.steady(excitation);
        if self.model == ActivationModel::Instant {
            return 0.0;
        }
        let from = from.max(self.least).min(1.0);
        let rises = target > from;
        let time = if rises { self.activation_time } else { self.deactivation_time };
        let slower = 0.5 + 1.5 * from;
        let time = match self.model {
            ActivationModel::Bilinear if rises => time * slower,
            ActivationModel::Bilinear => time / slower,
            ActivationModel::ByExcitation if rises => {
                let fall = 1.0 / self.deactivation_time;
                1.0 / (fall + target * (1.0 / time - fall))
            }
            _ => time,
        };
        match step > STIFF * time {
            true => (self.advance(from, excitation, step)[0] - from) / step,
            false => (target - from) / time,
        }
    }
}

/// a(t) of da/dt = (u - a) (1/td + u (1/ta - 1/td)), an exponential, after so many times ta and td.
fn excited_rise(from: f64, target: f64, [rise, fall]: [f64; 2]) -> [f64; 3] {
    let decay = (-(fall + target * (rise - fall))).exp();
    let gap = (target - from) * decay;
    [target - gap, 1.0 - decay + gap * (rise - fall), decay]
}

/// a(t) of da/dt = (u - a) / (tau (1/2 + 3/2 a)), which is given by
/// t / tau = (1/2 + 3/2 u) w - 3/2 (u - a0) (1 - exp(-w)) with (u - a) = (u - a0) exp(-w). The derivative by the start is the
/// rate at the end over that at the start, as of any rate that knows no time.
fn bilinear_rise(from: f64, target: f64, ratio: f64) -> [f64; 3] {
    let c = 0.5 + 1.5 * target;
    let d = 1.5 * (target - from);
    // Convex and rising in w, and the start lies right of the root: Newton's method comes down
    // monotonically.
    let mut w = (ratio + d) / c;
    for _ in 0..50 {
        let decay = (-w).exp();
        let change = (c * w - d * (1.0 - decay) - ratio) / (c - d * decay);
        w -= change;
        if change <= f64::EPSILON * w {
            break;
        }
    }
    let w = w.max(0.0);
    let decay = (-w).exp();
    let gap = (target - from) * decay;
    let by_target = (c * (1.0 - decay) - 1.5 * w * gap) / (c - 1.5 * gap);
    let to = target - gap;
    [to, by_target, decay * (0.5 + 1.5 * from) / (0.5 + 1.5 * to)]
}

/// a(t) of da/dt = (u - a) (1/2 + 3/2 a) / tau, a logistic curve.
fn bilinear_fall(from: f64, target: f64, ratio: f64) -> [f64; 3] {
    let c = 0.5 + 1.5 * target;
    let decay = (-c * ratio).exp() / (0.5 + 1.5 * from);
    let r = (from - target) * decay;
    let to = (target + 0.5 * r) / (1.0 - 1.5 * r);
    let by_r = 0.5 + 1.5 * to;
    let by_target = (1.0 + by_r * (-decay - 1.5 * ratio * r)) / (1.0 - 1.5 * r);
    [to, by_target, c * decay / (1.0 - 1.5 * r) * by_r / (0.5 + 1.5 * from)]
}
