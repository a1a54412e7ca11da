//! Drawing of the timeline.

use egui::{Align2, Color32, FontId, Rect, Ui, pos2, vec2};
use sinew::schedule::{ProbeTrack, WaypointMark};

use super::{Scale, TRACK};

pub(super) fn ruler(ui: &Ui, scale: Scale, now: f64, marks: &[WaypointMark]) {
    let (painter, rect) = (ui.painter(), scale.rect);
    let ink = ui.visuals().weak_text_color();
    let y = rect.top() + 16.0;
    painter.hline(rect.x_range(), y, (1.0, ink));
    for k in 0..=10 {
        let time = scale.end * f64::from(k) / 10.0;
        let at = pos2(scale.x(time), y);
        painter.vline(at.x, y..=y + 4.0, (1.0, ink));
        let text = format!("{:.*}", decimals(scale.end), time);
        let font = FontId::proportional(10.0);
        painter.text(at + vec2(0.0, 5.0), Align2::CENTER_TOP, text, font, ink);
    }
    for mark in marks {
        let color = match (mark.halts, mark.saved) {
            (true, _) => Color32::from_rgb(200, 60, 50),
            (false, true) => Color32::from_rgb(50, 140, 70),
            (false, false) => Color32::GRAY,
        };
        let at = pos2(scale.x(mark.time), y - 6.0);
        if mark.saved {
            painter.circle_filled(at, 4.0, color);
        } else {
            painter.circle_stroke(at, 4.0, (1.5, color));
        }
    }
    let cursor = scale.x(now);
    let color = ui.visuals().selection.bg_fill;
    painter.vline(cursor, rect.top() + 2.0..=rect.bottom(), (2.0, color));
}

/// A mark on its way, with its time.
pub(super) fn ghost(ui: &Ui, scale: Scale, time: f64) {
    let (painter, ink) = (ui.painter(), ui.visuals().strong_text_color());
    let at = pos2(scale.x(time), scale.rect.top() + 10.0);
    painter.circle_stroke(at, 5.0, (1.5, ink));
    let text = format!("{time:.4} s");
    let font = FontId::proportional(10.0);
    painter.text(at + vec2(8.0, 0.0), Align2::LEFT_CENTER, text, font, ink);
}

/// Digits behind the point that tell tenths of `end` apart.
fn decimals(end: f64) -> usize {
    (1.0 - end.log10().floor()).clamp(0.0, 9.0) as usize
}

pub(super) fn track(ui: &Ui, scale: Scale, top: f32, probe: &ProbeTrack) {
    let [from, to] = probe.span.map(|time| scale.x(time));
    let rect =
        Rect::from_min_max(pos2(from, top + 1.0), pos2(to.max(from + 2.0), top + TRACK - 1.0));
    let color = match (probe.enabled, probe.feeds) {
        (false, _) => Color32::GRAY,
        (true, true) => Color32::from_rgb(70, 110, 190),
        (true, false) => Color32::from_rgb(150, 90, 170),
    };
    ui.painter().rect_filled(rect, 2.0, color.gamma_multiply(0.5));
    let font = FontId::proportional(9.5);
    let ink = ui.visuals().strong_text_color();
    let at = pos2(scale.rect.left() + 3.0, top + 0.5 * TRACK);
    ui.painter().text(at, Align2::LEFT_CENTER, &probe.name, font, ink);
}
