//! Events whose commands fail on the model as it is now: mostly a path is misspelt. It is no error, since what a command
//! names may come until the event fires.

use std::fmt;

use super::EditCommandError;
use crate::component::ComponentId;
use crate::kinds::{Event, EventCommand};
use crate::model::Model;

/// An event with a command that fails on the model as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct EventFault {
    /// Path of the event.
    pub event: String,
    /// Its command.
    pub command: String,
    /// The reason.
    pub error: EditCommandError,
}

impl fmt::Display for EventFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event, command, error } = self;
        write!(f, "event {event} fails when it fires: `{command}` is refused now, {error}")
    }
}

impl Model {
    /// Events whose commands would be refused if they fired now, each tried on a copy of the model.
    pub fn event_faults(&self) -> Vec<EventFault> {
        self.event_faults_among(|_| true)
    }

    /// The same of those events that are `chosen`.
    pub(super) fn event_faults_among(
        &self,
        chosen: impl Fn(ComponentId) -> bool,
    ) -> Vec<EventFault> {
        let mut trial = None;
        let mut faults = Vec::new();
        for (handle, it) in self.iter::<Event>().filter(|(handle, _)| chosen(handle.id())) {
            let text = it.command.text(|address| self.path(address));
            let Ok(EventCommand::Edit(command)) = EventCommand::read(&text) else { continue };
            let trial = trial.get_or_insert_with(|| self.clone());
            match command.change(trial) {
                // Nothing came in between.
                Ok(mut change) => drop(trial.undo(&mut change)),
                Err(error) => {
                    let (event, command) = (self.path(handle), text.trim().to_owned());
                    faults.push(EventFault { event, command, error });
                }
            }
        }
        faults
    }
}
