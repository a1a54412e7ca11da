//! Keys of commands.

use egui::Popup;

use crate::app::App;
use crate::app::commands::TABLE;

impl App {
    /// Keys, unless something is typed or a dialog or a menu is open, which have keys of their own.
    pub(crate) fn shortcuts(&mut self, ui: &egui::Ui) {
        if self.dialogs.is_open() || self.palette.is_open() || Popup::is_any_open(ui.ctx()) {
            return;
        }
        let typing = ui.ctx().text_edit_focused();
        // A key without Shift is also taken as pressed with it: those with Shift come first.
        for shift in [true, false] {
            for line in TABLE {
                let Some(key) = line.key.filter(|key| key.modifiers.shift == shift) else {
                    continue;
                };
                if typing && !key.modifiers.command {
                    continue;
                }
                if ui.input_mut(|input| input.consume_shortcut(&key)) {
                    self.perform(line.command, ui.ctx());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
