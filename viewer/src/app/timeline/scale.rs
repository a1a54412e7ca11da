//! Times and places on the timeline.

use egui::Rect;
use sinew::schedule::Status;

/// Width of the names of probes, left of the time [point].
pub(super) const HEAD: f32 = 150.0;

/// Times [s] at the ends of the timeline.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub(super) rect: Rect,
    pub(super) end: f64,
}

impl Scale {
    pub(super) fn x(&self, time: f64) -> f32 {
        self.rect.left() + (time / self.end).clamp(0.0, 1.0) as f32 * self.rect.width()
    }

    pub(super) fn time(&self, x: f32) -> f64 {
        f64::from((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0) * self.end
    }
}

/// The end of a step that is nearest to a time [s].
pub(super) fn at_a_step(time: f64, status: &Status) -> f64 {
    let step = status.step.max(f64::MIN_POSITIVE);
    (time / step).round() * step
}
