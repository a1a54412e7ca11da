//! Opening and saving models: from the menu, from dialogs, by dropping a file on the window.

use std::path::Path;

use egui::Ui;
use sinew::schedule::Command;

use crate::app::App;
use crate::app::curves::DRAWING_ENDING;
use crate::app::dialogs::Request;
use crate::app::worlds::WORLD_ENDING;

impl App {
    /// Does what a dialog led to.
    pub(in crate::app) fn answer(&mut self, request: Request) {
        match request {
            Request::Open { path, .. } if is_drawing(&path) => self.open_drawing(&path),
            Request::Open { path, params } => {
                self.files.open(path.clone());
                self.send(Command::Open { path, params });
            }
            Request::Edit(command) => self.send(Command::Edit(vec![command])),
            Request::Import(path) => self.dialogs.import(Some(path)),
            Request::Waypoints { interval, end } => {
                self.send(Command::AddWaypoints { interval, end });
            }
            Request::SaveModel(path) => {
                self.files.save(path.clone());
                self.send(Command::SaveModel(path));
            }
            Request::SavePicture { path, size, transparent } => {
                self.save_picture(path, size, transparent);
            }
        }
    }

    /// Saves the model where it was saved before; asks where to, the first time. A file that it was opened from
    /// is not replaced unasked: it may have been written by hand.
    pub(crate) fn save_model(&mut self) {
        match self.files.saved().map(Path::to_owned) {
            Some(path) => self.send(Command::SaveModel(path)),
            None => self.save_model_as(),
        }
    }

    /// Asks where the model goes.
    pub(crate) fn save_model_as(&mut self) {
        let name = if self.status.name.is_empty() { "model" } else { &self.status.name };
        let proposed = self.files.folder().join(format!("{name}.toml"));
        let path = self.files.saved().map(Path::to_owned).unwrap_or(proposed);
        self.dialogs.save_model(&path);
    }

    /// Opens the first file that was dropped on the window: a view, a mesh by its dialog, a model.
    pub(crate) fn take_dropped(&mut self, ui: &Ui) {
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        let Some(path) = dropped.first().map(|file| file.path().to_owned()) else { return };
        match path.to_str().filter(|path| path.ends_with(crate::VIEW_ENDING)) {
            Some(view) => self.open_view(view.to_owned()),
            None if is_drawing(&path) => self.open_drawing(&path),
            None => {
                let request = self.dialogs.request_for(path);
                self.answer(request);
            }
        }
    }
}

/// True for drawings of curves and for worlds, which have panes of their own.
fn is_drawing(path: &Path) -> bool {
    let name = path.to_string_lossy();
    [DRAWING_ENDING, WORLD_ENDING].iter().any(|ending| name.ends_with(ending))
}
