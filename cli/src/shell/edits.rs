//! Commands that edit the model: add, delete, rename, move, and back again.

use sinew::editing::{EditCommand, EditCommandError};
use sinew::model::Event;
use sinew::schedule::{ScheduleError, SimulationError};

use super::command::CommandError;
use super::session::Shell;
use crate::console;

impl Shell {
    /// Adds an event of a formula, a threshold and a command, under the first name that is free.
    pub(super) fn add_event(
        &mut self,
        [when, crosses, command]: [String; 3],
    ) -> Result<(), CommandError> {
        let count = {
            let scheduler = self.scheduler()?;
            let model = scheduler.simulation().model();
            let taken: Vec<String> = model.iter::<Event>().map(|(_, it)| it.name.clone()).collect();
            (1..).find(|k| !taken.contains(&format!("event{k}"))).unwrap_or(1)
        };
        let properties = [("when", when), ("crosses", crosses), ("command", command)];
        let properties = properties.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let (kind, path) = ("event".to_owned(), format!("event{count}"));
        self.edit(&EditCommand::Add { kind, path, properties })
    }

    /// Edits the model between two steps; what stays keeps its state.
    pub(super) fn edit(&mut self, command: &EditCommand) -> Result<(), CommandError> {
        let mut scheduler = self.scheduler()?;
        let report = match scheduler.apply(std::slice::from_ref(command)) {
            Ok(report) => report,
            Err(ScheduleError::Simulation(error)) => match *error {
                SimulationError::Command(error) => match *error {
                    none @ (EditCommandError::NothingToUndo | EditCommandError::NothingToRedo) => {
                        return Ok(console::print(&format!("{none}\n"))?);
                    }
                    error => return Err(CommandError::Edit(Box::new(error))),
                },
                error => return Err(ScheduleError::from(error).into()),
            },
            Err(error) => return Err(error.into()),
        };
        for warning in &report.warnings {
            console::complain(&format!("warning: {warning}"));
        }
        let deleted = report.deleted.iter().map(|path| format!("- {path}\n"));
        let added = report.added.iter().map(|path| format!("+ {path}\n"));
        Ok(console::print(&deleted.chain(added).collect::<String>())?)
    }
}
