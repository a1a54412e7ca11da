//! Tracks of probes: a switch, a name, and a bar with the curve, which is dragged, stretched, copied and expanded.

use egui::{
    CursorIcon, PointerButton, Rect, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2,
};
use sinew::component::ComponentId;
use sinew::editing::EditCommand;
use sinew::model::ProbeInterpolation;
use sinew::schedule::{Command, ProbeEdit, ProbeTrack, Status};

use super::display::Display;
use super::draw;
use super::probes::{edit, placed, set};
use super::scale::{HEAD, Scale, at_a_step};
use crate::panels::{Actions, name};

/// Height of a track [point].
pub(super) const TRACK: f32 = 30.0;
/// Distance between two of them [point].
const GAP: f32 = 1.0;
/// Tracks that are seen at once; the half one shows that there are more.
const MOST: f32 = 4.5;
/// Distance from an end of a bar within which it is stretched [point].
const EDGE: f32 = 5.0;

/// The part of a bar that is grabbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Start,
    Body,
    End,
}

/// A bar that is dragged.
#[derive(Clone, Copy, Debug)]
struct BarDrag {
    probe: ComponentId,
    part: Part,
    /// Time under the pointer when it was taken [s].
    taken: f64,
    /// Begin and end then [s].
    before: [f64; 2],
    /// Begin and end that were sent last [s].
    sent: [f64; 2],
}

/// Tracks of probes, and the large display of one.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    grabbed: Option<BarDrag>,
    display: Option<Display>,
}

/// Height of the tracks of so many probes [point].
pub(super) fn height(probes: usize) -> f32 {
    (probes as f32).min(MOST) * (TRACK + GAP)
}

impl Tracks {
    /// Draws the tracks below the ruler and those of others, at a time of the run [s], and takes in what is done to them.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        (scale, now): (Scale, f64),
        status: &Status,
        further: impl FnOnce(&mut Ui, &mut Actions),
        actions: &mut Actions,
    ) {
        if status.probes.is_empty() {
            (self.grabbed, self.display) = (None, None);
        }
        let scroll = ScrollArea::vertical().auto_shrink(false);
        scroll.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = GAP;
            for (at, probe) in placed(status) {
                self.track(ui, scale, (at, probe), (status, now), actions);
            }
            further(ui, actions);
        });
        if let Some(display) = &mut self.display
            && !display.ui(ui, status, actions)
        {
            self.display = None;
        }
    }

    fn track(
        &mut self,
        ui: &mut Ui,
        scale: Scale,
        (at, probe): (ComponentId, &ProbeTrack),
        (status, now): (&Status, f64),
        actions: &mut Actions,
    ) {
        let size = vec2(ui.available_width(), TRACK);
        let (row, _) = ui.allocate_exact_size(size, Sense::hover());
        head(ui, row, (at, probe), actions);
        let mut body = row;
        (body.min.x, body.max.x) = (scale.rect.left(), scale.rect.right());
        let [start, end] = probe.span.map(|time| scale.x(time));
        let mut bar = body.shrink2(vec2(0.0, 1.0));
        (bar.min.x, bar.max.x) = (start, end.max(start + 4.0));
        let id = ui.scope_id().with(("track", &probe.name, at));
        let response = ui.interact(body, id, Sense::click_and_drag());
        let label = format!("track {}", probe.name);
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &label));
        draw::track(ui, scale, [body, bar], probe);
        let x = scale.x(now);
        ui.painter().vline(x, body.y_range(), (1.0, ui.visuals().selection.bg_fill));
        self.drag(ui, &response, bar, (scale, status), (at, probe), actions);
        if response.double_clicked() {
            self.display = Some(Display::of(at));
        }
        response.context_menu(|ui| self.menu(ui, at, probe, actions));
        response.on_hover_text(hint(probe));
    }

    /// Moves a bar, or one of its ends; the probe follows the hand.
    fn drag(
        &mut self,
        ui: &Ui,
        response: &Response,
        bar: Rect,
        (scale, status): (Scale, &Status),
        (probe, track): (ComponentId, &ProbeTrack),
        actions: &mut Actions,
    ) {
        if let Some(at) = response.hover_pos() {
            ui.ctx().set_cursor_icon(cursor_over(part_at(bar, at.x)));
        }
        let pressed = ui.input(|input| input.pointer.press_origin());
        let begun = response.drag_started_by(PointerButton::Primary);
        if let Some(at) = pressed.filter(|_| begun)
            && let Some(part) = part_at(bar, at.x)
        {
            let (taken, before) = (scale.time(at.x), track.span);
            self.grabbed = Some(BarDrag { probe, part, taken, before, sent: before });
        }
        let Some(grabbed) = self.grabbed.as_mut().filter(|grabbed| grabbed.probe == probe) else {
            return;
        };
        if let Some(at) = ui.input(|input| input.pointer.latest_pos()) {
            let span = grabbed.moved(scale.time(at.x), status);
            draw::times_of(ui, bar, span);
            if span != grabbed.sent {
                let goes_on = grabbed.sent != grabbed.before;
                let [start, end] = span;
                edit(actions, ProbeEdit::SetSpan { probe, start, end }, goes_on);
                grabbed.sent = span;
            }
        }
        if response.drag_stopped() || !response.dragged() && !begun {
            self.grabbed = None;
        }
    }

    fn menu(&mut self, ui: &mut Ui, probe: ComponentId, track: &ProbeTrack, actions: &mut Actions) {
        if ui.button("Expand").clicked() {
            self.display = Some(Display::of(probe));
            ui.close();
        }
        if ui.button(if track.enabled { "Mute" } else { "Unmute" }).clicked() {
            set(actions, track, "enabled", (!track.enabled).to_string());
            ui.close();
        }
        if ui.button("Copy").clicked() {
            edit(actions, ProbeEdit::Copy(probe), false);
            ui.close();
        }
        if ui.button("Delete").clicked() {
            let paths = vec![track.path.clone()];
            actions.commands.push(Command::Edit(vec![EditCommand::Delete { paths }]));
            ui.close();
        }
        if let Some(now) = track.interpolation {
            ui.separator();
            for &interpolation in ProbeInterpolation::ALL {
                if ui.radio(now == interpolation, interpolation.name()).clicked() {
                    set(actions, track, "interpolation", interpolation.name().to_owned());
                    ui.close();
                }
            }
        }
    }
}

