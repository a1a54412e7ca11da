//! Tracks of keyframes and schedules below those of probes: points are dragged to other times, added and removed.

use egui::{PointerButton, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};
use sinew::schedule::Status;

use super::draw;
use super::keys::KeyTrack;
use super::scale::{HEAD, Scale, at_a_step};
use super::tracks::TRACK;
use crate::panels::Actions;

/// Distance within which the pointer takes a point [point].
const REACH: f32 = 6.0;

/// The point in the hand, and the place of the last right click.
#[derive(Debug, Default)]
pub(super) struct KeyTracks {
    /// Label of its track, its number, its time [s].
    dragged: Option<(String, usize, f64)>,
    /// Time [s], and the point there.
    asked: (f64, Option<usize>),
}

impl KeyTracks {
    /// Draws tracks and takes in what is done to them.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        (scale, status): (Scale, &Status),
        tracks: &[KeyTrack],
        actions: &mut Actions,
    ) {
        for track in tracks {
            let size = vec2(ui.available_width(), TRACK);
            let (row, _) = ui.allocate_exact_size(size, Sense::hover());
            head(ui, row, &track.label);
            let mut body = row;
            (body.min.x, body.max.x) = (scale.rect.left(), scale.rect.right());
            let id = ui.scope_id().with(("keys", &track.label));
            let response = ui.interact(body, id, Sense::click_and_drag());
            let label = format!("keys {}", track.label);
            response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &label));
            self.drag(ui, &response, (scale, status), track, actions);
            let moved = self.dragged.as_ref().filter(|(label, ..)| *label == track.label);
            let moved = moved.map(|(_, point, time)| (*point, *time));
            draw::keys(ui, scale, body, &track.curve, moved);
            self.menu(&response, (scale, status), track, actions);
            response.on_hover_text("Drag a point to another time. Right click: add, remove");
        }
    }

    fn drag(
        &mut self,
        ui: &Ui,
        response: &Response,
        (scale, status): (Scale, &Status),
        track: &KeyTrack,
        actions: &mut Actions,
    ) {
        let pressed = ui.input(|input| input.pointer.press_origin());
        if let Some(at) = pressed.filter(|_| response.drag_started_by(PointerButton::Primary)) {
            let near = point_near(scale, at.x, track);
            self.dragged = near.map(|point| (track.label.clone(), point, track.times()[point]));
        }
        let Some((label, point, time)) = &mut self.dragged else { return };
        if *label != track.label || *point >= track.times().len() {
            return;
        }
        let latest = ui.input(|input| input.pointer.latest_pos());
        if let Some(at) = response.interact_pointer_pos().or(latest) {
            let wanted = at_a_step(scale.time(at.x), status);
            *time = track.between(*point, wanted, status.step);
        }
        if response.drag_stopped() {
            if *time != track.times()[*point] {
                track.retime(*point, *time, actions);
            }
            self.dragged = None;
        }
    }

    fn menu(
        &mut self,
        response: &Response,
        (scale, status): (Scale, &Status),
        track: &KeyTrack,
        actions: &mut Actions,
    ) {
        let at = response.interact_pointer_pos();
        if let Some(at) = at.filter(|_| response.secondary_clicked()) {
            let time = at_a_step(scale.time(at.x), status);
            self.asked = (time, point_near(scale, at.x, track));
        }
        response.context_menu(|ui| match self.asked {
            (_, Some(point)) if point < track.times().len() => {
                ui.label(format!("t = {:.4} s", track.times()[point]));
                if ui.button("Remove the point").clicked() {
                    track.remove(point, actions);
                    ui.close();
                }
            }
            (time, _) => {
                ui.label(format!("t = {time:.4} s"));
                if ui.button("Add a point").clicked() {
                    track.add(time, actions);
                    ui.close();
                }
            }
        });
    }
}

/// The point of a track near a place in the window.
fn point_near(scale: Scale, x: f32, track: &KeyTrack) -> Option<usize> {
    let off = |point: &usize| (scale.x(track.times()[*point]) - x).abs();
    let near = (0..track.times().len()).filter(|point| off(point) <= REACH);
    near.min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// The name of a track.
fn head(ui: &mut Ui, row: Rect, label: &str) {
    let mut place = row.shrink2(vec2(4.0, 4.0));
    place.max.x = row.left() + HEAD;
    let content = egui::UiBuilder::new().max_rect(place).id_salt(("head of keys", label));
    let mut ui = ui.new_child(content.layout(egui::Layout::left_to_right(egui::Align::Center)));
    let text = egui::RichText::new(label).small();
    ui.add(egui::Label::new(text).truncate()).on_hover_text(label);
}
