//! Commands that edit the model: what is in it, under which names, and back again.

use sinew::component::{Address, ComponentId};
use sinew::model::Edit;
use sinew::schedule::ScheduleError;

use super::command::CommandError;
use super::edit_command::EditCommand;
use super::session::Shell;
use crate::console;

impl Shell {
    /// Edits the model between two steps; what stays keeps its state.
    pub(super) fn edit(&mut self, command: EditCommand) -> Result<(), CommandError> {
        let mut scheduler = self.scheduler()?;
        let simulation = scheduler.simulation_mut();
        let model = simulation.model();
        let ids = |paths: &[String]| -> Result<Vec<ComponentId>, CommandError> {
            paths.iter().map(|path| component(model.find(path)?, path)).collect()
        };
        let edit = match command {
            EditCommand::Add { kind, path, properties } => {
                model.describe(&kind, &path, &properties)?
            }
            EditCommand::Delete(paths) => Edit::Delete(ids(&paths)?),
            EditCommand::Duplicate(paths) => Edit::Duplicate(ids(&paths)?),
            EditCommand::Rename { path, name } => {
                Edit::rename(component(model.find(&path)?, &path)?, name)
            }
            EditCommand::Move { path, parent } => {
                let [id, parent] = [&path, &parent].map(|path| component(model.find(path)?, path));
                Edit::reparent(id?, parent?)
            }
            EditCommand::Undo => {
                let undone = simulation.undo().map_err(ScheduleError::from)?;
                return Ok(console::print(if undone { "" } else { "nothing to undo\n" })?);
            }
            EditCommand::Redo => {
                let redone = simulation.redo().map_err(ScheduleError::from)?;
                return Ok(console::print(if redone { "" } else { "nothing to redo\n" })?);
            }
        };
        let plan = model.plan(edit.clone())?;
        let mut lines: Vec<String> =
            plan.deleted().into_iter().map(|id| format!("- {}\n", model.path(id))).collect();
        let added = simulation.edit(edit).map_err(ScheduleError::from)?;
        let model = simulation.model();
        lines.extend(added.into_iter().map(|id| format!("+ {}\n", model.path(id))));
        Ok(console::print(&lines.concat())?)
    }
}

/// The component at an address.
fn component(at: Address, path: &str) -> Result<ComponentId, CommandError> {
    match at {
        Address::Component(id) => Ok(id),
        _ => Err(CommandError::NoComponent(path.to_owned())),
    }
}
