//! The tour: five hints for the first minutes. It comes in a first session and from the menu *Help*, and waits for nobody.

use egui::{Align2, Ui};

/// A hint: its title, and what to do.
const HINTS: [(&str, &str); 5] = [
    (
        "Run it",
        "Space runs the model and pauses it; the full stop takes one step; Home goes back to the start. W keeps the state of now on \
         the timeline below, and a click there goes back to it.",
    ),
    (
        "Look around",
        "The left button turns the picture, the right one moves it, the wheel goes nearer. F shows all of it, keys 1 to 7 look \
         from the sides. C colours tissues, X cuts them; F5 has all that is shown.",
    ),
    (
        "Select and set",
        "Click a part, or its row in the tree: its properties are below the tree. A click on the name of one plots it, records \
         it, or puts it on a panel of yours.",
    ),
    (
        "Take it in hand",
        "With Ctrl the left button pulls what it meets while the model runs. F7 opens the tools: draw rods, balls and wheels, \
         hinge them with two clicks. Everything is taken back with Ctrl+Z.",
    ),
    (
        "Find the rest",
        "Ctrl+P lists all commands: type a part of a name. Right-click anything for what can be done to it. This tour is in the \
         menu Help.",
    ),
];

/// The tour, and the hint that it is at.
#[derive(Debug, Default)]
pub(super) struct Tour {
    at: Option<usize>,
    was_put_away: bool,
}

impl Tour {
    /// Begins it anew.
    pub(super) fn open(&mut self) {
        self.at = Some(0);
    }

    /// True once it was read to its end or put away.
    pub(super) fn was_put_away(&self) -> bool {
        self.was_put_away
    }

    /// Puts it away; true if it was open.
    pub(super) fn close(&mut self) -> bool {
        self.was_put_away |= self.at.is_some();
        self.at.take().is_some()
    }

    /// Shows the hint.
    pub(super) fn ui(&mut self, ui: &Ui) {
        let Some(at) = self.at else { return };
        let (title, text) = HINTS[at];
        let mut next = Some(at);
        let window = egui::Window::new("Tour").title_bar(false).resizable(false).collapsible(false);
        let window = window.anchor(Align2::CENTER_BOTTOM, [0.0, -96.0]);
        window.show(ui.ctx(), |ui| {
            // As wide as a small window allows.
            ui.set_width((ui.ctx().content_rect().width() - 48.0).clamp(120.0, 380.0));
            ui.horizontal(|ui| {
                ui.strong(title);
                ui.weak(format!("{} of {}", at + 1, HINTS.len()));
            });
            ui.label(text);
            ui.horizontal(|ui| {
                if ui.add_enabled(at > 0, egui::Button::new("Hint before")).clicked() {
                    next = at.checked_sub(1);
                }
                let last = at + 1 == HINTS.len();
                if !last && ui.button("Next hint").clicked() {
                    next = Some(at + 1);
                }
                let end = if last { "Done" } else { "No tour" };
                if ui.button(end).clicked() {
                    next = None;
                }
            });
        });
        match next {
            Some(hint) => self.at = Some(hint),
            None => drop(self.close()),
        }
    }
}

#[cfg(test)]
mod tests;
