//! Reports of a session to its driver, besides snapshots.

use std::sync::Arc;

use crate::component::ComponentId;
use crate::schedule::{ProbeTrack, ShownPanel, TrackingStatus};
use crate::system::StepStats;

/// Status of a session.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// True if it runs.
    pub playing: bool,
    /// Length of a step [s].
    pub step: f64,
    /// Simulated over wall time that is held to [-]; `None` for as fast as it goes.
    pub pace: Option<f64>,
    /// Simulated over wall time of the last second that it ran [-].
    pub real_time_factor: f64,
    /// Wall time of a step, smoothed [s].
    pub step_seconds: f64,
    /// Statistics of the last step.
    pub stats: StepStats,
    /// Waypoints, by rising time.
    pub waypoints: Vec<WaypointMark>,
    /// Probes, those that feed first.
    pub probes: Vec<ProbeTrack>,
    /// Control panels; shared until one changes.
    pub panels: Arc<Vec<ShownPanel>>,
    /// Inverse control, where the model has it; shared until the next status.
    pub tracking: Option<Arc<TrackingStatus>>,
    /// Work that takes a while, other than a step; `None` without.
    pub busy: Option<String>,
    /// True if there is a model.
    pub loaded: bool,
    /// Number of the model: another one when another was opened.
    pub model: u64,
    /// True if the model is the one before, loaded again from its files.
    pub reloaded: bool,
    /// Name of the model.
    pub name: String,
    /// The spring that pulls a point, while one does.
    pub pull: Option<ComponentId>,
}

/// A waypoint on the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointMark {
    /// Its time [s].
    pub time: f64,
    /// True if runs halt there.
    pub halts: bool,
    /// True if it was passed, and can be gone back to.
    pub saved: bool,
}

/// Something that happened, for the user to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Simulated time [s].
    pub time: f64,
    /// Severity.
    pub kind: NoteKind,
    /// Text of the note, with advice.
    pub text: String,
}

/// Severity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// It went well.
    Done,
    /// The run halted of itself: a breakpoint, the time that was asked for.
    Halted,
    /// A command was refused; nothing changed.
    Refused,
    /// A step failed, and the last good state is kept; or a file was not opened.
    Failed,
}
