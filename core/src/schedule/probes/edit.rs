//! Gestures on a timeline, as data: each becomes commands that edit the components of probes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::component::ComponentId;

/// Work on probes that takes more than setting a property; each is one edit, taken back as edits of the model are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeEdit {
    /// Records a property from now on, by its path.
    Record(String),
    /// Feeds a property from now on, by its path: a curve of its value now, which is to be edited.
    Feed(String),
    /// Adds a probe that does the same: one that feeds begins where the first one ends, one that records has a file of its own.
    Copy(ComponentId),
    /// Moves the begin and the end of a probe; the curve of one that feeds is stretched between them.
    SetSpan {
        /// The probe.
        probe: ComponentId,
        /// Its begin [s].
        start: f64,
        /// Its end [s]; infinite for one that records without end.
        end: f64,
    },
    /// Moves a point of a curve that feeds; it stays between its neighbours.
    SetPoint {
        /// The probe.
        probe: ComponentId,
        /// Place of the point, from 0.
        point: usize,
        /// Its time in the run [s].
        time: f64,
        /// Its values in SI units.
        values: Vec<f64>,
    },
    /// Adds a point on a curve that feeds.
    AddPoint {
        /// The probe.
        probe: ComponentId,
        /// Its time in the run [s].
        time: f64,
    },
    /// Removes a point of a curve that feeds.
    RemovePoint {
        /// The probe.
        probe: ComponentId,
        /// Place of the point, from 0.
        point: usize,
    },
    /// Takes the points of a file in place of those of a curve that feeds.
    Import {
        /// The probe.
        probe: ComponentId,
        /// The file.
        file: PathBuf,
    },
}

/// Commands that a gesture comes to, and what it did in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedProbeEdit {
    /// The commands, one edit together.
    pub commands: Vec<crate::editing::EditCommand>,
    /// For the user.
    pub told: Option<String>,
}
