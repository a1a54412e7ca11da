//! Dialogs over the window: open, import, save, save a picture. One is open at a time; Escape closes it.

mod edit;
mod import;
mod library;
mod path_entry;
mod picture;
mod recent;
mod request;
mod waypoints;

use std::path::{Path, PathBuf};

use egui::{Modal, Ui};
use sinew::interactive::WorldFiles;

use super::curves::{ReadDrawing, WriteDrawing};
use crate::panels::EditForm;
use crate::window::Repaint;

use import::Import;
pub use library::{Library, Parameter, Preview, ReadPreview};
use path_entry::{PathEntry, Purpose};
use picture::PictureForm;
use recent::Recent;
pub(super) use request::Request;

/// The dialog that is open.
enum Open {
    Model(PathEntry),
    Import(Box<Import>),
    Save(PathEntry),
    Picture(PictureForm),
    Edit(edit::Form),
    Waypoints(waypoints::WaypointsForm),
}

/// The dialogs of a window.
#[derive(Default)]
pub(super) struct Dialogs {
    library: Library,
    open: Option<Open>,
    recent: Recent,
    repaint: Option<Repaint>,
}

impl Dialogs {
    /// Readers and writers of drawings.
    pub(super) fn drawings(&self) -> Option<(ReadDrawing, WriteDrawing)> {
        self.library.drawings
    }

    /// Readers and writers of worlds.
    pub(super) fn worlds(&self) -> Option<WorldFiles> {
        self.library.worlds
    }

    pub(super) fn new(library: Library) -> Self {
        let recent = Recent::read(library.recent.clone());
        Self { library, recent, ..Self::default() }
    }

    pub(super) fn attach(&mut self, repaint: Repaint) {
        self.repaint = Some(repaint);
    }

    /// True if one is open.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    #[cfg(test)]
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    pub(super) fn open_model(&mut self) {
        self.open = Some(Open::Model(PathEntry::new(Purpose::Open, String::new())));
    }

    pub(super) fn import(&mut self, path: Option<PathBuf>) {
        let import = Import::new(path, &self.library.parameters);
        self.open = Some(Open::Import(Box::new(import)));
    }

    /// Asks where the model goes, `name` unless the user types another.
    pub(super) fn save_model(&mut self, path: &Path) {
        let text = path.display().to_string();
        self.open = Some(Open::Save(PathEntry::new(Purpose::Save, text)));
    }

    /// Asks for size and place of a picture; those of the window, and `path`, unless the user says others.
    pub(super) fn save_picture(&mut self, path: &Path, window: [u32; 2]) {
        self.open = Some(Open::Picture(PictureForm::new(path, window)));
    }

    /// Asks for the entries of an edit.
    pub(super) fn edit(&mut self, form: EditForm) {
        self.open = Some(Open::Edit(edit::Form::new(form)));
    }

    /// Asks for the times of waypoints; the run is at `now` [s].
    pub(super) fn set_waypoints(&mut self, now: f64) {
        self.open = Some(Open::Waypoints(waypoints::WaypointsForm::new(now)));
    }

    /// Request that opens a file: a mesh with the dialog for it, which asks for its unit and
    /// material.
    pub(super) fn request_for(&self, path: PathBuf) -> Request {
        self.library.request_for(path)
    }

    /// A model was opened: it heads the list of recent ones.
    pub(super) fn opened(&mut self, path: &Path) {
        self.recent.add(path);
    }

    /// The files that were opened last, the last one first.
    pub(super) fn recent(&self) -> &[PathBuf] {
        self.recent.paths()
    }

    /// Draws the dialog that is open; what it led to. Escape and a click beside it close it.
    pub(super) fn ui(&mut self, ui: &Ui) -> Option<Request> {
        let Self { library, open, recent, repaint } = self;
        let dialog = open.as_mut()?;
        let mut asked = None;
        let mut cancelled = false;
        let shown = Modal::new(egui::Id::unique("dialog")).show(ui.ctx(), |ui| {
            ui.set_max_width(0.9 * ui.ctx().content_rect().width());
            asked = match dialog {
                Open::Model(entry) => open_form(ui, entry, library, recent.paths(), repaint)
                    .map(|path| library.request_for(path)),
                Open::Import(import) => import.ui(ui, library, repaint.as_ref()),
                Open::Save(entry) => save_form(ui, entry, repaint.as_ref()),
                Open::Picture(form) => form.ui(ui, repaint.as_ref()),
                Open::Edit(form) => form.ui(ui),
                Open::Waypoints(form) => form.ui(ui),
            };
            cancelled = ui.button("Cancel").clicked();
        });
        if cancelled || asked.is_some() || shown.should_close() {
            *open = None;
        }
        asked
    }
}

/// A path, recent files and built-in models.
fn open_form(
    ui: &mut Ui,
    entry: &mut PathEntry,
    library: &Library,
    recent: &[PathBuf],
    repaint: &Option<Repaint>,
) -> Option<PathBuf> {
    ui.heading("Open a model");
    let mut chosen = entry.ui(ui, repaint.as_ref(), "Open");
    egui::ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
        for (title, rows) in
            [("Recent", recent_rows(recent)), ("Built in", library.builtins.clone())]
        {
            if !rows.is_empty() {
                ui.separator();
                ui.strong(title);
            }
            for (name, hint) in rows {
                if ui.link(&name).on_hover_text(hint).clicked() {
                    chosen = Some(PathBuf::from(name));
                }
            }
        }
    });
    chosen
}

fn recent_rows(recent: &[PathBuf]) -> Vec<(String, String)> {
    recent.iter().map(|path| (path.display().to_string(), "opened before".to_owned())).collect()
}

fn save_form(ui: &mut Ui, entry: &mut PathEntry, repaint: Option<&Repaint>) -> Option<Request> {
    ui.heading("Save the model");
    ui.label("A model file: .toml, or .json with its meshes beside it.");
    entry.ui(ui, repaint, "Save").map(Request::SaveModel)
}

#[cfg(test)]
mod tests;
