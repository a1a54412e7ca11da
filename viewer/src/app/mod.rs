//! The user interface of a running model: panes around a picture. It reads snapshots and status of a
//! [`Session`] and sends commands; it never waits for either.

mod canvas;
mod commands;
mod curves;
mod detail;
mod dialogs;
mod dock;
mod files;
mod films;
mod interaction;
mod menus;
mod notes;
mod palette;
mod perform;
mod pictures;
mod preferences;
mod pull;
mod timeline;
mod tools;
mod tour;
mod view_panel;
mod viewports;
mod views;
mod waypoint_film;
mod workspace;

use std::path::PathBuf;

use egui::{CentralPanel, Panel, Ui};
use sinew::component::ComponentId;
use sinew::schedule::{Command, NoteKind, Session, Status};

use crate::Background;
use crate::panels::{Titles, unit_of};
use crate::window::{Content, Gpu, Next, Repaint};

use dialogs::Dialogs;
use dock::{Dock, Pane};
use files::ModelFiles;
use films::Film;
use notes::Notes;
use palette::Palette;
use pictures::Pictures;
use preferences::Kept;
use timeline::Timeline;
use tour::Tour;
use viewports::Viewport;
use views::ViewRequest;
use waypoint_film::WaypointFilm;
use workspace::{MOST_SHEETS, PaneFrame, Requests, Workspace};

pub use commands::WindowCommand;
pub use curves::{DRAWING_ENDING, ReadDrawing, WriteDrawing};
pub use dialogs::{Library, Parameter, Preview, ReadPreview};

/// Setup of the application: all that it is told of a model besides its snapshots.
pub struct Setup {
    /// Folder of pictures, curves and checkpoints.
    pub folder: PathBuf,
    /// Models that can be opened, and readers of files.
    pub library: Library,
    /// Anatomical titles of components, by their names.
    pub titles: Titles,
    /// Drawing of curves to begin with.
    pub drawing: Option<PathBuf>,
}

/// Last request to the session for things to show.
#[derive(Default)]
struct Asked {
    /// Number of the model.
    model: u64,
    /// The model that the camera was fitted to.
    fitted: Option<u64>,
    followed: Vec<String>,
    recorded: Vec<String>,
    selected: Vec<ComponentId>,
}

/// The application in its window.
pub struct App {
    session: Session,
    /// Commands of a frame to the session; sent at its end.
    outbox: Vec<Command>,
    status: Status,
    pub(crate) workspace: Workspace,
    dock: Dock,
    timeline: Timeline,
    dialogs: Dialogs,
    files: ModelFiles,
    notes: Notes,
    palette: Palette,
    pictures: Pictures,
    /// Film that is recorded.
    film: Option<Film>,
    /// Film of waypoints.
    waypoint_film: Option<WaypointFilm>,
    tour: Tour,
    preferences: Kept,
    asked: Asked,
    closing: bool,
}

impl App {
    /// The user interface of `session`.
    pub fn new(session: Session, setup: Setup) -> Self {
        let Setup { folder, library, titles, drawing } = setup;
        let preferences = Kept::read(library.preferences.clone());
        let mut app = Self {
            session,
            outbox: Vec::new(),
            status: Status::default(),
            workspace: Workspace::new(titles),
            dock: Dock::default(),
            timeline: Timeline::default(),
            dialogs: Dialogs::new(library),
            files: ModelFiles::new(folder),
            notes: Notes::default(),
            palette: Palette::default(),
            pictures: Pictures::default(),
            film: None,
            waypoint_film: None,
            tour: Tour::default(),
            preferences,
            asked: Asked::default(),
            closing: false,
        };
        app.workspace.curves.set_files(app.dialogs.drawings());
        if let Some(path) = drawing {
            app.open_drawing(&path);
        }
        app
    }

    /// Number of the model that is shown.
    fn front_model(&mut self) -> u64 {
        self.session.reader().front().model
    }

    /// Takes in what is new.
    fn receive(&mut self) {
        self.session.reader().update();
        self.status = self.session.status();
        if self.status.model != self.asked.model {
            self.adopt_model();
        }
        for note in self.session.take_notes() {
            let text = match note.kind {
                NoteKind::Halted => format!("t = {:.4} s: {}", note.time, note.text),
                NoteKind::Done | NoteKind::Refused | NoteKind::Failed => note.text,
            };
            self.notes.add(note.kind, text);
        }
        for (kind, text) in self.pictures.take_finished() {
            self.notes.add(kind, text);
        }
        self.receive_views();
        for samples in self.session.take_samples() {
            self.workspace.plots.record(&samples);
        }
        self.fit_new_model();
    }

    /// Another model runs: nothing is kept of the one before but its view, where it was loaded again.
    fn adopt_model(&mut self) {
        if self.asked.model > 0 {
            self.workspace.forget_model();
        }
        let model = self.status.model;
        let fitted = if self.status.reloaded { Some(model) } else { self.asked.fitted };
        self.asked = Asked { model, fitted, ..Asked::default() };
        if let Some(path) = self.files.adopted(self.status.loaded) {
            self.dialogs.opened(&path);
        }
        if self.workspace.quantity != Default::default() {
            self.send(Command::ColorBy(self.workspace.quantity));
        }
    }

