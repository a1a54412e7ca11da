//! A model that runs: stepped, read, set and edited at once, with the user's own code before and after
//! each step ([`Simulation`]); and what takes it through time, with probes, waypoints and failed steps
//! ([`Scheduler`]). Files of probes and checkpoints: the crate `sinew-recording`.

mod attempts;
mod callback;
mod command;
mod edits;
mod error;
mod input;
mod motion;
mod output;
mod pace;
mod report;
mod scheduler;
mod simulation;
mod timeline;
mod values;
mod waypoint;
mod written;

pub use callback::{CallbackError, Control, Controller, Monitor};
pub use command::{Assignment, Command, Grip};
pub use error::{ScheduleError, SimulationError};
pub use input::{InputProbe, Signal};
pub use output::{Derive, OutputProbe, SampleTimes, Sampling, Sink};
pub use report::{Note, NoteKind, ProbeTrack, Status, WaypointMark};
pub use scheduler::{Halt, Scheduler, SchedulerSettings};
pub use simulation::{MakeBackend, Simulation};
pub use waypoint::Waypoint;
