//! Parts of a model that a document of OpenSim cannot say.

use std::collections::BTreeMap;

/// Notes on what was left out, by kind, and on what is otherwise there.
#[derive(Debug, Default)]
pub(super) struct Told {
    left_out: BTreeMap<String, usize>,
    changed: Vec<String>,
}

impl Told {
    /// Counts a thing that is not in the document.
    pub(super) fn left_out(&mut self, kind: impl Into<String>) {
        *self.left_out.entry(kind.into()).or_default() += 1;
    }

    /// Notes a difference, once.
    pub(super) fn changed(&mut self, note: String) {
        if !self.changed.contains(&note) {
            self.changed.push(note);
        }
    }

    /// All notes, a sentence each.
    pub(super) fn notes(self) -> Vec<String> {
        let left_out = self.left_out.into_iter().map(|(kind, count)| {
            format!("{count} x {kind}: left out, since documents of OpenSim have none")
        });
        self.changed.into_iter().chain(left_out).collect()
    }
}
