//! What a session tells whoever drives it, besides snapshots.

use crate::component::ComponentId;
use crate::system::StepStats;

/// How a session stands, in one look.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Whether it runs.
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
    /// What it does that takes a while, other than a step; `None` otherwise.
    pub busy: Option<String>,
    /// Whether there is a model.
    pub loaded: bool,
    /// Number of the model: another one when another was opened.
    pub model: u64,
    /// Name of the model.
    pub name: String,
    /// The spring that pulls a point, while one does.
    pub pull: Option<ComponentId>,
}

/// A waypoint on the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointMark {
    /// When [s].
    pub time: f64,
    /// Whether runs halt there.
    pub halts: bool,
    /// Whether it was passed, and can be gone back to.
    pub saved: bool,
}

/// A probe on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeTrack {
    /// Its name.
    pub name: String,
    /// Whether it feeds the model, rather than recording it.
    pub feeds: bool,
    /// When it begins and ends [s]; infinite where it does not.
    pub span: [f64; 2],
    /// Whether it is on.
    pub enabled: bool,
}

/// Something that happened, for the user to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Simulated time [s].
    pub time: f64,
    /// How bad it is.
    pub kind: NoteKind,
    /// What, and what to do about it.
    pub text: String,
}

/// How bad a note is.
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
