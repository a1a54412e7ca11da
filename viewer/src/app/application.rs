//! The application: its parts, and what all of its tasks need.

use std::path::{Path, PathBuf};

use sinew::component::ComponentId;
use sinew::schedule::{Command, NoteKind, Session, Status};
use sinew::snapshot::Quantity;

use super::dialogs::{Dialogs, Library};
use super::dock::Dock;
use super::files::ModelFiles;
use super::films::Film;
use super::gestures::Gestures;
use super::notes::Notes;
use super::palette::Palette;
use super::pane::Pane;
use super::pictures::Pictures;
use super::preferences::Kept;
use super::timeline::Timeline;
use super::tour::Tour;
use super::waypoint_film::WaypointFilm;
use super::workspace::Workspace;
use super::worlds::WORLD_ENDING;
use crate::Titles;

/// Setup of the application: all that it is told of a model besides its snapshots.
pub struct Setup {
    /// Folder of pictures, curves and checkpoints.
    pub folder: PathBuf,
    /// Models that can be opened, and readers of files.
    pub library: Library,
    /// Anatomical titles of components, by their names.
    pub titles: Titles,
    /// Drawing of curves or world to begin with.
    pub drawing: Option<PathBuf>,
}

/// Last request to the session for things to show.
#[derive(Default)]
pub(super) struct Asked {
    /// Number of the model.
    pub(super) model: u64,
    /// The model that the camera was fitted to.
    pub(super) fitted: Option<u64>,
    pub(super) followed: Vec<String>,
    pub(super) recorded: Vec<String>,
    pub(super) selected: Vec<ComponentId>,
}

/// The application in its window.
pub struct App {
    pub(super) session: Session,
    /// Commands of a frame to the session; sent at its end.
    pub(super) outbox: Vec<Command>,
    pub(super) status: Status,
    pub(super) gestures: Gestures,
    pub(crate) workspace: Workspace,
    pub(super) dock: Dock,
    pub(super) timeline: Timeline,
    pub(super) dialogs: Dialogs,
    pub(super) files: ModelFiles,
    pub(super) notes: Notes,
    pub(super) palette: Palette,
    pub(super) pictures: Pictures,
    /// Film that is recorded.
    pub(super) film: Option<Film>,
    /// Film of waypoints.
    pub(super) waypoint_film: Option<WaypointFilm>,
    pub(super) tour: Tour,
    pub(super) preferences: Kept,
    pub(super) asked: Asked,
    pub(super) closing: bool,
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
            gestures: Gestures::default(),
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
        app.workspace.worlds.set_files(app.dialogs.worlds());
        if let Some(path) = drawing {
            app.open_drawing(&path);
        }
        app
    }

    /// Number of the model that is shown.
    pub(super) fn front_model(&mut self) -> u64 {
        self.session.reader().front().model
    }

    /// Asks the session for something, at the end of the frame.
    pub(super) fn send(&mut self, command: Command) {
        self.outbox.push(command);
    }

    /// Something to be read, that nobody has to answer.
    pub(crate) fn say(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.add(kind, text.into());
    }

    /// Opens a drawing of curves or a world in its pane.
    pub(super) fn open_drawing(&mut self, path: &Path) {
        let (opened, pane) = match path.to_string_lossy().ends_with(WORLD_ENDING) {
            true => (self.workspace.worlds.open(path), Pane::World),
            false => (self.workspace.curves.open(path), Pane::Curves),
        };
        match opened {
            Ok(()) => self.dock.set_open(pane, true),
            Err(why) => self.say(NoteKind::Failed, why),
        }
    }

    /// Colours tissues.
    pub(crate) fn color_by(&mut self, quantity: Quantity) {
        self.workspace.quantity = quantity;
        self.send(Command::ColorBy(quantity));
    }
}
