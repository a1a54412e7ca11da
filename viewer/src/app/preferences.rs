//! Preferences for the next session: theme, panes, display options, and whether the tour was seen. Kept in a file of the
//! user's; what of it cannot be read is as in a first session.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dock::Layout;
use super::whole_file::whole;
use crate::ViewOptions;

/// Bytes of the file that are read: some hundred times what it has.
const LONGEST: u64 = 256 * 1024;
/// Preferences of a user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Preferences {
    /// True for the dark theme; `None` for that of the system.
    pub(super) dark: Option<bool>,
    /// Arrangement of the panes.
    pub(super) panes: Option<Layout>,
    /// Options of the picture, without planes and what else belongs to a model.
    pub(super) display: Option<ViewOptions>,
    /// True once the tour was seen or put away.
    pub(super) knows_tour: bool,
}

impl Preferences {
    /// Reads a file part by part: one that is of another version is left out.
    pub(super) fn read(file: &Path) -> Option<Self> {
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

    /// True if there is a file that keeps them.
    pub(super) fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// True if this is the first session.
    pub(super) fn is_first_session(&self) -> bool {
        self.is_first
    }

    /// True once they were applied to the window.
    pub(super) fn are_applied(&self) -> bool {
        self.is_applied
    }

    /// They are applied to the window; true if they were before.
    pub(super) fn apply(&mut self) -> bool {
        std::mem::replace(&mut self.is_applied, true)
    }

    /// Looks at a time [s], unless the last look was less than `pause` ago [s]; true if it does.
    pub(super) fn look(&mut self, now: f64, pause: f64) -> bool {
        let looks = now - self.looked >= pause;
        if looks {
            self.looked = now;
        }
        looks
    }

    /// The last ones.
    pub(super) fn last(&self) -> &Preferences {
        &self.last
    }

    /// Keeps these, where they are not the last ones, in a thread of its own: a slow disk does not stop the window. The
    /// thread.
    pub(super) fn keep(&mut self, now: Preferences) -> Option<JoinHandle<()>> {
        if now == self.last {
            return None;
        }
        self.last = now;
        self.write()
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
