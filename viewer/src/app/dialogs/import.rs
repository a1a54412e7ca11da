//! Importing a mesh: its unit, material and support, with a preview of the model that they make.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::{ComboBox, Grid, TextEdit, TextureHandle, Ui};

use super::library::{Library, Parameter, Preview, ReadPreview};
use super::path_entry::{PathEntry, Purpose};
use super::request::Request;
use crate::panels::name;
use crate::window::Repaint;
use crate::{Image, View, bounds_of, picture};

/// Size of the preview [pixel].
const SIZE: [u32; 2] = [320, 240];

/// Result of a thread on a file: facts, and its picture where an adapter draws one.
type Made = Result<(Vec<String>, Option<Image>), String>;

/// Facts of the file with the parameters that were last asked for.
#[derive(Default)]
enum Seen {
    #[default]
    Nothing,
    Asked(Receiver<Made>),
    Facts(Vec<String>, Option<TextureHandle>),
    Refused(String),
}

/// The dialog for a mesh.
pub(super) struct Import {
    path: PathEntry,
    /// Text or choice for each parameter; empty for its default.
    values: Vec<String>,
    seen: Seen,
    /// The path and the parameters of the preview.
    shown: Option<(PathBuf, Vec<String>)>,
}

impl Import {
    pub(super) fn new(path: Option<PathBuf>, parameters: &[Parameter]) -> Self {
        let text = path.map_or_else(String::new, |path| path.display().to_string());
        Self {
            path: PathEntry::new(Purpose::Open, text),
            values: vec![String::new(); parameters.len()],
            seen: Seen::Nothing,
            shown: None,
        }
    }

    /// The parameters that were given a value, `KEY=VALUE`.
    fn params(&self, parameters: &[Parameter]) -> Vec<String> {
        let given = parameters.iter().zip(&self.values);
        let given = given.filter(|(_, value)| !value.trim().is_empty());
        given.map(|(it, value)| format!("{}={}", it.key, value.trim())).collect()
    }

    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        library: &Library,
        repaint: Option<&Repaint>,
    ) -> Option<Request> {
        ui.heading("Import a mesh");
        ui.horizontal(|ui| self.path.field(ui, repaint));
        let mut asked = None;
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| self.form(ui, &library.parameters));
            ui.vertical(|ui| self.preview(ui));
        });
        let path = self.path.path();
        let params = self.params(&library.parameters);
        // Half a word is no value: what is typed counts when its field is left.
        if let Some(path) = path.clone().filter(|_| !ui.ctx().text_edit_focused()) {
            self.update_preview(library.preview.as_ref(), path, params.clone(), repaint);
        }
        let import = ui.add_enabled(path.is_some(), egui::Button::new("Import"));
        if let (true, Some(path)) = (import.clicked(), path) {
            asked = Some(Request::Open { path, params });
        }
        asked
    }

    fn form(&mut self, ui: &mut Ui, parameters: &[Parameter]) {
        Grid::new("parameters of the mesh").num_columns(3).show(ui, |ui| {
            for (parameter, value) in parameters.iter().zip(&mut self.values) {
                ui.label(&parameter.key).on_hover_text(&parameter.doc);
                if parameter.choices.is_empty() {
                    let field = TextEdit::singleline(value).hint_text(&parameter.default);
                    let field = ui.add(field.desired_width(140.0)).on_hover_text(&parameter.doc);
                    name(&field, &parameter.key);
                } else {
                    choose(ui, parameter, value);
                }
                let unit = if parameter.unit == "-" { "" } else { &parameter.unit };
                ui.weak(unit);
                ui.end_row();
            }
        });
    }

    fn preview(&mut self, ui: &mut Ui) {
        self.take_preview(ui);
        ui.set_width(SIZE[0] as f32);
        match &self.seen {
            Seen::Nothing => drop(ui.weak("choose a file")),
            Seen::Asked(_) => drop(ui.spinner()),
            Seen::Refused(why) => {
                drop(ui.colored_label(ui.visuals().error_fg_color, why));
            }
            Seen::Facts(facts, texture) => {
                if let Some(texture) = texture {
                    ui.image(texture);
                }
                facts.iter().for_each(|fact| drop(ui.label(fact)));
            }
        }
    }

    /// Reads and draws the file in a thread of its own, where path or parameters are others than before.
    fn update_preview(
        &mut self,
        read: Option<&ReadPreview>,
        path: PathBuf,
        params: Vec<String>,
        repaint: Option<&Repaint>,
    ) {
        let wanted = (path, params);
        let Some(read) = read.filter(|_| self.shown.as_ref() != Some(&wanted)) else { return };
        let (read, repaint) = (read.clone(), repaint.cloned());
        let (sender, receiver) = channel();
        let (path, params) = wanted.clone();
        std::thread::spawn(move || {
            let made = read(&path, &params).map(|Preview { snapshot, facts }| {
                let mut view = View::default();
                view.options.axes = false;
                view.camera.fit(bounds_of(&snapshot), SIZE);
                // Without an adapter the facts are shown alone.
                (facts, picture(&snapshot, &view, SIZE).ok())
            });
            // A dialog that was closed meanwhile reads nothing.
            let _ = sender.send(made);
            if let Some(repaint) = repaint {
                repaint.ask();
            }
        });
        (self.seen, self.shown) = (Seen::Asked(receiver), Some(wanted));
    }

    fn take_preview(&mut self, ui: &Ui) {
        let Seen::Asked(made) = &self.seen else { return };
        self.seen = match made.try_recv() {
            Ok(Ok((facts, image))) => Seen::Facts(facts, image.map(|image| texture(ui, &image))),
            Ok(Err(why)) => Seen::Refused(why),
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Seen::Refused("it cannot be read".to_owned()),
        };
    }
}

fn choose(ui: &mut Ui, parameter: &Parameter, value: &mut String) {
    let shown = if value.is_empty() { &parameter.default } else { &*value };
    let list = ComboBox::from_id_salt(&parameter.key).selected_text(shown);
    let list = list.show_ui(ui, |ui| {
        for choice in &parameter.choices {
            ui.selectable_value(value, choice.clone(), choice);
        }
    });
    name(&list.response, &parameter.key);
}

fn texture(ui: &Ui, image: &Image) -> TextureHandle {
    let size = image.size.map(|side| side as usize);
    let bytes: Vec<u8> = image.pixels.iter().flatten().copied().collect();
    let pixels = egui::ColorImage::from_rgba_unmultiplied(size, &bytes);
    ui.ctx().load_texture("preview", pixels, egui::TextureOptions::LINEAR)
}
