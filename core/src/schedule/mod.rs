//! A model that runs: stepped, read, set and edited at once, with the user's own code before and
//! after each step ([`Simulation`]); and the driver of its time, with probes, waypoints and failed
//! steps ([`Scheduler`]). Files of probes and checkpoints: the crate `sinew-run-files`.

mod attempts;
mod automatic_panels;
mod batch;
mod callback;
mod edits;
mod error;
mod excited;
mod input;
mod instruments;
mod marks;
mod motion;
mod output;
mod pace;
mod panel_edits;
mod panels;
mod prescribed;
mod probes;
mod readings;
mod scheduler;
mod session;
mod settings;
mod simulation;
mod start;
mod timeline;
mod tracking;
mod values;
mod waypoint;
mod written;

pub use crate::solve::StopFlag;
pub use batch::{Batch, BatchError, Lasting, Together};
pub use callback::{CallbackError, Control, Controller, Monitor};
pub use error::{ScheduleError, SimulationError};
pub use excited::MostExcited;
pub use input::{InputProbe, Signal};
pub use instruments::InstrumentError;
pub use output::{Derive, OutputProbe, SampleTimes, Sampling, Sink};
pub use panels::{ControlItem, PanelEdit, PanelError, ShownPanel};
pub use probes::{
    PlannedProbeEdit, ProbeCurve, ProbeEdit, ProbeLists, ProbeRun, ProbeSource, ProbeTrack,
};
pub use scheduler::{Halt, Scheduler};
pub use session::{
    Assignment, Build, BuildError, Command, CommandError, Connection, DragPoint, FileError,
    NoFiles, Note, NoteKind, OpenError, Part, Pick, Samples, Session, SessionFiles, Status,
    WaypointMark,
};
pub use settings::SchedulerSettings;
pub use simulation::{MakeBackend, Simulation};
pub use tracking::{FoundExcitation, TrackedTarget, Tracking, TrackingEdit, TrackingStatus};
pub use waypoint::Waypoint;
