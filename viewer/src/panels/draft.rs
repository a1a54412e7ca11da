//! Drafts: values that the user has entered and the model does not show yet, in place of the older
//! ones.

use std::collections::HashMap;
use std::time::Duration;

use egui::Ui;

/// Time that an entry stands while the model shows another value [s]: longer than commands take, short
/// enough that one that was refused does not mislead.
pub(super) const PATIENCE: f64 = 2.0;

/// Entries by name.
#[derive(Clone, Debug)]
pub(super) struct Drafts<T>(HashMap<String, Draft<T>>);

impl<T> Default for Drafts<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

#[derive(Clone, Debug)]
struct Draft<T> {
    value: T,
    /// True if the user still has the widget in hand.
    editing: bool,
    /// Time at which it was entered or let go, in the time of the window [s].
    since: f64,
}

impl<T: Clone + PartialEq> Drafts<T> {
    /// The entry of this name, else `known`, what the model shows.
    pub(super) fn get(&mut self, ui: &Ui, name: &str, known: &T) -> T {
        let Some(draft) = self.0.get(name) else { return known.clone() };
        let left = draft.since + PATIENCE - now(ui);
        if !draft.editing && (draft.value == *known || left < 0.0) {
            self.0.remove(name);
            return known.clone();
        }
        if !draft.editing {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
        }
        draft.value.clone()
    }

    /// The user entered this.
    pub(super) fn put(&mut self, ui: &Ui, name: &str, value: T) {
        self.0.insert(name.to_owned(), Draft { value, editing: true, since: now(ui) });
    }

    /// True if the user still holds the widget: an entry stands as long. Whether it was let go now.
    pub(super) fn hold(&mut self, ui: &Ui, name: &str, editing: bool) -> bool {
        let Some(draft) = self.0.get_mut(name) else { return false };
        let before = std::mem::replace(&mut draft.editing, editing);
        if before {
            draft.since = now(ui);
        }
        before && !editing
    }

    /// Drops one.
    pub(super) fn drop(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Drops all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

fn now(ui: &Ui) -> f64 {
    ui.input(|input| input.time)
}
