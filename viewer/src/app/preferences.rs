//! Preferences for the next session: theme, panes, display options, and whether the tour was seen. Kept in a file of the
//! user's; what of it cannot be read is as in a first session.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::App;
use super::dock::{Dock, Layout};
use super::pictures::whole;
use crate::{Background, ViewOptions};

/// Bytes of the file that are read: some hundred times what it has.
const LONGEST: u64 = 256 * 1024;
/// Time between two looks at what has changed [s].
const LOOK: f64 = 1.0;

/// Preferences of a user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Preferences {
    /// True for the dark theme; `None` for that of the system.
    dark: Option<bool>,
    /// Arrangement of the panes.
    panes: Option<Layout>,
    /// Options of the picture, without planes and what else belongs to a model.
    display: Option<ViewOptions>,
    /// True once the tour was seen or put away.
    pub(super) knows_tour: bool,
}

impl Preferences {
    /// Reads a file part by part: one that is of another version is left out.
    fn read(file: &Path) -> Option<Self> {
        fn part<T: DeserializeOwned>(whole: &mut Value, key: &str) -> Option<T> {
            serde_json::from_value(whole.get_mut(key)?.take()).ok()
        }
        let text = crate::bounded::read_text(file, LONGEST).ok()?;
        let mut whole: Value = serde_json::from_str(&text).ok()?;
        Some(Self {
            dark: part(&mut whole, "dark"),
            panes: part(&mut whole, "panes"),
            display: part(&mut whole, "display"),
            knows_tour: part(&mut whole, "knows_tour").unwrap_or_default(),
        })
    }
}

/// Preferences as they are kept, and their file.
#[derive(Default)]
pub(super) struct Kept {
    file: Option<PathBuf>,
    last: Preferences,
    /// True once they were applied to the window.
    is_applied: bool,
    /// True if this is the first session.
    is_first: bool,
    /// Time of the last look [s].
    looked: f64,
    /// The newest text: whichever thread writes last writes it.
    text: Arc<Mutex<String>>,
}

impl Kept {
    /// Those of a file; without one nothing is kept.
    pub(super) fn read(file: Option<PathBuf>) -> Self {
        let read = file.as_deref().and_then(Preferences::read);
        let is_first = file.is_some() && read.is_none();
        Self { file, last: read.unwrap_or_default(), is_first, ..Self::default() }
    }

    fn keep(&mut self, now: Preferences) {
        self.last = now;
        // In a thread of its own: a slow disk does not stop the window.
        self.write();
    }

    /// Writes them in a thread of its own; the thread.
    fn write(&mut self) -> Option<JoinHandle<()>> {
        let file = self.file.clone()?;
        let text = serde_json::to_string_pretty(&self.last).unwrap_or_default() + "\n";
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = text;
        let newest = self.text.clone();
        Some(std::thread::spawn(move || {
            let text = newest.lock().unwrap_or_else(PoisonError::into_inner);
            // What cannot be written is as it was in the next session.
            let _ = whole(&file, text.as_bytes());
        }))
    }
}

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
    pub(super) fn follow_preferences(&mut self, context: &egui::Context) {
        if self.preferences.file.is_none() {
            return;
        }
        if !std::mem::replace(&mut self.preferences.is_applied, true) {
            return self.apply_preferences(context);
        }
        let now = context.input(|input| input.time);
        if now - self.preferences.looked < LOOK {
            // What is changed last is looked at, too.
            return context.request_repaint_after(Duration::from_secs_f64(LOOK));
        }
        self.preferences.looked = now;
        let is = self.preferences_of_now(context);
        if is != self.preferences.last {
            self.preferences.keep(is);
        }
    }

    /// Keeps the preferences of a window that closes.
    pub(super) fn keep_last_preferences(&mut self, context: &egui::Context) {
        let is = self.preferences_of_now(context);
        if self.preferences.is_applied && is != self.preferences.last {
            self.preferences.last = is;
            // A thread that panicked has printed why.
            self.preferences.write().map(JoinHandle::join);
        }
    }

    fn preferences_of_now(&self, context: &egui::Context) -> Preferences {
        Preferences {
            dark: Some(context.theme() == egui::Theme::Dark),
            panes: self.dock.layout(),
            display: Some(display(&self.workspace.picture().view.options)),
            knows_tour: self.preferences.last.knows_tour || self.tour.was_put_away(),
        }
    }

    fn apply_preferences(&mut self, context: &egui::Context) {
        let Preferences { dark, panes, display, knows_tour } = self.preferences.last.clone();
        if let Some(dark) = dark {
            context.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
        }
        if let Some(dock) = panes.as_ref().and_then(Dock::arranged) {
            self.dock = dock;
        }
        if let Some(display) = display {
            self.workspace.viewports.set_options(&display);
        }
        if self.preferences.is_first && !knows_tour {
            self.tour.open();
        }
    }
}

#[cfg(test)]
mod tests;
