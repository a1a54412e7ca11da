//! The bar at the top: menus, and the buttons of a run.

use egui::containers::menu::{MenuConfig, SubMenuButton};
use egui::{MenuBar, PopupCloseBehavior, Ui};
use sinew::schedule::{Command, NoteKind};

use crate::app::App;
use crate::app::commands::{Line, RunCommand, TABLE, WindowCommand};
use crate::app::workspace::Requests;
use crate::panels::{Actions, edit_menu};
use crate::{PickClass, PickClasses};

/// Width of a window in which menus and the buttons of the run fit into one line [point].
const ONE_LINE: f32 = 1010.0;

/// Menus from left to right.
const MENUS: [&str; 7] = ["File", "Edit", "Run", "View", "Show", "Panels", "Help"];

impl App {
    pub(crate) fn menu_bar(&mut self, ui: &mut Ui) {
        // Where one line is too narrow, the buttons of the run take a second.
        let narrow = ui.available_width() < ONE_LINE;
        MenuBar::new().ui(ui, |ui| {
            for menu in MENUS {
                ui.menu_button(menu, |ui| self.menu(ui, menu));
            }
            if !narrow {
                ui.separator();
                self.transport(ui);
            }
        });
        if narrow {
            ui.horizontal_wrapped(|ui| {
                // What does not fit goes to the next line whole.
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                self.transport(ui);
            });
        }
    }

    fn menu(&mut self, ui: &mut Ui, menu: &str) {
        for Line { command, name, key, .. } in TABLE.iter().filter(|line| line.menu == menu) {
            let mut button = egui::Button::new(*name);
            if let Some(key) = key {
                button = button.shortcut_text(ui.ctx().format_shortcut(key));
            }
            if ui.add(button).clicked() {
                self.perform(*command, ui.ctx());
                ui.close();
            }
        }
        if menu == "File" {
            self.recent_menu(ui);
        }
        if menu == "Edit" {
            ui.separator();
            classes_menu(ui, &mut self.workspace.selection.classes);
            let outline = self.session.reader().front().scene.outline.clone();
            let mut actions = Actions::default();
            edit_menu(ui, &outline, self.workspace.selection.ids(), &mut actions);
            self.act(Requests { actions, ..Requests::default() });
        }
        if menu == "View" && !self.workspace.views.names().is_empty() {
            ui.separator();
            for name in self.workspace.views.names().to_vec() {
                if ui.button(&name).clicked() {
                    self.open_view(name);
                    ui.close();
                }
            }
        }
    }

    /// The files that were opened last.
    fn recent_menu(&mut self, ui: &mut Ui) {
        let recent = self.dialogs.recent().to_vec();
        ui.add_enabled_ui(!recent.is_empty(), |ui| {
            ui.menu_button("Open recent", |ui| {
                for path in recent {
                    if ui.button(path.display().to_string()).clicked() {
                        let request = self.dialogs.request_for(path);
                        self.answer(request);
                        ui.close();
                    }
                }
            });
        });
    }

    fn transport(&mut self, ui: &mut Ui) {
        let ready = self.status.loaded && self.status.busy.is_none();
        let play = if self.status.playing { "Pause" } else { "Play" };
        let buttons = [
            ("Reset", "Go back to the start (Home)", RunCommand::Reset),
            ("Back", "Go back to the last waypoint (Backspace)", RunCommand::Rewind),
            (play, "Run, or halt (Space)", RunCommand::PlayOrPause),
            ("Step", "Take one step (.)", RunCommand::Step),
            ("Waypoint", "Keep the state of now, to come back to (W)", RunCommand::Waypoint),
        ];
        for (label, what, command) in buttons {
            let button = ui.add_enabled(ready, egui::Button::new(label));
            if button.on_hover_text(what).clicked() {
                self.perform(WindowCommand::Run(command), ui.ctx());
            }
        }
        self.film_label(ui);
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
        let before = self.status.step * 1e3;
        let mut step = before;
        let drag = egui::DragValue::new(&mut step).speed(0.1).suffix(" ms");
        let edited = ui.add(drag.update_while_editing(false)).on_hover_text("Length of a step");
        if edited.changed() && step != before && self.status.loaded {
            match refusal(step) {
                None => self.send(Command::SetStep(step * 1e-3)),
                Some(why) => self.say(NoteKind::Refused, why),
            }
        }
        let mut paced = self.status.pace.is_some();
        let hint = "Hold the run to the time of the wall; else as fast as it goes";
        if ui.checkbox(&mut paced, "Real time").on_hover_text(hint).changed() {
            self.send(Command::SetPace(paced.then_some(1.0)));
        }
    }
}

/// Classes of components that a rectangle in the picture selects. The menu stays open for several.
fn classes_menu(ui: &mut Ui, classes: &mut PickClasses) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = SubMenuButton::new("Rectangles select").config(config);
    let (button, _) = button.ui(ui, |ui| {
        for class in PickClass::ALL {
            let mut is_in = classes.has(class);
            if ui.checkbox(&mut is_in, class.name()).changed() {
                classes.set(class, is_in);
            }
        }
        ui.separator();
        for (name, all) in [("Everything", PickClasses::ALL), ("Nothing", PickClasses::NONE)] {
            if ui.button(name).clicked() {
                *classes = all;
            }
        }
    });
    let told = format!("Shift and the left button select {}", classes.describe());
    button.on_hover_text(told);
}

/// Error of a step of this length [ms], if it is refused.
fn refusal(step: f64) -> Option<String> {
    let fits = step > 0.0 && step.is_finite();
    (!fits).then(|| format!("`step` must be > 0 ms, got {step} ms"))
}
