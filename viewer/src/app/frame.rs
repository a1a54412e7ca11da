//! A frame of the window: what is new comes in, panes are drawn, and what was asked for is done.

use egui::{CentralPanel, Panel, Ui};
use sinew::schedule::{Command, NoteKind};

use super::App;
use super::application::Asked;
use super::pane::Pane;
use super::timeline;
use super::workspace::{MOST_SHEETS, PaneFrame, Requests};
use crate::Background;
use crate::window::{Content, Gpu, Next, Repaint};

impl App {
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
        if !self.status.reloaded {
            // A kept arrangement is that of another model.
            self.dock.set_open(Pane::Inverse, self.status.tracking.is_some());
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

    fn panes(&mut self, ui: &mut Ui, gpu: Option<&Gpu>, requests: &mut Requests) {
        Panel::top("menu").show(ui, |ui| self.menu_bar(ui));
        let Self { session, status, timeline, dock, workspace, .. } = self;
        let front = session.reader().front();
        Panel::bottom("timeline")
            .exact_size(timeline::height(status, &front.sheets))
            .resizable(false)
            .show(ui, |ui| {
                timeline.ui(ui, (status, front.time), &front.sheets, &mut requests.actions);
            });
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
    pub(super) fn build(&mut self, ui: &mut Ui, gpu: Option<&Gpu>) {
        self.receive();
        self.gestures.follow(ui);
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
}

impl Content for App {
    fn attach(&mut self, gpu: &Gpu, repaint: Repaint) {
        self.workspace.viewports.attach(gpu);
        self.workspace.worlds.attach(repaint.clone());
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
