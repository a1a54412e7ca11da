//! A path: typed, or chosen in the dialog of the desktop where there is one.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::{Key, TextEdit, Ui};

use crate::panels::name;
use crate::window::Repaint;

/// Purpose of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A file to be read.
    Open,
    /// A file to be written.
    Save,
}

/// A field for a path, with a button for the dialog of the desktop.
pub(super) struct PathEntry {
    purpose: Purpose,
    text: String,
    /// Receiver of the desktop's answer while its dialog is open.
    answer: Option<Receiver<Option<PathBuf>>>,
    /// Message on the path: the reason why it is refused, or that it replaces a file.
    told: Option<String>,
    /// The file that the user agreed to replace.
    replaced: Option<PathBuf>,
    /// True if it is to be typed into at once: nothing is in it yet.
    fresh: bool,
}

impl PathEntry {
    pub(super) fn new(purpose: Purpose, text: String) -> Self {
        let fresh = text.is_empty();
        Self { purpose, text, answer: None, told: None, replaced: None, fresh }
    }

    /// The path as it is typed; none where nothing is.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let text = self.text.trim();
        (!text.is_empty()).then(|| expanded(text))
    }

    /// Draws the field with a button called `action`; the path when it is taken, by the button or Enter.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        repaint: Option<&Repaint>,
        action: &str,
    ) -> Option<PathBuf> {
        let mut taken = false;
        ui.horizontal(|ui| {
            let entered = self.field(ui, repaint);
            taken = ui.button(action).clicked() || entered;
        });
        if let Some(told) = &self.told {
            ui.colored_label(ui.visuals().warn_fg_color, told);
        }
        let path = self.path()?;
        (taken && self.may_take(&path)).then_some(path)
    }

    /// The field and the button of the desktop's dialog; whether Enter was pressed.
    pub(super) fn field(&mut self, ui: &mut Ui, repaint: Option<&Repaint>) -> bool {
        self.take_answer();
        let field = TextEdit::singleline(&mut self.text).hint_text("path of a file");
        let field = ui.add(field.desired_width(300.0));
        name(&field, "path of the file");
        if std::mem::take(&mut self.fresh) {
            field.request_focus();
        }
        if field.changed() {
            (self.told, self.replaced) = (None, None);
        }
        let browse = egui::Button::new("Browse...");
        let browse = ui.add_enabled(self.answer.is_none(), browse);
        if browse.on_hover_text("Choose it in the dialog of the desktop").clicked() {
            self.ask_desktop(repaint.cloned());
        }
        field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
    }

    /// True if a path can be read, or written: one that replaces a file must be asked for twice.
    fn may_take(&mut self, path: &Path) -> bool {
        let there = path.exists();
        match self.purpose {
            // A name without a folder or an ending may be that of a built-in model.
            Purpose::Open if !there && path.components().count() > 1 => {
                self.told = Some(format!("{}: there is no such file", path.display()));
                false
            }
            Purpose::Save if there && self.replaced.as_deref() != Some(path) => {
                self.told = Some(format!("{} is there: again to replace it", path.display()));
                self.replaced = Some(path.to_owned());
                false
            }
            Purpose::Open | Purpose::Save => true,
        }
    }

    /// Opens the desktop's dialog, which is waited for in a thread of its own.
    fn ask_desktop(&mut self, repaint: Option<Repaint>) {
        let dialog = rfd::AsyncFileDialog::new();
        let (sender, receiver) = channel();
        let purpose = self.purpose;
        let work = move || {
            let file = match purpose {
                Purpose::Open => pollster::block_on(dialog.pick_file()),
                Purpose::Save => pollster::block_on(dialog.save_file()),
            };
            // A dialog that was closed meanwhile reads no answer.
            let _ = sender.send(file.map(|file| file.path().to_owned()));
            if let Some(repaint) = repaint {
                repaint.ask();
            }
        };
        std::thread::spawn(work);
        self.answer = Some(receiver);
    }

    fn take_answer(&mut self) {
        let Some(answer) = &self.answer else { return };
        match answer.try_recv() {
            Ok(Some(path)) => {
                self.text = path.display().to_string();
                self.told = None;
            }
            Ok(None) | Err(TryRecvError::Disconnected) => {
                self.told = Some("no file was chosen: type its path".to_owned());
            }
            Err(TryRecvError::Empty) => return,
        }
        self.answer = None;
    }
}

/// A path that begins with `~/` is one of the home folder.
fn expanded(text: &str) -> PathBuf {
    let home = text.strip_prefix("~/").and_then(|rest| Some((std::env::home_dir()?, rest)));
    home.map_or_else(|| PathBuf::from(text), |(home, rest)| home.join(rest))
}
