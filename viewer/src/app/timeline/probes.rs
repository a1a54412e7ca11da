//! Probes of a run by their components, and their edits.

use sinew::component::ComponentId;
use sinew::editing::EditCommand;
use sinew::schedule::{Command, ProbeEdit, ProbeTrack, Status};

use crate::panels::Actions;

/// The probes of a status with their components.
pub(super) fn placed(status: &Status) -> impl Iterator<Item = (ComponentId, &ProbeTrack)> {
    status.probes.iter().map(|probe| (probe.component, probe))
}

/// Asks for a gesture on a probe.
pub(super) fn edit(actions: &mut Actions, edit: ProbeEdit, goes_on: bool) {
    actions.commands.push(Command::EditProbe { edit, goes_on });
}

/// Asks for a property of the component of a probe to be set.
pub(super) fn set(actions: &mut Actions, track: &ProbeTrack, name: &str, value: String) {
    let property = format!("{}:{name}", track.path);
    actions.commands.push(Command::Edit(vec![EditCommand::Set { property, value }]));
}
