//! Events: a command that is done when the value of a formula crosses a threshold. When they are looked at:
//! `schedule/instruments/`.

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Reference};
use crate::editing::{EditCommand, EditTextError};
use crate::property::{
    CheckError, Components, Find, LinkedText, ModelComponent, Problem, choices, properties,
};

/// Sense in which a value crosses a threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crossing {
    /// Either.
    #[default]
    Either,
    /// From below to at or above.
    Rising,
    /// From above to at or below.
    Falling,
}

choices!(Crossing { Either => "either", Rising => "rising", Falling => "falling" });

impl Crossing {
    /// True if a value that went from one difference to its threshold to another crossed it so.
    pub(crate) fn happened(self, before: f64, now: f64) -> bool {
        let (rises, falls) = (before < 0.0 && now >= 0.0, before > 0.0 && now <= 0.0);
        match self {
            Self::Either => rises || falls,
            Self::Rising => rises,
            Self::Falling => falls,
        }
    }
}

/// Command of an event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EventCommand {
    /// A halt of the run.
    Stop,
    /// A waypoint.
    Waypoint,
    /// An edit.
    Edit(Box<EditCommand>),
}

impl EventCommand {
    /// Reads a command.
    ///
    /// # Errors
    /// The reason why it is none.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        match text.trim() {
            "stop" => return Ok(Self::Stop),
            "waypoint" => return Ok(Self::Waypoint),
            _ => {}
        }
        let fault = match text.parse() {
            Ok(EditCommand::Undo | EditCommand::Redo) => "undo and redo are for users".to_owned(),
            Ok(command) => return Ok(Self::Edit(Box::new(command))),
            Err(error) => EditTextError::to_string(&error),
        };
        let text = text.trim();
        Err(format!(
            "'{text}' is no command of an event: {fault}; give an edit, `stop`, or `waypoint`"
        ))
    }
}

/// Does a command when the value of a formula crosses a threshold: after the step in which it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The formula, of properties `{PATH:NAME}` and the time `t` [s].
    pub when: LinkedText,
    /// The threshold.
    pub crosses: f64,
    /// Sense of the crossing.
    pub sense: Crossing,
    /// The command: an edit as text, `stop`, or `waypoint`.
    pub command: LinkedText,
    /// True if it is done once in a run at most.
    pub once: bool,
    /// True if it is looked at.
    pub enabled: bool,
}

impl Event {
    /// An event that does a command whenever a formula crosses a threshold.
    pub fn new(when: impl Into<LinkedText>, crosses: f64, command: impl Into<LinkedText>) -> Self {
        let (name, sense, once, enabled) = (String::new(), Crossing::Either, false, true);
        Self { name, when: when.into(), crosses, sense, command: command.into(), once, enabled }
    }
}

impl Event {
    fn check_when(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_formula("when", &model.text(&self.when))
    }

    fn check_command(&self, model: &dyn Components) -> Result<(), CheckError> {
        match EventCommand::read(&model.text(&self.command)) {
            Ok(_) => Ok(()),
            Err(fault) => Err(Problem::Property(fault).at("command")),
        }
    }
}

impl ModelComponent for Event {
    const HOME: Option<&'static str> = Some("events");

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_when(model)?;
        self.check_command(model)
    }

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.when.visit(visit);
        self.command.visit(visit);
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.when.redirect(map);
        self.command.redirect(map);
    }

    fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        self.when.keep_hosts(keep) && self.command.keep_hosts(keep)
    }

    fn link(&mut self, find: Find<'_>) {
        self.when.link(LinkedText::formula, find);
        self.command.link(LinkedText::command, find);
    }

    properties! { Event {
        "enabled": bool = true, "", FINITE, NOTHING, "True if it is looked at", own (enabled);
        "when": String = String::new(), "", FINITE, NOTHING, "Formula of properties by absolute paths, {PATH:NAME}, and the time t", linked (when, LinkedText::formula), check Event::check_when;
        "crosses": f64 = 0.0, "by formula", FINITE, NOTHING, "Threshold", own (crosses);
        "sense": Crossing = Crossing::Either, "", FINITE, NOTHING, "Sense of the crossing", own (sense);
        "command": String = String::new(), "", FINITE, NOTHING, "What is done after the step in which it crosses: an edit as text, stop, or waypoint", linked (command, LinkedText::command), check Event::check_command;
        "once": bool = false, "", FINITE, NOTHING, "True if it is done once in a run at most", own (once);
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_on_its_threshold_has_crossed_it_once() {
        for (way, rising, falling) in
            [([-1.0, 0.0], 1, 0), ([0.0, 1.0], 0, 0), ([1.0, 0.0], 0, 1), ([1.0, -1.0], 0, 1)]
        {
            let [before, now] = way;
            assert_eq!(i32::from(Crossing::Rising.happened(before, now)), rising, "{way:?}");
            assert_eq!(i32::from(Crossing::Falling.happened(before, now)), falling, "{way:?}");
            assert_eq!(
                i32::from(Crossing::Either.happened(before, now)),
                rising + falling,
                "{way:?}"
            );
        }
    }
}
