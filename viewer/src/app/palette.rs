//! All commands in one list, found by typing a part of their names.

use egui::{Align2, Key, Ui};

use super::commands::{Line, TABLE, WindowCommand};

/// The list, when it is open.
#[derive(Debug, Default)]
pub(super) struct Palette {
    open: bool,
    text: String,
    chosen: usize,
}

impl Palette {
    pub(super) fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    /// True if it is open.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Shows it; what was chosen.
    pub(super) fn ui(&mut self, ui: &Ui) -> Option<WindowCommand> {
        if !self.open {
            return None;
        }
        let mut chosen = None;
        let window = egui::Window::new("Commands").title_bar(false).resizable(false);
        let window = window.anchor(Align2::CENTER_TOP, [0.0, 80.0]).fixed_size([360.0, 300.0]);
        window.show(ui.ctx(), |ui| chosen = self.list(ui));
        if chosen.is_some() || ui.input(|input| input.key_pressed(Key::Escape)) {
            self.open = false;
        }
        chosen
    }

    fn list(&mut self, ui: &mut Ui) -> Option<WindowCommand> {
        let field = egui::TextEdit::singleline(&mut self.text).hint_text("what is to be done");
        let field = ui.add(field.desired_width(f32::INFINITY));
        field.request_focus();
        if field.changed() {
            self.chosen = 0;
        }
        let found = found(&self.text);
        let (down, up, enter) = ui.input(|input| {
            let pressed = |key| input.key_pressed(key);
            (pressed(Key::ArrowDown), pressed(Key::ArrowUp), pressed(Key::Enter))
        });
        let last = found.len().saturating_sub(1);
        let before = self.chosen;
        self.chosen = (self.chosen + usize::from(down)).saturating_sub(usize::from(up)).min(last);
        let mut clicked = None;
        let area = egui::ScrollArea::vertical().max_height(260.0).auto_shrink([false, true]);
        let rows = egui::Layout::top_down_justified(egui::Align::Min);
        area.show(ui, |ui| {
            ui.with_layout(rows, |ui| {
                for (k, line) in found.iter().enumerate() {
                    let key =
                        line.key.map_or_else(String::new, |key| ui.ctx().format_shortcut(&key));
                    let row = egui::Button::selectable(k == self.chosen, line.name);
                    let row = ui.add(row.shortcut_text(key));
                    if k == self.chosen && k != before {
                        row.scroll_to_me(None);
                    }
                    if row.clicked() {
                        clicked = Some(line.command);
                    }
                }
            })
        });
        let entered = found.get(self.chosen).filter(|_| enter).map(|line| line.command);
        clicked.or(entered)
    }
}

/// The commands whose names have all words of `text`; first those whose names begin with it.
fn found(text: &str) -> Vec<&'static Line> {
    let lower = text.to_lowercase();
    let has = |line: &&Line| {
        let name = format!("{} {}", line.menu, line.name).to_lowercase();
        lower.split_whitespace().all(|word| name.contains(word))
    };
    let mut found: Vec<&Line> = TABLE.iter().filter(has).collect();
    let begins = |line: &&Line| line.name.to_lowercase().starts_with(lower.trim());
    let is = |line: &&Line| line.name.to_lowercase() == lower.trim();
    found.sort_by_key(|line| (!is(line), !begins(line)));
    found
}

#[cfg(test)]
mod tests;
