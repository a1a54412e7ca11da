//! The timeline: where the run is, waypoints and breakpoints to go back to; probes are tracks below (`tracks`), and so are
//! keyframes and schedules of what is selected (`key_tracks`).

mod display;
mod draw;
mod key_tracks;
mod keys;
mod probes;
mod scale;
mod tracks;

use egui::{PointerButton, Pos2, Response, Role, Sense, Ui, WidgetInfo, vec2};
use sinew::schedule::{Command, Status, WaypointMark};

use sinew::snapshot::Sheet;

use crate::panels::Actions;

use key_tracks::KeyTracks;
use keys::KeyTrack;
use scale::{HEAD, Scale, at_a_step};
use tracks::Tracks;

/// Height of the ruler [point].
const RULER: f32 = 34.0;
/// Distance within which a click meets a mark [point].
const REACH: f32 = 6.0;

/// Height of the timeline with its tracks [point]; of many some are scrolled to.
pub(super) fn height(status: &Status, sheets: &[Sheet]) -> f32 {
    RULER + 8.0 + tracks::height(status.probes.len() + KeyTrack::all(sheets).len())
}

/// The timeline of a run.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    /// Time that the menu concerns [s].
    menu: f64,
    /// The mark that is dragged.
    dragged: Option<WaypointMark>,
    tracks: Tracks,
    keys: KeyTracks,
}

/// A frame around what has the keyboard.
fn frame_focus(ui: &Ui, response: &egui::Response) {
    if response.has_focus() {
        let (stroke, kind) = (ui.visuals().selection.stroke, egui::StrokeKind::Inside);
        ui.painter().rect_stroke(response.rect, 2.0, stroke, kind);
    }
}

impl Timeline {
    /// Draws it, at time `now` [s], with the properties of what is selected, and takes in clicks.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        (status, now): (&Status, f64),
        sheets: &[Sheet],
        actions: &mut Actions,
    ) {
        let keys = KeyTrack::all(sheets);
        let size = vec2(ui.available_width(), RULER);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "timeline"));
        let mut times = rect.shrink2(vec2(8.0, 0.0));
        if !status.probes.is_empty() || !keys.is_empty() {
            times.min.x += HEAD;
        }
        let scale = Scale { rect: times, end: end(status, &keys, now) };
        draw::ruler(ui, scale, now, &status.waypoints);
        frame_focus(ui, &response);
        if let Some(at) = response.interact_pointer_pos() {
            let near = mark_near(scale, at, status);
            let time = near.map_or_else(|| scale.time(at.x), |mark| mark.time);
            self.click(&response, status, [now, time], actions);
        }
        self.drag(ui, &response, (scale, status, now), actions);
        response.context_menu(|ui| menu(ui, self.menu, now, actions));
        response.on_hover_text(
            "Click: go back to the waypoint before. Double click: run until then. Right click: marks. Drag a hollow mark to \
             move it",
        );
        if status.probes.is_empty() && keys.is_empty() {
            self.tracks = Tracks::default();
            return;
        }
        let further = |ui: &mut Ui, actions: &mut Actions| {
            self.keys.ui(ui, (scale, status), &keys, actions);
        };
        self.tracks.ui(ui, (scale, now), status, further, actions);
    }

    /// A mark that is not reached yet goes to another time.
    fn drag(
        &mut self,
        ui: &Ui,
        response: &Response,
        (scale, status, now): (Scale, &Status, f64),
        actions: &mut Actions,
    ) {
        let pressed = ui.input(|input| input.pointer.press_origin());
        if let Some(at) = pressed.filter(|_| response.drag_started_by(PointerButton::Primary)) {
            self.dragged = mark_near(scale, at, status);
        }
        let latest = ui.input(|input| input.pointer.latest_pos());
        let at = response.interact_pointer_pos().or(latest);
        let (Some(mark), Some(at)) = (self.dragged, at) else { return };
        let time = at_a_step(scale.time(at.x), status);
        draw::ghost(ui, scale, time);
        if !response.drag_stopped() {
            return;
        }
        self.dragged = None;
        match (mark.saved, time > now) {
            (true, _) => {
                let why = "a waypoint that was passed has the state of its time: it is not moved";
                actions.refusals.push(why.to_owned());
            }
            (false, false) => {
                actions.refusals.push(format!("t = {time:.4} s has passed: drag the mark ahead"));
            }
            (false, true) => {
                actions.commands.push(Command::MoveWaypoint { from: mark.time, to: time });
            }
        }
    }

    fn click(
        &mut self,
        response: &Response,
        status: &Status,
        [now, time]: [f64; 2],
        actions: &mut Actions,
    ) {
        if response.double_clicked() && time > now {
            actions.commands.push(Command::RunUntil(time));
        } else if response.clicked_by(PointerButton::Primary) && time <= now {
            actions.commands.push(Command::Rewind(time));
        } else if response.secondary_clicked() {
            // A mark keeps its time; others are at ends of steps.
            let marked = status.waypoints.iter().any(|mark| mark.time == time);
            self.menu = if marked { time } else { at_a_step(time, status) };
        }
    }
}

fn menu(ui: &mut Ui, time: f64, now: f64, actions: &mut Actions) {
    ui.label(format!("t = {time:.4} s"));
    let mut offer = |name: &str, command: Command| {
        if ui.button(name).clicked() {
            actions.commands.push(command);
            ui.close();
        }
    };
    if time >= now {
        let mark = |halts| Command::AddWaypoint { time: Some(time), halts };
        offer("Add waypoint", mark(false));
        offer("Add breakpoint", mark(true));
        offer("Run until here", Command::RunUntil(time));
    } else {
        offer("Go back to here", Command::Rewind(time));
    }
    offer("Remove the waypoint here", Command::RemoveWaypoint(time));
}

/// The last waypoint before a time [s] that can be gone back to.
pub(super) fn mark_before(status: &Status, time: f64) -> Option<&WaypointMark> {
    let saved = status.waypoints.iter().filter(|mark| mark.saved);
    saved.rev().find(|mark| mark.time < time - 1e-9)
}

/// The first waypoint after a time [s].
pub(super) fn mark_after(status: &Status, time: f64) -> Option<&WaypointMark> {
    status.waypoints.iter().find(|mark| mark.time > time + 1e-9)
}

/// A round time [s] that has everything before it.
fn end(status: &Status, keys: &[KeyTrack], now: f64) -> f64 {
    let marks = status.waypoints.iter().map(|mark| mark.time);
    let ends = status.probes.iter().map(|probe| probe.span[1]).filter(|it| it.is_finite());
    // A model that is not there has steps of 0.
    let least = if status.step > 0.0 { 100.0 * status.step } else { 1.0 };
    let keys = keys.iter().filter_map(|track| track.times().last().copied());
    let last = marks.chain(ends).chain(keys).fold(now, f64::max).max(least).max(1e-6);
    nice_above(1.1 * last)
}

fn mark_near(scale: Scale, at: Pos2, status: &Status) -> Option<WaypointMark> {
    let off = |mark: &WaypointMark| (scale.x(mark.time) - at.x).abs();
    let near = status.waypoints.iter().filter(|mark| off(mark) < REACH);
    near.min_by(|a, b| off(a).total_cmp(&off(b))).copied()
}

/// The least of 1, 2, 5 times a power of ten that is not below `x`.
fn nice_above(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    factors.iter().map(|factor| factor * power).find(|&it| it >= x).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests;
