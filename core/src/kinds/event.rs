//! Events: a command that is done when the value of a formula crosses a threshold. When they are looked at:
//! `schedule/instruments/`.

use serde::{Deserialize, Serialize};

use crate::property::{CheckError, Components, ModelComponent, choices, properties};

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

/// Does a command when the value of a formula crosses a threshold: after the step in which it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The formula, of properties `{PATH:NAME}` and the time `t` [s].
    pub when: String,
    /// The threshold.
    pub crosses: f64,
    /// Sense of the crossing.
    pub sense: Crossing,
    /// The command: an edit as text, `stop`, or `waypoint`.
    pub command: String,
    /// True if it is done once in a run at most.
    pub once: bool,
    /// True if it is looked at.
    pub enabled: bool,
}

impl Event {
    /// An event that does a command whenever a formula crosses a threshold.
    pub fn new(when: impl Into<String>, crosses: f64, command: impl Into<String>) -> Self {
        let (name, sense, once, enabled) = (String::new(), Crossing::Either, false, true);
        Self { name, when: when.into(), crosses, sense, command: command.into(), once, enabled }
    }
}

impl Event {
    fn check_when(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_formula("when", &self.when)
    }
}

impl ModelComponent for Event {
    const HOME: Option<&'static str> = Some("events");

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_when(model)
    }

    properties! { Event {
        "enabled": bool = true, "", FINITE, NOTHING, "True if it is looked at", own (enabled);
        "when": String = String::new(), "", FINITE, NOTHING, "Formula of properties by absolute paths, {PATH:NAME}, and the time t", own (when), check Event::check_when;
        "crosses": f64 = 0.0, "by formula", FINITE, NOTHING, "Threshold", own (crosses);
        "sense": Crossing = Crossing::Either, "", FINITE, NOTHING, "Sense of the crossing", own (sense);
        "command": String = String::new(), "", FINITE, NOTHING, "What is done after the step in which it crosses: an edit as text, stop, or waypoint", own (command);
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
