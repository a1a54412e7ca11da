//! Notes in a corner of the picture: they go by themselves, errors when they are clicked.

use std::time::Duration;

use egui::{Align2, Color32, Ui};
use sinew::schedule::NoteKind;

/// Time that a note stays [s].
const SHOWN: f64 = 6.0;
/// Notes that are shown at once; older ones go first.
const MOST: usize = 6;

#[derive(Debug)]
struct Shown {
    kind: NoteKind,
    text: String,
    /// Time at which it was first seen, in the time of the window [s].
    since: Option<f64>,
}

/// The notes that are shown.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Shown>);

impl Notes {
    pub(super) fn add(&mut self, kind: NoteKind, text: String) {
        match self.0.iter_mut().find(|note| note.text == text) {
            Some(same) => same.since = None,
            None => self.0.push(Shown { kind, text, since: None }),
        }
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }

    /// All go.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn ui(&mut self, ui: &Ui) {
        let now = ui.input(|input| input.time);
        self.0.retain_mut(|note| {
            let since = *note.since.get_or_insert(now);
            note.kind == NoteKind::Failed || now - since < SHOWN
        });
        if self.0.is_empty() {
            return;
        }
        ui.ctx().request_repaint_after(Duration::from_millis(500));
        // Above the timeline.
        let corner = ui.max_rect().right_bottom() - egui::vec2(12.0, 60.0);
        let area = egui::Area::new(egui::Id::unique("notes"))
            .pivot(Align2::RIGHT_BOTTOM)
            .fixed_pos(corner);
        area.show(ui.ctx(), |ui| {
            ui.set_max_width(420.0);
            self.0.retain(|note| !show(ui, note));
        });
    }
}

/// Shows a note; whether it was clicked away.
fn show(ui: &mut Ui, note: &Shown) -> bool {
    let color = match note.kind {
        NoteKind::Done => Color32::from_rgb(60, 130, 70),
        NoteKind::Halted => Color32::from_rgb(60, 100, 150),
        NoteKind::Refused => Color32::from_rgb(170, 110, 20),
        NoteKind::Failed => Color32::from_rgb(170, 50, 40),
    };
    let frame = egui::Frame::popup(ui.style()).stroke(egui::Stroke::new(1.5, color));
    let shown = frame.show(ui, |ui| {
        ui.add(egui::Label::new(&note.text).wrap().sense(egui::Sense::click())).clicked()
    });
    shown.inner
}

#[cfg(test)]
mod tests;
