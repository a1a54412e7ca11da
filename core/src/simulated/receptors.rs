//! Receptors of the vestibular organ and of muscles: transfer functions as sums of first-order lags, which are advanced
//! exactly for an input that is linear over a step. Constants and sources: docs/howto/sensors.md.

use crate::Vec3;
use crate::kinds::{Measurand, Reading, Sensor};

/// A receptor with its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Receptor {
    /// Torsion pendulum of the endolymph, from angular velocity about its axis: T s / ((T s + 1)(t s + 1)) (Fernandez1971).
    Canal { slow: f64, fast: f64 },
    /// Specific force by each axis: K (L s + 1) / ((T s + 1)(t s + 1)) (Telban2005).
    Otolith { gain: f64, lead: f64, slow: f64, fast: f64 },
    /// Rate of Ib afferents from tension: R ln(F / F0 + 1), then (1.7 s² + 2.58 s + 0.4) / (s² + 2.2 s + 0.4) (Lin2002).
    TendonOrgan { rate: f64, force: f64 },
    /// Rate of Ia afferents: k |v|^p sign v + c d + r, v and d in fibre lengths (Prochazka1999); no dynamics.
    Spindle(Spindle),
}

/// Constants of a muscle spindle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spindle {
    /// Rate at a stretch of one fibre length a second [1/s].
    of_velocity: f64,
    /// Power of the velocity [-].
    power: f64,
    /// Rate a displacement of one fibre length [1/s].
    of_length: f64,
    /// Rate at rest [1/s].
    background: f64,
}

/// Lags of the tendon organ [s]: its poles are at 0.2 and 2 per second.
const TENDON_LAGS: [f64; 2] = [5.0, 0.5];
/// Parts of input and lags in its rate: residues of the transfer function.
const TENDON_PARTS: [f64; 3] = [1.7, -2.0 / 15.0, -17.0 / 30.0];

/// Memory of a receptor: its input at the last time, and both lags.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    pub(crate) input: Vec3,
    pub(crate) lags: [Vec3; 2],
}

impl Receptor {
    /// That of a sensor; `None` for a sensor that reads what it measures.
    pub(crate) fn of(sensor: &Sensor) -> Option<Self> {
        let published = sensor.quantity.published_constants();
        let given = sensor.constants.as_slice();
        let constants = if given.len() == published.len() { given } else { published };
        match (sensor.quantity, constants) {
            (Measurand::SemicircularCanal, &[slow, fast]) => Some(Self::Canal { slow, fast }),
            (Measurand::Otolith, &[gain, lead, slow, fast]) => {
                Some(Self::Otolith { gain, lead, slow, fast })
            }
            (Measurand::TendonOrgan, &[rate, force]) => Some(Self::TendonOrgan { rate, force }),
            (Measurand::MuscleSpindle, &[of_velocity, power, of_length, background]) => {
                Some(Self::Spindle(Spindle { of_velocity, power, of_length, background }))
            }
            _ => None,
        }
    }

    /// Memory of a receptor whose input has long been this one.
    pub(crate) fn start(&self, raw: Reading) -> Memory {
        let input = self.input(raw);
        Memory { input, lags: [input; 2] }
    }

    /// Takes the memory to the input of now, which has changed evenly over a time [s].
    pub(crate) fn advance(&self, memory: &mut Memory, raw: Reading, time: f64) {
        let (before, now) = (memory.input, self.input(raw));
        for (lag, constant) in memory.lags.iter_mut().zip(self.lags()) {
            // x' = (u - x) / c, u linear.
            let behind = (now - before) * (constant / time);
            let left = if constant > 0.0 { (-time / constant).exp() } else { 0.0 };
            *lag = now - behind + (*lag - before + behind) * left;
        }
        memory.input = now;
    }

    /// Reading of a memory.
    pub(crate) fn reading(&self, memory: &Memory) -> Reading {
        let ([slow_lag, fast_lag], input) = (memory.lags, memory.input);
        match *self {
            Self::Canal { slow: 0.0, .. } => Reading::Scalar(fast_lag.x),
            Self::Canal { slow, fast } => {
                Reading::Scalar((fast_lag - slow_lag).x * slow / (slow - fast))
            }
            Self::Otolith { gain, lead, slow, fast } if slow != fast => {
                let parts = [(slow - lead) / (slow - fast), (lead - fast) / (slow - fast)];
                Reading::Vector((slow_lag * parts[0] + fast_lag * parts[1]) * gain)
            }
            Self::Otolith { gain, .. } => Reading::Vector(fast_lag * gain),
            Self::TendonOrgan { .. } => {
                let [direct, slow, fast] = TENDON_PARTS;
                Reading::Scalar((direct * input + slow * slow_lag + fast * fast_lag).x.max(0.0))
            }
            Self::Spindle(_) => Reading::Scalar(input.x),
        }
    }

