//! The window as it was in the last session, and what of it is kept for the next one.

use std::thread::JoinHandle;
use std::time::Duration;

use crate::app::App;
use crate::app::dock::Dock;
use crate::app::preferences::Preferences;
use crate::{Background, ViewOptions};

/// Time between two looks at what has changed [s].
const LOOK: f64 = 1.0;

/// Options without what belongs to a model, a theme or a display.
fn display(options: &ViewOptions) -> ViewOptions {
    let plain = ViewOptions::default();
    ViewOptions {
        background: match options.background {
            Background::Dark => Background::Light,
            other => other,
        },
        slice: None,
        further_planes: Vec::new(),
        shrink: plain.shrink,
        exaggeration: plain.exaggeration,
        range: plain.range,
        selection: Vec::new(),
        titles: plain.titles,
        pixel_scale: plain.pixel_scale,
        ..options.clone()
    }
}

impl App {
    /// Sets the window up as it was in the last session, once; and looks from time to time what has changed since.
    pub(crate) fn follow_preferences(&mut self, context: &egui::Context) {
        if !self.preferences.has_file() {
            return;
        }
        if !self.preferences.apply() {
            return self.apply_preferences(context);
        }
        let now = context.input(|input| input.time);
        if !self.preferences.look(now, LOOK) {
            // What is changed last is looked at, too.
            return context.request_repaint_after(Duration::from_secs_f64(LOOK));
        }
        let is = self.preferences_of_now(context);
        self.preferences.keep(is);
    }

    /// Keeps the preferences of a window that closes.
    pub(crate) fn keep_last_preferences(&mut self, context: &egui::Context) {
        if self.preferences.are_applied() {
            let is = self.preferences_of_now(context);
            // A thread that panicked has printed why.
            self.preferences.keep(is).map(JoinHandle::join);
        }
    }

    fn preferences_of_now(&self, context: &egui::Context) -> Preferences {
        Preferences {
            dark: Some(context.theme() == egui::Theme::Dark),
            panes: self.dock.layout(),
            display: Some(display(&self.workspace.picture().view.options)),
            knows_tour: self.preferences.last().knows_tour || self.tour.was_put_away(),
        }
    }

    fn apply_preferences(&mut self, context: &egui::Context) {
        let Preferences { dark, panes, display, knows_tour } = self.preferences.last().clone();
        if let Some(dark) = dark {
            context.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
        }
        if let Some(dock) = panes.as_ref().and_then(Dock::arranged) {
            self.dock = dock;
        }
        if let Some(display) = display {
            self.workspace.viewports.set_options(&display);
        }
        if self.preferences.is_first_session() && !knows_tour {
            self.tour.open();
        }
    }
}

#[cfg(test)]
mod tests;
