//! History of a model: edits that can be undone and redone.

use crate::model::{ChangeSet, EditError, Model};

/// Changes that were made to a model, to go back and forth in.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<ChangeSet>,
    undone: Vec<ChangeSet>,
    /// Changes that were taken in so far.
    kept: u64,
}

impl History {
    /// Plans and applies an edit; edits undone before can no longer be done again.
    ///
    /// # Errors
    /// [`EditError`]; nothing is changed then.
    pub fn apply(&mut self, model: &mut Model, edit: super::Edit) -> Result<&ChangeSet, EditError> {
        let change = model.edit(edit)?;
        Ok(self.keep(change))
    }

    /// Takes in a change that was applied by other means ([`Model::batch`]); edits undone before
    /// can no longer be done again.
    pub fn keep(&mut self, change: ChangeSet) -> &ChangeSet {
        self.undone.clear();
        self.kept += 1;
        self.done.push(change);
        &self.done[self.done.len() - 1]
    }

    /// Changes that are done now, and changes that were ever taken in: others beside them are put in order by these.
    pub(crate) fn marks(&self) -> (usize, u64) {
        (self.done.len(), self.kept)
    }

    /// Drops the changes that were undone.
    pub(crate) fn forget_undone(&mut self) {
        self.undone.clear();
    }

    /// The change that is taken back next.
    pub fn last_done(&self) -> Option<&ChangeSet> {
        self.done.last()
    }

    /// The change that was taken back last.
    pub fn last_undone(&self) -> Option<&ChangeSet> {
        self.undone.last()
    }

    /// Takes the last change back; `false` when there is none.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the model was changed by other means since.
    pub fn undo(&mut self, model: &mut Model) -> Result<bool, EditError> {
        let Some(change) = self.done.last_mut() else { return Ok(false) };
        model.undo(change)?;
        self.undone.extend(self.done.pop());
        Ok(true)
    }

    /// Does again the edit that was taken back last; `false` when there is none.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the model was changed by other means since.
    pub fn redo(&mut self, model: &mut Model) -> Result<bool, EditError> {
        let Some(change) = self.undone.last_mut() else { return Ok(false) };
        model.apply(change)?;
        self.done.extend(self.undone.pop());
        Ok(true)
    }
}