    /// Input of the lags, from what is measured.
    fn input(&self, raw: Reading) -> Vec3 {
        let along_x = |x: f64| Vec3::new(x, 0.0, 0.0);
        match (*self, raw) {
            (Self::TendonOrgan { rate, force }, Reading::Scalar(tension)) => {
                along_x(rate * (tension.max(0.0) / force + 1.0).ln())
            }
            (Self::Spindle(it), Reading::Vector(stretch)) => along_x(it.rate(stretch.x, stretch.y)),
            (_, Reading::Scalar(value)) => along_x(value),
            (_, Reading::Vector(vector)) => vector,
        }
    }

    /// Time constants of both lags [s].
    fn lags(&self) -> [f64; 2] {
        match *self {
            Self::Canal { slow, fast } | Self::Otolith { slow, fast, .. } => [slow, fast],
            Self::TendonOrgan { .. } => TENDON_LAGS,
            Self::Spindle(_) => [0.0; 2],
        }
    }
}

impl Spindle {
    /// Rate [1/s] at a displacement and its velocity, in fibre lengths.
    fn rate(&self, displacement: f64, velocity: f64) -> f64 {
        let of_velocity = self.of_velocity * velocity.abs().powf(self.power) * velocity.signum();
        (of_velocity + self.of_length * displacement + self.background).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Responses to a ramp after a step, in 100 steps and in one, against the closed form of each lag.
    #[test]
    fn lags_are_exact_for_inputs_that_are_linear_over_steps() {
        let canal = Receptor::Canal { slow: 5.73, fast: 0.003 };
        let mut memory = Memory::default();
        let (rate, step, count) = (0.7, 0.01, 300);
        for k in 1..=count {
            canal.advance(&mut memory, Reading::Scalar(rate * step * f64::from(k)), step);
        }
        let t = step * f64::from(count);
        // A ramp u = r t: the lags are r (t - c + c exp(-t / c)), so that the canal tells nearly r T (1 - exp(-t / T)).
        let lag = |c: f64| rate * (t - c + c * (-t / c).exp());
        let expected = (lag(0.003) - lag(5.73)) * 5.73 / (5.73 - 0.003);
        let told = canal.reading(&memory).value();
        assert!((told - expected).abs() < 1e-12, "{told} {expected}");
        let mut at_once = Memory::default();
        canal.advance(&mut at_once, Reading::Scalar(rate * t), t);
        assert!((canal.reading(&at_once).value() - told).abs() < 1e-12);
    }

    /// Gains of the published transfer functions at rest and far above their corners.
    #[test]
    fn receptors_have_the_gains_of_their_transfer_functions() {
        let otolith = Receptor::Otolith { gain: 0.4, lead: 10.0, slow: 5.0, fast: 0.016 };
        let f = Vec3::new(1.0, -2.0, 9.81);
        let at_rest = otolith.reading(&otolith.start(Reading::Vector(f))).vector().unwrap();
        assert!((at_rest - f * 0.4).norm() < 1e-14);
        let organ = Receptor::TendonOrgan { rate: 60.0, force: 4.0 };
        let still = organ.reading(&organ.start(Reading::Scalar(96.0))).value();
        assert!((still - 60.0 * 25.0_f64.ln()).abs() < 1e-12, "{still}");
        // At once it tells 1.7 times as much.
        let mut memory = organ.start(Reading::Scalar(0.0));
        organ.advance(&mut memory, Reading::Scalar(96.0), 1e-9);
        assert!((organ.reading(&memory).value() / still - 1.7).abs() < 1e-6);
        let spindle = Spindle { of_velocity: 65.0, power: 0.5, of_length: 200.0, background: 10.0 };
        assert!((spindle.rate(0.1, 0.25) - (32.5 + 20.0 + 10.0)).abs() < 1e-12);
        assert_eq!(spindle.rate(0.0, -1.0), 0.0);
    }
}
