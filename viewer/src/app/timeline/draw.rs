//! Drawing of the timeline.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use sinew::schedule::{ProbeCurve, ProbeTrack, WaypointMark};

use super::scale::Scale;
use crate::panels::curve_color;

/// Points of a curve on a track at most.
const MOST_POINTS: usize = 1000;

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
    // The numbers below stay free of it.
    painter.vline(cursor, rect.top() + 2.0..=y + 4.0, (2.0, color));
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

/// The bar of a probe from its begin to its end, with its curves.
pub(super) fn track(ui: &Ui, scale: Scale, [row, bar]: [Rect; 2], probe: &ProbeTrack) {
    let painter = ui.painter().with_clip_rect(row.intersect(ui.clip_rect()));
    let color = match (probe.enabled, probe.feeds) {
        (false, _) => Color32::GRAY,
        (true, true) => Color32::from_rgb(70, 110, 190),
        (true, false) => Color32::from_rgb(150, 90, 170),
    };
    painter.rect_filled(row, 0.0, ui.visuals().faint_bg_color);
    painter.rect_filled(bar, 2.0, color.gamma_multiply(0.25));
    painter.rect_stroke(bar, 2.0, (1.0, color), egui::StrokeKind::Inside);
    curves(&painter, scale, row.shrink2(vec2(0.0, 3.0)), &probe.curve, probe.enabled);
}

/// Points of keyframes or a schedule and the lines between them; of one that is dragged, its new time [s].
pub(super) fn keys(
    ui: &Ui,
    scale: Scale,
    row: Rect,
    curve: &ProbeCurve,
    moved: Option<(usize, f64)>,
) {
    let painter =
        ui.painter().with_clip_rect(row.intersect(ui.clip_rect()).expand2(vec2(6.0, 0.0)));
    painter.rect_filled(row, 0.0, ui.visuals().faint_bg_color);
    curves(&painter, scale, row.shrink2(vec2(0.0, 3.0)), curve, true);
    let (y, ink) = (row.center().y, ui.visuals().strong_text_color());
    for (point, &time) in curve.times.iter().enumerate() {
        let moved = moved.filter(|(at, _)| *at == point).map(|(_, time)| time);
        let at = pos2(scale.x(moved.unwrap_or(time)), y);
        let corners = [vec2(0.0, -6.0), vec2(6.0, 0.0), vec2(0.0, 6.0), vec2(-6.0, 0.0)];
        let corners = corners.map(|corner| at + corner).to_vec();
        let fill = ui.visuals().selection.bg_fill;
        painter.add(Shape::convex_polygon(corners, fill, Stroke::new(1.0, ink)));
        if let Some(time) = moved {
            let (text, font) = (format!("{time:.4} s"), FontId::proportional(10.0));
            painter.text(at + vec2(9.0, 0.0), Align2::LEFT_CENTER, text, font, ink);
        }
    }
}

/// All columns of a curve, between their common least and greatest value.
fn curves(painter: &Painter, scale: Scale, row: Rect, curve: &ProbeCurve, enabled: bool) {
    let ranges = (0..curve.width()).filter_map(|column| curve.range(column));
    let Some([low, high]) = ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]) else { return };
    // What does not change is drawn in the middle.
    let (low, size) = if high > low { (low, high - low) } else { (low - 0.5, 1.0) };
    let place = |(time, x): (f64, f64)| {
        pos2(scale.x(time), row.bottom() - ((x - low) / size) as f32 * row.height())
    };
    for column in 0..curve.width() {
        let line = curve.line(column).filter(|(_, x)| x.is_finite());
        let count = line.clone().count();
        let mut points: Vec<Pos2> =
            line.clone().step_by(count.div_ceil(MOST_POINTS).max(1)).map(place).collect();
        points.extend(line.last().map(place));
        let color = if enabled { curve_color(column) } else { Color32::GRAY };
        painter.add(Shape::line(points, Stroke::new(1.5, color)));
    }
}

/// Begin and end of a probe that is dragged.
pub(super) fn times_of(ui: &Ui, bar: Rect, [start, end]: [f64; 2]) {
    let text =
        if end.is_finite() { format!("{start:.4} to {end:.4} s") } else { format!("{start:.4} s") };
    let ink = ui.visuals().strong_text_color();
    let font = FontId::proportional(10.0);
    ui.painter().text(bar.left_center() + vec2(6.0, 0.0), Align2::LEFT_CENTER, text, font, ink);
}
