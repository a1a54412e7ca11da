//! The bar at the top: menus, and the buttons of a run.

use egui::{MenuBar, Ui};
use sinew::schedule::Command;

use super::App;
use super::commands::{Deed, Line, TABLE};

/// Menus from left to right.
const MENUS: [&str; 6] = ["File", "Edit", "Run", "View", "Show", "Panels"];

impl App {
    pub(super) fn menu_bar(&mut self, ui: &mut Ui) {
        MenuBar::new().ui(ui, |ui| {
            for menu in MENUS {
                ui.menu_button(menu, |ui| self.menu(ui, menu));
            }
            ui.separator();
            self.transport(ui);
        });
    }

    fn menu(&mut self, ui: &mut Ui, menu: &str) {
        for Line { deed, name, key, .. } in TABLE.iter().filter(|line| line.menu == menu) {
            let mut button = egui::Button::new(*name);
            if let Some(key) = key {
                button = button.shortcut_text(ui.ctx().format_shortcut(key));
            }
            if ui.add(button).clicked() {
                self.perform(*deed, ui.ctx());
                ui.close();
            }
        }
        if menu == "View" && !self.views.names().is_empty() {
            ui.separator();
            for name in self.views.names().to_vec() {
                if ui.button(&name).clicked() {
                    self.open_view(name);
                    ui.close();
                }
            }
        }
    }

    fn transport(&mut self, ui: &mut Ui) {
        let ready = self.status.loaded && self.status.busy.is_none();
        ui.add_enabled_ui(ready, |ui| {
            let play = if self.status.playing { "Pause" } else { "Play" };
            let buttons = [
                ("Reset", "Go back to the start (Home)", Deed::Reset),
                ("Back", "Go back to the last waypoint (Backspace)", Deed::Rewind),
                (play, "Run, or halt (Space)", Deed::PlayOrPause),
                ("Step", "Take one step (.)", Deed::Step),
                ("Waypoint", "Keep the state of now, to come back to (W)", Deed::Waypoint),
            ];
            for (label, what, deed) in buttons {
                if ui.button(label).on_hover_text(what).clicked() {
                    self.perform(deed, ui.ctx());
                }
            }
        });
        ui.separator();
        self.pace(ui);
        let status = &self.status;
        ui.separator();
        match &status.busy {
            Some(busy) => {
                ui.spinner();
                ui.label(busy);
            }
            None => {
                let front = self.session.reader().front();
                ui.monospace(format!("t = {:.4} s", front.time));
                ui.label(format!("{:.1} ms a step", status.step_seconds * 1e3))
                    .on_hover_text("Wall time of a step, smoothed");
                ui.label(format!("{:.2} of real time", status.real_time_factor))
                    .on_hover_text("Simulated over wall time of the last second");
            }
        }
    }

    fn pace(&mut self, ui: &mut Ui) {
        let mut step = self.status.step * 1e3;
        let drag = egui::DragValue::new(&mut step).speed(0.1).range(1e-3..=1e3).suffix(" ms");
        let edited = ui.add(drag).on_hover_text("Length of a step");
        if edited.changed() && step > 0.0 && self.status.loaded {
            self.send(Command::SetStep(step * 1e-3));
        }
        let mut paced = self.status.pace.is_some();
        let hint = "Hold the run to the time of the wall; else as fast as it goes";
        if ui.checkbox(&mut paced, "Real time").on_hover_text(hint).changed() {
            self.send(Command::SetPace(paced.then_some(1.0)));
        }
    }
}
