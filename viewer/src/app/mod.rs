//! The user interface of a running model: panels around a picture. It reads snapshots and status of a
//! [`Session`] and sends commands; it never waits for either.

mod canvas;
mod commands;
mod interaction;
mod menus;
mod notes;
mod palette;
mod perform;
mod pictures;
mod timeline;
mod view_panel;
mod views;

use std::path::PathBuf;
use std::sync::mpsc::Receiver;

use egui::{CentralPanel, Panel};
use sinew::schedule::{Command, NoteKind, Session, Status};
use sinew::snapshot::{Quantity, Snapshot};

use crate::panels::{
    Actions, ControlPanel, Controls, Navigation, Plots, Properties, Selection, unit_of,
};
use crate::window::{Content, Gpu, Next, Repaint};
use crate::{Background, View};

use canvas::Canvas;
use notes::Notes;
use palette::Palette;
use pictures::Pictures;
use timeline::Timeline;
use views::Views;

pub use commands::Deed;

/// What the application is told of a model besides what is in its snapshots.
#[derive(Debug)]
pub struct Setup {
    /// Where the control panels of a model arrive when it is loaded.
    pub panels: Receiver<Vec<ControlPanel>>,
    /// Where pictures, curves and checkpoints are written.
    pub folder: PathBuf,
}

/// Which panels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) navigation: bool,
    pub(crate) properties: bool,
    pub(crate) plots: bool,
    pub(crate) controls: bool,
    pub(crate) view: bool,
}

/// The application in its window.
pub struct App {
    session: Session,
    /// What a frame asks of the session; sent at its end.
    outbox: Vec<Command>,
    setup: Setup,
    panels: Vec<ControlPanel>,
    status: Status,
    pub(crate) view: View,
    views: Views,
    layout: Layout,
    selection: Selection,
    shown_selection: Vec<sinew::component::ComponentId>,
    navigation: Navigation,
    properties: Properties,
    controls: Controls,
    plots: Plots,
    timeline: Timeline,
    canvas: Canvas,
    notes: Notes,
    palette: Palette,
    pictures: Pictures,
    quantity: Quantity,
    followed: Vec<String>,
    /// Whether the camera was fitted to the model.
    fitted: bool,
    last_recorded: u64,
    closing: bool,
}

impl App {
    /// The user interface of `session`.
    pub fn new(session: Session, setup: Setup) -> Self {
        let layout = Layout {
            navigation: true,
            properties: true,
            plots: false,
            controls: true,
            view: false,
        };
        Self {
            session,
            outbox: Vec::new(),
            setup,
            panels: Vec::new(),
            status: Status::default(),
            view: View::default(),
            views: Views::default(),
            layout,
            selection: Selection::default(),
            shown_selection: Vec::new(),
            navigation: Navigation::default(),
            properties: Properties::default(),
            controls: Controls::default(),
            plots: Plots::default(),
            timeline: Timeline::default(),
            canvas: Canvas::default(),
            notes: Notes::default(),
            palette: Palette::default(),
            pictures: Pictures::default(),
            quantity: Quantity::None,
            followed: Vec::new(),
            fitted: false,
            last_recorded: 0,
            closing: false,
        }
    }

    /// Takes in what is new.
    fn receive(&mut self) {
        self.session.reader().update();
        self.status = self.session.status();
        if let Ok(panels) = self.setup.panels.try_recv() {
            self.panels = panels;
        }
        for note in self.session.take_notes() {
            self.notes.add(note.kind, format!("t = {:.4} s: {}", note.time, note.text));
        }
        for (kind, text) in self.pictures.take_finished() {
            self.notes.add(kind, text);
        }
        self.receive_views();
        let snapshot = self.session.reader().front();
        if snapshot.serial != self.last_recorded {
            self.last_recorded = snapshot.serial;
            self.plots.record(snapshot.time, &snapshot.readings);
        }
        if !self.fitted && snapshot.serial > 0 && self.canvas.is_placed() {
            self.fitted = true;
            self.canvas.fit(&mut self.view, snapshot);
        }
    }

    /// Asks for the numbers that are shown somewhere, and for the properties of what is selected.
    fn follow(&mut self) {
        let mut wanted = Controls::paths(&self.panels);
        for path in self.plots.paths() {
            if !wanted.contains(&path) {
                wanted.push(path);
            }
        }
        if wanted != self.followed && self.status.loaded {
            self.send(Command::Follow(wanted.clone()));
            self.followed = wanted;
        }
        let selected = self.selection.ids();
        if selected != self.shown_selection {
            self.shown_selection = selected.to_vec();
            self.view.options.selection = selected.to_vec();
            let selected = selected.to_vec();
            self.send(Command::Select(selected));
        }
    }

