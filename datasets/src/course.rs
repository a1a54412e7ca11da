//! Courses of excitations over time that tasks share: smooth rises and falls as tables.

use sinew::model::Schedule;

use crate::interpolation::smooth_step;

/// Start of the rise, full excitation, start of the fall, end [s].
pub(crate) type Burst = [f64; 4];

/// Rest until 0.1 s, a smooth rise until 0.4 s, hold until 0.7 s, a smooth release until 1 s.
pub(crate) const SUSTAINED: Burst = [0.1, 0.4, 0.7, 1.0];

/// The course of a burst between 0 and 1.
pub(crate) fn course([start, full, fall, end]: Burst) -> Schedule {
    const STEPS: usize = 30;
    let ramp = |from: f64, to: f64, value: fn(f64) -> f64| {
        (0..=STEPS).map(move |i| {
            let t = i as f64 / STEPS as f64;
            [from + (to - from) * t, value(smooth_step(t))]
        })
    };
    Schedule::Table(
        ramp(start, full, |rise| rise).chain(ramp(fall, end, |fall| 1.0 - fall)).collect(),
    )
}
