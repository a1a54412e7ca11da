//! Sampling of sensors: intervals, noise, delay.

use std::collections::VecDeque;

use super::bench::{Bench, taken};
use crate::Vec3;
use crate::component::Handle;
use crate::kinds::{Reading, Sensor};
use crate::model::Model;
use crate::simulated::Simulated;
use crate::simulated::receptors::{Memory, Receptor};
use crate::simulated::sensors::{Motion, is_rate, measure, motion_now};

/// Part of an interval by which a sample may come early: times are sums of rounded steps.
const ROUNDING: f64 = 1e-6;
/// Most samples that wait for their delay: beyond, the oldest is read early.
const MOST_WAITING: usize = 100_000;

/// A sensor with what it remembers.
pub(super) struct SensorUnit {
    pub(super) handle: Handle<Sensor>,
    /// Motion at the begin of the step, for rates.
    before: Option<Motion>,
    /// Number of samples taken.
    count: u64,
    /// Time of the last sample [s].
    last: f64,
    /// Memory of a receptor at a time [s]; `None` before its first sample.
    memory: Option<(f64, Memory)>,
    /// Samples that were taken and are not all read yet.
    waiting: VecDeque<(f64, Reading)>,
}

impl SensorUnit {
    pub(super) fn new(handle: Handle<Sensor>) -> Self {
        Self { handle, before: None, count: 0, last: 0.0, memory: None, waiting: VecDeque::new() }
    }

    /// Before a step: the motion at its begin, and the first sample.
    pub(super) fn begin(&mut self, bench: &mut Bench<'_>) {
        let now = bench.now();
        let Some(sensor) = now.model.get(self.handle).filter(|sensor| !sensor.disabled) else {
            return;
        };
        if is_rate(sensor.quantity) {
            self.before = sensor.of.first().and_then(|&of| motion_now(&now, of));
        }
        if self.count == 0 {
            self.sample(bench);
        }
    }

    /// A sample where one is due, and the reading of now.
    pub(super) fn sample(&mut self, bench: &mut Bench<'_>) {
        let now = bench.now();
        let Some(sensor) = now.model.get(self.handle).filter(|sensor| !sensor.disabled) else {
            return;
        };
        let (time, interval) = (now.state.time, sensor.interval);
        let grid = |time: f64| ((time / interval) + ROUNDING).floor();
        let due = self.count == 0 || interval <= 0.0 || grid(time) > grid(self.last);
        // A receptor remembers every step, whether or not it is sampled after it.
        let reading = match Receptor::of(sensor) {
            Some(receptor) => self.sense(&now, sensor, receptor),
            None if due => measure(&now, sensor, self.before.as_ref()),
            None => None,
        };
        if due && let Some(reading) = reading {
            let noisy = with_noise(reading, sensor, self.count);
            self.waiting.push_back((time, noisy));
            (self.count, self.last) = (self.count + 1, time);
        }
        // The last sample that is old enough, or the first of all.
        let old = time - sensor.delay + ROUNDING * interval.max(1e-9);
        let delay = sensor.delay;
        while self.waiting.len() > MOST_WAITING
            || self.waiting.get(1).is_some_and(|(taken, _)| delay == 0.0 || *taken <= old)
        {
            self.waiting.pop_front();
        }
        let reading = self.waiting.front().map(|(_, reading)| *reading);
        if let Some(sensor) = bench.model.data_mut(self.handle) {
            sensor.reading = reading;
        }
    }

    /// Reading of a receptor now, which it is taken to.
    fn sense(
        &mut self,
        now: &Simulated<'_>,
        sensor: &Sensor,
        receptor: Receptor,
    ) -> Option<Reading> {
        let raw = measure(now, sensor, self.before.as_ref())?;
        let time = now.state.time;
        let memory = match self.memory {
            None => receptor.start(raw),
            Some((before, mut memory)) => {
                if time > before {
                    receptor.advance(&mut memory, raw, time - before);
                }
                memory
            }
        };
        self.memory = Some((time, memory));
        Some(receptor.reading(&memory))
    }