    fn act(&mut self, actions: Actions) {
        self.outbox.extend(actions.commands);
        if !actions.follow.is_empty() {
            let outline = &self.session.reader().front().scene.outline;
            let units = actions.follow.iter().map(|path| (path.as_str(), unit_of(outline, path)));
            self.plots.follow(units);
            self.layout.plots = true;
        }
        if let Some(id) = actions.look_at {
            let snapshot = self.session.reader().front();
            self.canvas.look_at(&mut self.view, snapshot, id);
        }
        for (name, text) in actions.files {
            self.pictures.write(self.setup.folder.join(name), text.into_bytes());
        }
    }

    /// Another model is to be opened: nothing of the old one is kept.
    fn open(&mut self, path: PathBuf) {
        self.send(Command::Open(path));
        self.navigation = Navigation::default();
        self.selection = Selection::default();
        self.shown_selection.clear();
        self.followed.clear();
        self.panels.clear();
        self.controls = Controls::default();
        self.plots = Plots::default();
        self.fitted = false;
    }

    fn take_dropped(&mut self, ui: &egui::Ui) {
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        let Some(path) = dropped.first().map(|file| file.path().to_owned()) else { return };
        match path.to_str().filter(|path| path.ends_with(crate::VIEW_ENDING)) {
            Some(view) => self.open_view(view.to_owned()),
            None => self.open(path),
        }
    }

    fn panels(&mut self, ui: &mut egui::Ui, gpu: &Gpu, actions: &mut Actions) {
        Panel::top("menu").show(ui, |ui| self.menu_bar(ui));
        let now = self.session.reader().front().time;
        let timeline = Panel::bottom("timeline");
        timeline.show(ui, |ui| self.timeline.ui(ui, &self.status, now, actions));
        if self.layout.plots {
            let panel = Panel::bottom("plots").resizable(true).default_size(180.0);
            panel.show(ui, |ui| self.plots.ui(ui, actions));
        }
        if self.layout.navigation {
            let panel = Panel::left("navigation").resizable(true).default_size(240.0);
            panel.show(ui, |ui| {
                let outline = self.session.reader().front().scene.outline.clone();
                self.navigation.ui(ui, &outline, &mut self.selection, actions);
            });
        }
        if self.layout.properties || self.layout.controls || self.layout.view {
            let panel = Panel::right("properties").resizable(true).default_size(300.0);
            panel.show(ui, |ui| self.right(ui, actions));
        }
        let frame = egui::Frame::NONE;
        CentralPanel::default().frame(frame).show(ui, |ui| self.picture(ui, gpu));
    }

    fn right(&mut self, ui: &mut egui::Ui, actions: &mut Actions) {
        let Layout { properties, controls, view, .. } = self.layout;
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            if view {
                self.view_panel(ui);
                ui.separator();
            }
            let front = self.session.reader().front();
            if controls {
                self.controls.ui(ui, &self.panels, &front.readings, actions);
                ui.separator();
            }
            if properties {
                self.properties.ui(ui, &front.sheets, actions);
            }
        });
    }

    fn picture(&mut self, ui: &mut egui::Ui, gpu: &Gpu) {
        let front: &Snapshot = self.session.reader().front();
        let deeds = self.canvas.ui(ui, gpu, front, &mut self.view, &mut self.selection);
        if front.serial == 0 {
            let text = self.status.busy.as_deref().unwrap_or("drop a model file here, or open one");
            let center = ui.max_rect().center();
            let style = egui::TextStyle::Heading.resolve(ui.style());
            let color = egui::Color32::GRAY;
            ui.painter().text(center, egui::Align2::CENTER_CENTER, text, style, color);
        }
        self.outbox.extend(deeds);
        self.notes.ui(ui);
    }

    /// Follows the theme.
    fn paint_background(&mut self, ui: &egui::Ui) {
        let background = &mut self.view.options.background;
        if matches!(background, Background::Light | Background::Dark) {
            let dark = ui.visuals().dark_mode;
            *background = if dark { Background::Dark } else { Background::Light };
        }
        self.view.options.pixel_scale = ui.pixels_per_point();
    }
}

impl Content for App {
    fn attach(&mut self, gpu: &Gpu, repaint: Repaint) {
        self.canvas.attach(gpu);
        self.pictures.attach(repaint.clone());
        self.views.attach(repaint.clone(), self.setup.folder.clone());
        self.session.on_news(move || repaint.ask());
    }

    fn frame(&mut self, ui: &mut egui::Ui, gpu: &Gpu) -> Next {
        self.receive();
        self.take_dropped(ui);
        self.paint_background(ui);
        self.shortcuts(ui);
        let mut actions = Actions::default();
        self.panels(ui, gpu, &mut actions);
        if let Some(deed) = self.palette.ui(ui) {
            self.perform(deed, ui.ctx());
        }
        self.act(actions);
        self.follow();
        self.outbox.drain(..).for_each(|command| self.session.send(command));
        if self.closing { Next::Close } else { Next::Stay }
    }
}

impl App {
    /// Asks the session for something, at the end of the frame.
    fn send(&mut self, command: Command) {
        self.outbox.push(command);
    }

    /// Something to be read, that nobody has to answer.
    pub(crate) fn say(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.add(kind, text.into());
    }
}
