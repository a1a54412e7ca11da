//! Edits of a running model, taken back and made again.

use super::motion::Moving;
use super::{Simulation, SimulationError};
use crate::component::{Address, ComponentId, Handle};
use crate::editing::{EditCommand, EditCommandError, EditReport};
use crate::model::{Edit, MechModel};
use crate::property::{PropertyRef, Setting};

impl Simulation {
    /// Edits the model; the system is compiled anew where that is needed, and components that stay
    /// keep their state. [`Self::undo`] takes it back.
    ///
    /// # Errors
    /// [`SimulationError::Edit`], [`SimulationError::Compile`]; nothing is changed then.
    pub fn edit(&mut self, edit: Edit) -> Result<Vec<ComponentId>, SimulationError> {
        if matches!(edit, Edit::RemoveSupport { .. } | Edit::Batch(_)) {
            self.written.put_back_parts(&mut self.model)?;
        }
        let mut change = self.model.edit(edit)?;
        if let Err(error) = self.synchronize() {
            self.model.undo(&mut change)?;
            return Err(error);
        }
        let added = change.added();
        self.history.keep(change);
        Ok(added)
    }

    /// Does a command between two steps. What it sets of places and velocities of now is no edit of the model, as in
    /// [`Self::set`]; everything else is taken back by [`EditCommand::Undo`].
    ///
    /// # Errors
    /// [`SimulationError::Command`], [`SimulationError::Compile`]; nothing is changed then.
    pub fn apply(&mut self, command: &EditCommand) -> Result<EditReport, SimulationError> {
        match command {
            EditCommand::Undo if !self.undo()? => Err(EditCommandError::NothingToUndo)?,
            EditCommand::Redo if !self.redo()? => Err(EditCommandError::NothingToRedo)?,
            EditCommand::Undo | EditCommand::Redo => {}
            EditCommand::Set { property, value } => {
                let property = self.property(property)?;
                if Moving::of(&self.model, &property).is_some() {
                    return self.set_moving(&property, value);
                }
                self.change(command)?;
            }
            _ => self.change(command)?,
        }
        let change = match command {
            EditCommand::Undo => self.history.last_undone(),
            _ => self.history.last_done(),
        };
        Ok(change.map_or_else(EditReport::default, |change| EditReport::of(&self.model, change)))
    }

    /// Does several commands between two steps, as one edit. One alone is done as by [`Self::apply`]; among several,
    /// settings of places and velocities are those of the model at its start.
    ///
    /// # Errors
    /// [`SimulationError::Command`], [`SimulationError::Compile`]; nothing is changed then.
    pub fn apply_all(&mut self, commands: &[EditCommand]) -> Result<EditReport, SimulationError> {
        if let [one] = commands {
            return self.apply(one);
        }
        self.before_renumbering(commands)?;
        let mut change = EditCommand::change_all(commands, &mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.model.undo(&mut change)?;
            return Err(error);
        }
        let change = self.history.keep(change);
        Ok(EditReport::of(&self.model, change))
    }

    /// Sets what is where it is now, and not in the model.
    fn set_moving(
        &mut self,
        property: &PropertyRef,
        text: &str,
    ) -> Result<EditReport, SimulationError> {
        if let Setting::Explicit(value) = self.model.setting_of_text(property, text)? {
            self.set(property, value)?;
        }
        let changed = vec![self.model.path(property.host())];
        Ok(EditReport { changed, ..EditReport::default() })
    }

    /// Changes the model by a command that is planned once; it stays as it was where it cannot be simulated then.
    fn change(&mut self, command: &EditCommand) -> Result<(), SimulationError> {
        self.before_renumbering(std::slice::from_ref(command))?;
        let mut change = command.change(&mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.model.undo(&mut change)?;
            return Err(error);
        }
        self.history.keep(change);
        Ok(())
    }

    /// Puts back what a run has set of parts of tissues where commands give these other numbers.
    fn before_renumbering(&mut self, commands: &[EditCommand]) -> Result<(), SimulationError> {
        let is_support = |path: &String| matches!(self.model.find(path), Ok(Address::Support(..)));
        let renumbers = commands.iter().any(|command| match command {
            EditCommand::RemoveSupport { .. } => true,
            EditCommand::Delete { paths } => paths.iter().any(is_support),
            _ => false,
        });
        if renumbers {
            self.written.put_back_parts(&mut self.model)?;
        }
        Ok(())
    }

    /// The first mechanical model, where that is added which names no other; it is made when there is none.
    pub(super) fn main_model(&mut self) -> Handle<MechModel> {
        let first = self.model.iter::<MechModel>().next().map(|(handle, _)| handle);
        first.unwrap_or_else(|| self.model_mut().main())
    }

    /// True if there are edits to take back.
    pub fn has_edits(&self) -> bool {
        self.history.last_done().is_some()
    }

    /// Takes the last edit back; `false` when there is none.
    ///
    /// # Errors
    /// [`EditError::Stale`](crate::model::EditError::Stale) when the model was changed by other means since; [`SimulationError::Compile`],
    /// and the edit is then in force again.
    pub fn undo(&mut self) -> Result<bool, SimulationError> {
        if self.history.last_done().is_some_and(|change| self.model.renumbers_supports(change)) {
            self.written.put_back_parts(&mut self.model)?;
        }
        let undone = self.history.undo(&mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.history.redo(&mut self.model)?;
            return Err(error);
        }
        Ok(undone)
    }

    /// Does again the edit that was taken back last; `false` when there is none.
    ///
    /// # Errors
    /// As [`Self::undo`].
    pub fn redo(&mut self) -> Result<bool, SimulationError> {
        if self.history.last_undone().is_some_and(|change| self.model.renumbers_supports(change)) {
            self.written.put_back_parts(&mut self.model)?;
        }
        let redone = self.history.redo(&mut self.model)?;
        if let Err(error) = self.synchronize() {
            self.history.undo(&mut self.model)?;
            return Err(error);
        }
        Ok(redone)
    }
}
