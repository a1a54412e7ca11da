//! Commands that edit the model: add, delete, rename, move, and back again.

use sinew::editing::{EditCommand, EditCommandError};
use sinew::schedule::{ScheduleError, SimulationError};

use super::command::CommandError;
use super::session::Shell;
use crate::console;

impl Shell {
    /// Edits the model between two steps; what stays keeps its state.
    pub(super) fn edit(&mut self, command: &EditCommand) -> Result<(), CommandError> {
        let mut scheduler = self.scheduler()?;
        let report = match scheduler.simulation_mut().apply(command) {
            Ok(report) => report,
            Err(SimulationError::Command(error)) => match *error {
                none @ (EditCommandError::NothingToUndo | EditCommandError::NothingToRedo) => {
                    return Ok(console::print(&format!("{none}\n"))?);
                }
                error => return Err(CommandError::Edit(Box::new(error))),
            },
            Err(error) => return Err(ScheduleError::from(error).into()),
        };
        let deleted = report.deleted.iter().map(|path| format!("- {path}\n"));
        let added = report.added.iter().map(|path| format!("+ {path}\n"));
        Ok(console::print(&deleted.chain(added).collect::<String>())?)
    }
}
