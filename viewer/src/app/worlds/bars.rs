//! The bars above a world: its run, its file or a new one, the direction that it is seen along.

use std::path::{Path, PathBuf};

use egui::{Button, ComboBox, DragValue, TextEdit, TextWrapMode, Ui};
use sinew::interactive::{WorldCommand, WorldSnapshot};

use super::WORLD_ENDING;
use super::canvas::WorldCanvas;
use super::projection::Projection;
use crate::panels::name;

/// A world that is asked for.
pub(super) enum Opening {
    /// An empty one.
    New,
    /// That of a file.
    File(PathBuf),
}

/// Entries of the bars.
#[derive(Default)]
pub(super) struct Bars {
    file: String,
}

impl Bars {
    /// The file that was opened; an empty path of a world that is in no file.
    pub(super) fn set_file(&mut self, path: &Path) {
        self.file = path.display().to_string();
    }

    /// Draws the bars; what is asked of the world, and a file that is to be opened.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        snapshot: &WorldSnapshot,
        canvas: &mut WorldCanvas,
        (commands, opened): (&mut Vec<WorldCommand>, &mut Option<Opening>),
    ) {
        let is_there = snapshot.world > 0;
        ui.horizontal_wrapped(|ui| {
            // What does not fit goes to the next line whole.
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            if !is_there {
                ui.disable();
            }
            run(ui, snapshot, commands);
        });
        ui.horizontal_wrapped(|ui| {
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            self.file(ui, is_there, (commands, opened));
            see(ui, canvas);
        });
    }

    fn file(
        &mut self,
        ui: &mut Ui,
        is_there: bool,
        (commands, opened): (&mut Vec<WorldCommand>, &mut Option<Opening>),
    ) {
        let hint = format!("NAME{WORLD_ENDING}");
        let field = TextEdit::singleline(&mut self.file).hint_text(hint).desired_width(190.0);
        name(&ui.add(field), "file of the world");
        let path = PathBuf::from(self.file.trim());
        let is_named = !self.file.trim().is_empty();
        if ui.add_enabled(is_named, Button::new("Open world")).clicked() {
            *opened = Some(Opening::File(path.clone()));
        }
        if ui.button("New world").on_hover_text("An empty one, to be built").clicked() {
            *opened = Some(Opening::New);
        }
        let is_world = self.file.trim().ends_with(WORLD_ENDING);
        let save = ui.add_enabled(is_there && is_world, Button::new("Save world"));
        let why = format!("The name of the file must end with {WORLD_ENDING}");
        if save.on_disabled_hover_text(why).on_hover_text("As it is now").clicked() {
            commands.push(WorldCommand::Save(path));
        }
    }
}

/// Buttons of the run, and its numbers.
fn run(ui: &mut Ui, snapshot: &WorldSnapshot, commands: &mut Vec<WorldCommand>) {
    let status = &snapshot.status;
    let (label, play) = match status.is_playing {
        true => ("Pause world", WorldCommand::Pause),
        false => ("Run world", WorldCommand::Play),
    };
    let [undo, redo] = status.can_undo;
    for (label, is_able, hint, command) in [
        (label, true, "Run, or halt", play),
        ("Step world", true, "Take one step", WorldCommand::Step),
        ("Reset world", true, "Back to the start; formulas and values stay", WorldCommand::Reset),
        ("Undo in world", undo, "Take the last edit or pull back", WorldCommand::Undo),
        ("Redo in world", redo, "Do it again", WorldCommand::Redo),
    ] {
        if ui.add_enabled(is_able, Button::new(label)).on_hover_text(hint).clicked() {
            commands.push(command);
        }
    }
    let (mut step, mut speed) = (status.step * 1e3, status.speed);
    let drag = DragValue::new(&mut step).speed(0.05).range(1e-3..=1e3).suffix(" ms");
    let edited = ui.add(drag.update_while_editing(false)).on_hover_text("Length of a step");
    name(&edited, "step of the world");
    if edited.changed() && step != status.step * 1e3 {
        commands.push(WorldCommand::SetStep(step * 1e-3));
    }
    let drag = DragValue::new(&mut speed).speed(0.01).range(1e-3..=1e3).prefix("speed ");
    let hint = "Simulated time over that of the wall";
    let edited = ui.add(drag.update_while_editing(false)).on_hover_text(hint);
    name(&edited, "speed of the world");
    if edited.changed() && speed != status.speed {
        commands.push(WorldCommand::SetSpeed(speed));
    }
    ui.monospace(format!("t = {:.3} s", status.time));
    if status.is_playing {
        ui.label(format!("{:.2} of real time", status.real_time_factor));
    }
}

/// The direction that the world is seen along.
fn see(ui: &mut Ui, canvas: &mut WorldCanvas) {
    let shown = ComboBox::from_id_salt("projection").selected_text(canvas.projection.name());
    let before = canvas.projection;
    let shown = shown.width(70.0).show_ui(ui, |ui| {
        for projection in Projection::ALL {
            ui.selectable_value(&mut canvas.projection, projection, projection.name());
        }
    });
    shown.response.on_hover_text("Axes to the right and upwards");
    if ui.button("Fit world").clicked() || canvas.projection != before {
        canvas.fit();
    }
}
