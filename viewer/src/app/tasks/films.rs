//! Films of the run: begun, ended, told in the bar.

use std::sync::mpsc::Receiver;

use egui::Ui;
use sinew::snapshot::Snapshot;

use crate::app::App;
use crate::app::films::{Film, RATE};

impl App {
    /// Begins a film in a folder of its own, or ends the one that is recorded.
    pub(crate) fn begin_or_end_film(&mut self) {
        if let Some(film) = &self.film {
            return film.end();
        }
        let snapshots = self.session.film(1.0 / RATE);
        self.begin_film_of(snapshots, &format!("{RATE} a second of the model"));
    }

    /// Begins a film of snapshots, which ends with them; `what` says in words how many there are.
    pub(crate) fn begin_film_of(&mut self, snapshots: Receiver<Snapshot>, what: &str) {
        let picture = self.workspace.picture();
        let seen = (picture.view.clone(), picture.canvas.size());
        let folder = self.files.folder();
        self.film = Some(Film::begin(&self.pictures, snapshots, seen, folder, what));
    }

    /// Tells the film what is looked at, and forgets one that has ended.
    pub(crate) fn show_to_film(&mut self) {
        if self.film.as_ref().is_some_and(Film::has_ended) {
            self.film = None;
        }
        if let Some(film) = &self.film {
            film.show(&self.workspace.picture().view);
        }
    }

    /// Says in the bar that a film is recorded.
    pub(crate) fn film_label(&self, ui: &mut Ui) {
        let Some(film) = &self.film else { return };
        let pictures = film.picture_count();
        ui.separator();
        ui.colored_label(ui.visuals().error_fg_color, format!("film: {pictures}"))
            .on_hover_text("Pictures of the film that is recorded; Ctrl+F12 ends it");
    }
}

#[cfg(test)]
mod tests;
