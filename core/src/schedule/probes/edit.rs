//! Edits of probes, as data.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A probe by its list and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeAt {
    /// True for the list of probes that feed the model, false for those that record.
    pub feeds: bool,
    /// Place in its list, from 0.
    pub at: usize,
}

/// Values between two points of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Those of the point before.
    Step,
    /// On the line between the points.
    Linear,
    /// On a cubic with the slopes of the parabolas through three points.
    Cubic,
    /// On the natural cubic spline through all points.
    Spline,
}

impl Interpolation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Step, Self::Linear, Self::Cubic, Self::Spline];

    /// Its word, as in model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Linear => "linear",
            Self::Cubic => "cubic",
            Self::Spline => "spline",
        }
    }
}

/// Edits of the probes of a run; each is taken back as edits of the model are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeEdit {
    /// Records a property from now on, by its path.
    Record(String),
    /// Feeds a property from now on, by its path: a curve of its value now, which is to be edited.
    Feed(String),
    /// Drops a probe; what it recorded stays.
    Remove(ProbeAt),
    /// Adds a probe that does the same: one that feeds begins where the first one ends, one that records has a file of its own.
    Copy(ProbeAt),
    /// Switches a probe off or on.
    Mute {
        /// The probe.
        probe: ProbeAt,
        /// True if it is off from now on.
        muted: bool,
    },
    /// Moves the begin and the end of a probe; the curve of one that feeds is stretched between them.
    SetSpan {
        /// The probe.
        probe: ProbeAt,
        /// Its begin [s].
        start: f64,
        /// Its end [s]; infinite for one that records without end.
        end: f64,
    },
    /// Moves a point of a curve that feeds; it stays between its neighbours.
    SetPoint {
        /// The probe.
        probe: ProbeAt,
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
        probe: ProbeAt,
        /// Its time in the run [s].
        time: f64,
    },
    /// Removes a point of a curve that feeds.
    RemovePoint {
        /// The probe.
        probe: ProbeAt,
        /// Place of the point, from 0.
        point: usize,
    },
    /// Sets what is between two points.
    Interpolate {
        /// The probe.
        probe: ProbeAt,
        /// Its interpolation.
        interpolation: Interpolation,
    },
    /// Takes the points of a file in place of those of a curve that feeds.
    Import {
        /// The probe.
        probe: ProbeAt,
        /// The file.
        file: PathBuf,
    },
}
