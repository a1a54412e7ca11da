//! Probes of a run by their places in their lists, and their edits.

use sinew::schedule::{Command, ProbeAt, ProbeEdit, ProbeTrack, Status};

use crate::panels::Actions;

/// The probes of a status with their places in their lists.
pub(super) fn placed(status: &Status) -> impl Iterator<Item = (ProbeAt, &ProbeTrack)> {
    let fed = status.probes.iter().filter(|probe| probe.feeds).count();
    status.probes.iter().enumerate().map(move |(k, probe)| {
        let at = if probe.feeds { k } else { k - fed };
        (ProbeAt { feeds: probe.feeds, at }, probe)
    })
}

/// Asks for an edit of a probe.
pub(super) fn edit(actions: &mut Actions, edit: ProbeEdit, goes_on: bool) {
    actions.commands.push(Command::EditProbe { edit, goes_on });
}
