//! Saving a picture: its size, its background, and its path.

use std::path::Path;

use egui::{ComboBox, DragValue, Ui};

use super::path_entry::{PathEntry, Purpose};
use super::request::Request;
use crate::window::Repaint;

/// Sizes by their names [pixel].
const SIZES: [(&str, [u32; 2]); 4] = [
    ("1280 x 800", [1280, 800]),
    ("1920 x 1080 (HD)", [1920, 1080]),
    ("3840 x 2160 (4K)", [3840, 2160]),
    ("2400 x 1500 (8 inches at 300 dpi)", [2400, 1500]),
];

/// Greatest side [pixel]: the adapter may take less, and says so.
const GREATEST: u32 = 32_768;

/// The dialog for a picture.
pub(super) struct PictureForm {
    path: PathEntry,
    size: [u32; 2],
    window: [u32; 2],
    transparent: bool,
}

impl PictureForm {
    pub(super) fn new(path: &Path, window: [u32; 2]) -> Self {
        let path = PathEntry::new(Purpose::Save, path.display().to_string());
        Self { path, size: window, window, transparent: false }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, repaint: Option<&Repaint>) -> Option<Request> {
        ui.heading("Save a picture");
        let as_seen = [("as in the window", self.window)];
        let known = as_seen.iter().chain(&SIZES).find(|(_, size)| *size == self.size);
        let shown = known.map_or("another size", |(name, _)| name);
        ComboBox::from_label("Size").selected_text(shown).show_ui(ui, |ui| {
            for (name, size) in as_seen.iter().chain(&SIZES) {
                ui.selectable_value(&mut self.size, *size, *name);
            }
        });
        ui.horizontal(|ui| {
            for (side, name) in self.size.iter_mut().zip(["width", "height"]) {
                let field = ui.add(DragValue::new(side).range(1..=GREATEST));
                crate::panels::name(&field, name);
            }
            ui.label("pixels");
        });
        ui.checkbox(&mut self.transparent, "Nothing behind the model (transparent)");
        let path = self.path.ui(ui, repaint, "Save")?;
        let path = if path.extension().is_some() { path } else { path.with_extension("png") };
        Some(Request::SavePicture { path, size: self.size, transparent: self.transparent })
    }
}
