//! Opening and saving models: from the menu, from dialogs, by dropping a file on the window.

use std::path::{Path, PathBuf};

use egui::Ui;
use sinew::schedule::{Command, NoteKind};

use super::App;
use super::curves::DRAWING_ENDING;
use super::dialogs::Request;
use super::dock::Pane;

/// Folder and files of models.
pub(super) struct ModelFiles {
    /// Folder for files whose names have none.
    folder: PathBuf,
    /// File that was asked to be opened, until it is there.
    opening: Option<PathBuf>,
    /// File that the model was saved to last.
    saved: Option<PathBuf>,
}

impl ModelFiles {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, opening: None, saved: None }
    }

    /// Folder for pictures, curves, checkpoints and views.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Another model is there: the path it was opened by, where it is `loaded`.
    pub(super) fn adopted(&mut self, loaded: bool) -> Option<PathBuf> {
        self.saved = None;
        self.opening.take().filter(|_| loaded)
    }
}

impl App {
    /// Does what a dialog led to.
    pub(super) fn answer(&mut self, request: Request) {
        match request {
            Request::Open { path, .. } if is_drawing(&path) => self.open_drawing(&path),
            Request::Open { path, params } => {
                self.files.opening = Some(path.clone());
                self.send(Command::Open { path, params });
            }
            Request::Edit(command) => self.send(Command::Edit(vec![command])),
            Request::Import(path) => self.dialogs.import(Some(path)),
            Request::Waypoints { interval, end } => {
                self.send(Command::AddWaypoints { interval, end });
            }
            Request::SaveModel(path) => {
                self.files.saved = Some(path.clone());
                self.send(Command::SaveModel(path));
            }
            Request::SavePicture { path, size, transparent } => {
                self.save_picture(path, size, transparent);
            }
        }
    }

    /// Opens a drawing of curves in its pane.
    pub(super) fn open_drawing(&mut self, path: &Path) {
        match self.workspace.curves.open(path) {
            Ok(()) => self.dock.set_open(Pane::Curves, true),
            Err(why) => self.say(NoteKind::Failed, why),
        }
    }

    /// Saves the model where it was saved before; asks where to, the first time. A file that it was opened from
    /// is not replaced unasked: it may have been written by hand.
    pub(super) fn save_model(&mut self) {
        match self.files.saved.clone() {
            Some(path) => self.send(Command::SaveModel(path)),
            None => self.save_model_as(),
        }
    }

    /// Asks where the model goes.
    pub(super) fn save_model_as(&mut self) {
        let name = if self.status.name.is_empty() { "model" } else { &self.status.name };
        let proposed = self.files.folder.join(format!("{name}.toml"));
        let path = self.files.saved.clone().unwrap_or(proposed);
        self.dialogs.save_model(&path);
    }

    /// Opens the first file that was dropped on the window: a view, a mesh by its dialog, a model.
    pub(super) fn take_dropped(&mut self, ui: &Ui) {
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

fn is_drawing(path: &Path) -> bool {
    path.to_string_lossy().ends_with(DRAWING_ENDING)
}