    /// Fits the camera to a model that is shown for the first time.
    fn fit_new_model(&mut self) {
        let snapshot = self.session.reader().front();
        let viewports = &mut self.workspace.viewports;
        let is_new = snapshot.serial > 0 && self.asked.fitted != Some(snapshot.model);
        if is_new && viewports.active().canvas.is_placed() {
            self.asked.fitted = Some(snapshot.model);
            viewports.fit(snapshot);
        }
    }

    /// Asks for the numbers that are shown somewhere, and for the properties of what is selected.
    fn follow(&mut self) {
        if !self.status.loaded {
            return;
        }
        let [followed, recorded] = self.workspace.followed(&self.status.panels);
        if followed != self.asked.followed {
            self.send(Command::Follow(followed.clone()));
            self.asked.followed = followed;
        }
        if recorded != self.asked.recorded {
            self.send(Command::Record(recorded.clone()));
            self.asked.recorded = recorded;
        }
        let selected = self.workspace.selection.ids();
        if selected != self.asked.selected {
            let selected = selected.to_vec();
            self.asked.selected.clone_from(&selected);
            self.workspace.picture_mut().view.options.selection.clone_from(&selected);
            // Sheets of very many would hold up the run.
            let few = self.asked.selected.len() <= MOST_SHEETS;
            self.send(Command::Select(if few { selected } else { Vec::new() }));
        }
    }

    fn act(&mut self, requests: Requests) {
        let Requests { actions, view, color_by, show_view } = requests;
        self.outbox.extend(actions.commands);
        actions.refusals.into_iter().for_each(|text| self.say(NoteKind::Refused, text));
        let front = self.session.reader().front();
        if !actions.follow.is_empty() {
            let outline = &front.scene.outline;
            let units = actions.follow.iter().map(|path| (path.as_str(), unit_of(outline, path)));
            self.workspace.plots.follow(units);
            self.dock.set_open(Pane::Plots, true);
        }
        if let Some(form) = actions.form {
            self.dialogs.edit(form);
        }
        if let Some(id) = actions.look_at {
            let Viewport { canvas, view } = self.workspace.picture_mut();
            canvas.look_at(view, front, id);
        }
        for (name, text) in actions.files {
            self.pictures.write(self.files.folder().join(name), text.into_bytes());
        }
        match view {
            Some(ViewRequest::Keep(name)) => self.save_view(name),
            Some(ViewRequest::Open(name)) => self.open_view(name),
            None => {}
        }
        if let Some(quantity) = color_by {
            self.color_by(quantity);
        }
        if show_view {
            self.dock.set_open(Pane::View, true);
        }
    }

    fn panes(&mut self, ui: &mut Ui, gpu: Option<&Gpu>, requests: &mut Requests) {
        Panel::top("menu").show(ui, |ui| self.menu_bar(ui));
        let Self { session, status, timeline, dock, workspace, .. } = self;
        let front = session.reader().front();
        Panel::bottom("timeline")
            .exact_size(timeline::height(status.probes.len()))
            .resizable(false)
            .show(ui, |ui| timeline.ui(ui, status, front.time, &mut requests.actions));
        let frame = PaneFrame { gpu, front, status, requests };
        let margin = egui::Frame::NONE.fill(ui.visuals().panel_fill);
        CentralPanel::default().frame(margin).show(ui, |ui| dock.ui(ui, workspace, frame));
    }

    /// Follows the theme.
    fn paint_background(&mut self, ui: &Ui) {
        let options = &mut self.workspace.picture_mut().view.options;
        if matches!(options.background, Background::Light | Background::Dark) {
            let dark = ui.visuals().dark_mode;
            options.background = if dark { Background::Dark } else { Background::Light };
        }
        options.pixel_scale = ui.pixels_per_point();
    }

    /// Everything that a frame does; `gpu` draws the picture.
    fn build(&mut self, ui: &mut Ui, gpu: Option<&Gpu>) {
        self.receive();
        self.follow_preferences(ui.ctx());
        self.take_dropped(ui);
        self.paint_background(ui);
        self.shortcuts(ui);
        let mut requests = Requests::default();
        self.panes(ui, gpu, &mut requests);
        self.notes.ui(ui);
        self.tour.ui(ui);
        if let Some(command) = self.palette.ui(ui) {
            self.perform(command, ui.ctx());
        }
        if let Some(request) = self.dialogs.ui(ui) {
            self.answer(request);
        }
        self.act(requests);
        self.follow();
        self.go_on_with_waypoints(ui.ctx());
        self.show_to_film();
    }

    /// Asks the session for something, at the end of the frame.
    fn send(&mut self, command: Command) {
        self.outbox.push(command);
    }

    /// Something to be read, that nobody has to answer.
    pub(crate) fn say(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.add(kind, text.into());
    }
}

impl Content for App {
    fn attach(&mut self, gpu: &Gpu, repaint: Repaint) {
        self.workspace.viewports.attach(gpu);
        self.pictures.attach(repaint.clone());
        self.dialogs.attach(repaint.clone());
        self.workspace.views.attach(repaint.clone(), self.files.folder().to_owned());
        self.session.on_news(move || repaint.ask());
    }

    fn title(&self) -> String {
        let name = if self.status.name.is_empty() { "no model" } else { &self.status.name };
        format!("Sinew: {name}")
    }

    fn frame(&mut self, ui: &mut Ui, gpu: &Gpu) -> Next {
        self.build(ui, Some(gpu));
        self.outbox.drain(..).for_each(|command| self.session.send(command));
        if self.closing {
            self.keep_last_preferences(ui.ctx());
            return Next::Close;
        }
        Next::Stay
    }
}

#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod tests;