    pub(super) fn save(&self, numbers: &mut Vec<f64>) {
        let (time, memory) = self.memory.unwrap_or_default();
        numbers.extend([if self.memory.is_some() { 1.0 } else { 0.0 }, time]);
        for vector in [memory.input, memory.lags[0], memory.lags[1]] {
            numbers.extend([vector.x, vector.y, vector.z]);
        }
        numbers.extend([self.count as f64, self.last, self.waiting.len() as f64]);
        for (time, reading) in &self.waiting {
            let (kind, vector) = match reading {
                Reading::Scalar(value) => (0.0, Vec3::new(*value, 0.0, 0.0)),
                Reading::Vector(vector) => (1.0, *vector),
            };
            numbers.extend([*time, kind, vector.x, vector.y, vector.z]);
        }
    }

    pub(super) fn restore(&mut self, model: &mut Model, rest: &mut &[f64]) {
        let [is_there, time] = taken(rest);
        let [input, slow, fast] =
            [taken(rest), taken(rest), taken(rest)].map(|[x, y, z]| Vec3::new(x, y, z));
        self.memory = (is_there == 1.0).then_some((time, Memory { input, lags: [slow, fast] }));
        let [count, last, waiting] = taken(rest);
        (self.count, self.last, self.before) = (count as u64, last, None);
        self.waiting.clear();
        for _ in 0..waiting as usize {
            let [time, kind, x, y, z] = taken(rest);
            let reading = match kind == 0.0 {
                true => Reading::Scalar(x),
                false => Reading::Vector(Vec3::new(x, y, z)),
            };
            self.waiting.push_back((time, reading));
        }
        let reading = self.waiting.front().map(|(_, reading)| *reading);
        if let Some(sensor) = model.data_mut(self.handle) {
            sensor.reading = reading;
        }
    }
}

/// A reading with the noise of its sample.
fn with_noise(reading: Reading, sensor: &Sensor, sample: u64) -> Reading {
    if sensor.noise == 0.0 {
        return reading;
    }
    let noise = |axis: u64| sensor.noise * normal(u64::from(sensor.seed), sample * 3 + axis);
    match reading {
        Reading::Scalar(value) => Reading::Scalar(value + noise(0)),
        Reading::Vector(vector) => {
            Reading::Vector(vector + Vec3::new(noise(0), noise(1), noise(2)))
        }
    }
}

/// Number `k` of the standard normal numbers of a seed, by the transform of BoxMuller1958.
fn normal(seed: u64, k: u64) -> f64 {
    let [a, b] = [0, 1].map(|half| uniform(seed, 2 * k + half));
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// Number `k` of the numbers of a seed, evenly in (0, 1]: the mixing function of splitmix64 (Steele2014).
fn uniform(seed: u64, k: u64) -> f64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add((k + 1).wrapping_mul(GOLDEN));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    ((z >> 11) as f64 + 1.0) / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_normal_and_the_same_for_the_same_seed() {
        let count = 20_000;
        let of = |seed: u64| (0..count).map(move |k| normal(seed, k));
        let n = count as f64;
        let mean = of(3).sum::<f64>() / n;
        let variance = of(3).map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let fourth = of(3).map(|x| x.powi(4)).sum::<f64>() / n;
        // Four standard errors of 20,000 numbers.
        assert!(mean.abs() < 4.0 / n.sqrt(), "{mean}");
        assert!((variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{variance}");
        assert!((fourth - 3.0).abs() < 4.0 * (96.0 / n).sqrt(), "{fourth}");
        let correlation = of(3).zip(of(4)).map(|(a, b)| a * b).sum::<f64>() / n;
        assert!(correlation.abs() < 4.0 / n.sqrt(), "{correlation}");
        assert_eq!(normal(3, 7), normal(3, 7));
    }
}
