//! Events of the model after a step.

use super::bench::{Bench, Cached, InstrumentError, taken};
use crate::component::Handle;
use crate::kinds::{Event, EventCommand};
use crate::model::Model;

/// Command of the event at a path, whose value crossed its threshold.
pub(crate) struct Fired {
    /// Path of the event.
    pub(crate) path: String,
    /// Its command.
    pub(crate) command: EventCommand,
}

/// An event with what it remembers.
pub(super) struct EventUnit {
    pub(super) handle: Handle<Event>,
    pub(super) when: Cached,
    /// Value less threshold after the step before.
    before: Option<f64>,
    /// Times that it was done.
    count: u64,
}

impl EventUnit {
    pub(super) fn new(handle: Handle<Event>) -> Self {
        Self { handle, when: Cached::default(), before: None, count: 0 }
    }

    /// The difference from the threshold before the first step; a command that is none is refused before it is needed.
    pub(super) fn begin(&mut self, bench: &mut Bench<'_>) -> Result<(), InstrumentError> {
        if self.before.is_some() {
            return Ok(());
        }
        let now = bench.now();
        let Some(it) = now.model.get(self.handle).filter(|it| it.enabled) else { return Ok(()) };
        read(it, now.model)?;
        self.before = Some(self.when.eval(&it.when, &now)? - it.crosses);
        Ok(())
    }

    /// The command, where the value crossed its threshold.
    pub(super) fn look(&mut self, bench: &mut Bench<'_>) -> Result<Option<Fired>, InstrumentError> {
        let now = bench.now();
        let Some(it) = now.model.get(self.handle).filter(|it| it.enabled) else {
            self.before = None;
            return Ok(None);
        };
        let value = self.when.eval(&it.when, &now)? - it.crosses;
        let crossed = self.before.is_some_and(|before| it.sense.happened(before, value));
        self.before = Some(value);
        if !crossed || (it.once && self.count > 0) {
            return Ok(None);
        }
        self.count += 1;
        Ok(Some(Fired { path: now.model.path(self.handle), command: read(it, now.model)? }))
    }

    /// True if the value crossed its threshold since the step before, so that the event is to act.
    pub(super) fn crosses(&mut self, bench: &mut Bench<'_>) -> Result<bool, InstrumentError> {
        let now = bench.now();
        let Some(it) = now.model.get(self.handle).filter(|it| it.enabled) else { return Ok(false) };
        if it.once && self.count > 0 {
            return Ok(false);
        }
        let value = self.when.eval(&it.when, &now)? - it.crosses;
        Ok(self.before.is_some_and(|before| it.sense.happened(before, value)))
    }

    pub(super) fn save(&self, numbers: &mut Vec<f64>) {
        let known = f64::from(u8::from(self.before.is_some()));
        numbers.extend([known, self.before.unwrap_or(0.0), self.count as f64]);
    }

    pub(super) fn restore(&mut self, rest: &mut &[f64]) {
        let [known, before, count] = taken(rest);
        self.before = (known != 0.0).then_some(before);
        self.count = count as u64;
    }
}

/// Reads the command of an event.
fn read(it: &Event, model: &Model) -> Result<EventCommand, InstrumentError> {
    let text = it.command.text(|at| model.path(at));
    EventCommand::read(&text).map_err(InstrumentError::Command)
}