impl BarDrag {
    /// Begin and end with the pointer at a time [s], at ends of steps.
    fn moved(&self, time: f64, status: &Status) -> [f64; 2] {
        let ([start, end], by) = (self.before, time - self.taken);
        let least = status.step;
        match self.part {
            Part::Body => {
                let moved = at_a_step((start + by).max(0.0), status);
                [moved, end + moved - start]
            }
            Part::Start => [at_a_step(time, status).min(end - least).max(0.0), end],
            Part::End => [start, at_a_step(time, status).max(start + least)],
        }
    }
}

fn part_at(bar: Rect, x: f32) -> Option<Part> {
    if (x - bar.right()).abs() <= EDGE {
        Some(Part::End)
    } else if (x - bar.left()).abs() <= EDGE {
        Some(Part::Start)
    } else {
        bar.x_range().contains(x).then_some(Part::Body)
    }
}

fn cursor_over(part: Option<Part>) -> CursorIcon {
    match part {
        Some(Part::Start | Part::End) => CursorIcon::ResizeHorizontal,
        Some(Part::Body) => CursorIcon::Grab,
        None => CursorIcon::Default,
    }
}

/// The switch and the name of a probe.
fn head(ui: &mut Ui, row: Rect, (probe, track): (ComponentId, &ProbeTrack), actions: &mut Actions) {
    let mut place = row.shrink2(vec2(4.0, 4.0));
    place.max.x = row.left() + HEAD;
    let content = egui::UiBuilder::new().max_rect(place).id_salt(("head", &track.name, probe));
    let mut ui = ui.new_child(content.layout(egui::Layout::left_to_right(egui::Align::Center)));
    let mut on = track.enabled;
    let switch = ui.checkbox(&mut on, "");
    name(&switch, &format!("{} is on", track.name));
    if switch.on_hover_text("Mute it, or switch it on").clicked() {
        set(actions, track, "enabled", on.to_string());
    }
    let text = egui::RichText::new(&track.name).small();
    ui.add(egui::Label::new(text).truncate()).on_hover_text(hint(track));
}

fn hint(track: &ProbeTrack) -> String {
    let what = if track.feeds { "feeds" } else { "records" };
    let mut text = format!("{} {what} {}", track.name, track.properties.join(", "));
    if !track.file.is_empty() {
        text += &format!("\n{}", track.file);
    }
    text + "\nDrag: move or stretch it. Double click: expand it. Right click: more"
}
