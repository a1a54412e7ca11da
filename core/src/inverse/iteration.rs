//! Iterations on the excitations of one step: about which ones it was linearized, and which of these were best.

use crate::inverse::TrackingSettings;

/// Iterations of the step under way.
#[derive(Default)]
pub(super) struct Iterations {
    /// Time at its start, and its length [s].
    step: [f64; 2],
    /// Linearizations so far.
    count: usize,
    again: bool,
    /// Excitations that the step was begun with [-].
    pub(super) before: Vec<f64>,
    /// Those of the latest linearization [-].
    pub(super) now: Vec<f64>,
    /// Those of the linearization of least cost [-], and that cost.
    best: Vec<f64>,
    least: f64,
    /// Largest square of a response in the first linearization.
    unit: f64,
}

impl Iterations {
    /// True if a step from `time` of `h` [s] goes on with what the iteration before found.
    pub(super) fn goes_on(&mut self, time: f64, h: f64) -> bool {
        let goes_on = std::mem::take(&mut self.again) && self.step == [time, h];
        if !goes_on {
            (self.step, self.count) = ([time, h], 0);
        }
        goes_on
    }

    /// True in the first linearization of a step.
    pub(super) fn is_first(&self) -> bool {
        self.count == 1
    }

    /// Takes the excitations that the step is linearized about.
    pub(super) fn begin(&mut self, excitations: Vec<f64>) {
        self.now = excitations;
        if self.count == 0 {
            self.before.clone_from(&self.now);
        }
        self.count += 1;
    }

    /// Takes the costs of the excitations of now: of the targets, of the other terms in units of the largest squared response,
    /// and that. False if an iteration before had less.
    pub(super) fn improves(&mut self, [targets, others, unit]: [f64; 3]) -> bool {
        if self.count == 1 {
            self.unit = unit;
        }
        let cost = targets + self.unit * others;
        let improves = self.count == 1 || cost <= self.least;
        if improves {
            (self.least, self.best) = (cost, self.now.clone());
        }
        improves
    }

    /// Excitations to go on with where those of now are worse than the best, or their step cannot be taken: half way back, or
    /// the best where that is near or the last iteration was made. `None` in the first.
    pub(super) fn back(&mut self, settings: &TrackingSettings) -> Option<Vec<f64>> {
        if self.count <= 1 {
            return None;
        }
        let half: Vec<f64> =
            self.best.iter().zip(&self.now).map(|(best, now)| 0.5 * (best + now)).collect();
        self.again =
            self.count < settings.iterations && farthest(&half, &self.best) > settings.tolerance;
        Some(if self.again { half } else { self.best.clone() })
    }

    /// Takes what was found, and whether it is so far away that the step is linearized about it.
    pub(super) fn end(&mut self, found: &[f64], settings: &TrackingSettings) {
        let is_far = farthest(found, &self.now) > settings.tolerance;
        self.again = self.count < settings.iterations && is_far;
    }

    /// True if another iteration is asked for.
    pub(super) fn again(&self) -> bool {
        self.again
    }
}

/// Largest difference.
fn farthest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
