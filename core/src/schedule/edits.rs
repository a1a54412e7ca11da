//! Edits of a running model, taken back and made again.

use super::{Simulation, SimulationError};
use crate::component::ComponentId;
use crate::model::Edit;

impl Simulation {
    /// Edits the model; the system is compiled anew where that is needed, and what stays keeps its
    /// state. [`Self::undo`] takes it back.
    ///
    /// # Errors
    /// [`SimulationError::Edit`], [`SimulationError::Compile`]; nothing is changed then.
    pub fn edit(&mut self, edit: Edit) -> Result<Vec<ComponentId>, SimulationError> {
        let mut change = self.model.edit(edit)?;
        if let Err(error) = self.synchronize() {
            self.model.undo(&mut change)?;
            return Err(error);
        }
        let added = change.added();
        self.history.keep(change);
        Ok(added)
    }

    /// Takes the last edit back; `false` when there is none.
    ///
    /// # Errors
    /// [`EditError::Stale`](crate::component::EditError::Stale) when the model was changed by other means since; [`SimulationError::Compile`],
    /// and the edit is then in force again.
    pub fn undo(&mut self) -> Result<bool, SimulationError> {
        let undone = self.history.undo(&mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.history.redo(&mut self.model)?;
            return Err(error);
        }
        Ok(undone)
    }

    /// Does again what was taken back last; `false` when there is nothing.
    ///
    /// # Errors
    /// As [`Self::undo`].
    pub fn redo(&mut self) -> Result<bool, SimulationError> {
        let redone = self.history.redo(&mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.history.undo(&mut self.model)?;
            return Err(error);
        }
        Ok(redone)
    }
}
