//! The timeline: where the run is, waypoints and breakpoints to go back to, probes as tracks.

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Ui, pos2, vec2};
use sinew::schedule::{Command, ProbeTrack, WaypointMark};

use super::App;

/// Height of the ruler, and of a probe's track [point].
const RULER: f32 = 34.0;
const TRACK: f32 = 12.0;
/// Tracks that are shown; of more probes the first ones.
const MOST_TRACKS: usize = 6;
/// How near to a mark one must click [point].
const REACH: f32 = 6.0;

/// Times [s] at the ends of the timeline.
#[derive(Clone, Copy)]
struct Scale {
    rect: Rect,
    end: f64,
}

impl Scale {
    fn x(&self, time: f64) -> f32 {
        self.rect.left() + (time / self.end).clamp(0.0, 1.0) as f32 * self.rect.width()
    }

    fn time(&self, x: f32) -> f64 {
        f64::from((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0) * self.end
    }
}

impl App {
    pub(super) fn timeline(&mut self, ui: &mut Ui) {
        let now = self.session.reader().front().time;
        let tracks = self.status.probes.len().min(MOST_TRACKS);
        let height = RULER + TRACK * tracks as f32;
        let size = vec2(ui.available_width(), height);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let response = response.on_hover_text(
            "Click: go back to the waypoint before. Double click: run until then. Right click: marks",
        );
        let scale = Scale { rect: rect.shrink2(vec2(8.0, 0.0)), end: self.end_of_timeline(now) };
        draw_ruler(ui, scale, now, &self.status.waypoints);
        for (k, probe) in self.status.probes.iter().take(MOST_TRACKS).enumerate() {
            let top = rect.top() + RULER + TRACK * k as f32;
            draw_track(ui, scale, top, probe);
        }
        let at = response.interact_pointer_pos();
        let Some(at) = at.or_else(|| ui.input(|input| input.pointer.latest_pos())) else { return };
        let near = self.mark_near(scale, at);
        let time = near.map_or_else(|| scale.time(at.x), |mark| mark.time);
        if response.double_clicked() && time > now {
            self.session.send(Command::RunUntil(time));
        } else if response.clicked() && time <= now {
            self.session.send(Command::Rewind(time));
        }
        let step = self.status.step.max(f64::MIN_POSITIVE);
        response.context_menu(|ui| {
            let id = ui.scope_id().with("time");
            // The place of the click stays while the menu is open.
            let kept = ui.data(|data| data.get_temp::<f64>(id));
            let rounded = (time / step).round() * step;
            let time = kept.unwrap_or(rounded);
            ui.data_mut(|data| data.insert_temp(id, time));
            self.mark_menu(ui, time, now);
        });
    }

    fn mark_menu(&mut self, ui: &mut Ui, time: f64, now: f64) {
        ui.label(format!("t = {time:.4} s"));
        let send = |ui: &mut Ui, name: &str, command: Command| {
            if ui.button(name).clicked() {
                self.session.send(command);
                ui.close();
            }
        };
        if time >= now {
            let mark = |halts| Command::AddWaypoint { time: Some(time), halts };
            send(ui, "Add waypoint", mark(false));
            send(ui, "Add breakpoint", mark(true));
            send(ui, "Run until here", Command::RunUntil(time));
        } else {
            send(ui, "Go back to here", Command::Rewind(time));
        }
        send(ui, "Remove the waypoint here", Command::RemoveWaypoint(time));
    }

    /// A round time that has everything before it.
    fn end_of_timeline(&self, now: f64) -> f64 {
        let marks = self.status.waypoints.iter().map(|mark| mark.time);
        let ends = self.status.probes.iter().map(|probe| probe.span[1]).filter(|it| it.is_finite());
        let last = marks.chain(ends).fold(now, f64::max).max(100.0 * self.status.step).max(1e-6);
        nice_above(1.1 * last)
    }

    fn mark_near(&self, scale: Scale, at: Pos2) -> Option<WaypointMark> {
        let off = |mark: &WaypointMark| (scale.x(mark.time) - at.x).abs();
        let near = self.status.waypoints.iter().filter(|mark| off(mark) < REACH);
        near.min_by(|a, b| off(a).total_cmp(&off(b))).copied()
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below `x`.
fn nice_above(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    factors.iter().map(|factor| factor * power).find(|&it| it >= x).unwrap_or(10.0 * power)
}

fn draw_ruler(ui: &Ui, scale: Scale, now: f64, marks: &[WaypointMark]) {
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

/// Digits behind the point that tell tenths of `end` apart.
fn decimals(end: f64) -> usize {
    (1.0 - end.log10().floor()).clamp(0.0, 9.0) as usize
}

fn draw_track(ui: &Ui, scale: Scale, top: f32, probe: &ProbeTrack) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_round_and_not_before_what_is_shown() {
        let cases = [(0.11, 0.2), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (7.0, 10.0), (55.0, 100.0)];
        for (x, expected) in cases {
            assert!((nice_above(x) / expected - 1.0).abs() < 1e-12, "{x}: {}", nice_above(x));
        }
    }

    #[test]
    fn times_and_places_are_inverse() {
        let rect = Rect::from_min_max(pos2(10.0, 0.0), pos2(210.0, 30.0));
        let scale = Scale { rect, end: 2.0 };
        assert_eq!(scale.x(1.0), 110.0);
        assert!((scale.time(scale.x(0.3)) - 0.3).abs() < 1e-6);
    }
}
