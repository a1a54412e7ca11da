//! Errors of commands to a running model.

use std::path::PathBuf;

use super::building::BuildError;
use crate::model::EditError;
use crate::property::PropertyError;
use crate::schedule::{ScheduleError, SimulationError};

/// Errors of a command; nothing changed then.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The run.
    #[error(transparent)]
    Schedule(Box<ScheduleError>),
    /// The model, a property of it, or its state.
    #[error(transparent)]
    Simulation(Box<SimulationError>),
    /// Something that cannot be built so.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A time in the past.
    #[error("t = {0} s has passed: go back first")]
    Passed(f64),
    /// A pace that is not positive.
    #[error("the pace must be > 0, got {0}")]
    Pace(f64),
    /// No waypoint at a time [s].
    #[error("there is no waypoint at t = {0} s")]
    NoWaypoint(f64),
    /// Nothing was kept, or the model has other components since.
    #[error(
        "there is no way back to where the run was: nothing was kept, or the model was edited since"
    )]
    NothingKept,
    /// No edit before.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// No edit that was undone.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// The point or body was deleted.
    #[error("there is no such point any more")]
    NoPoint,
    /// The component is no body.
    #[error("there is no such body any more")]
    NoBody,
    /// The point is attached to something else.
    #[error("it follows something else: push that")]
    Attached,
    /// Forces do not move the point.
    #[error("it is fixed: forces do not move it")]
    Fixed,
    /// The point is not pinned.
    #[error("it is not pinned")]
    NotPinned,
    /// Bodies are not pinned.
    #[error("only nodes and particles are pinned; of a body, set 'dynamic' to false")]
    PinnedBody,
}

impl From<ScheduleError> for CommandError {
    fn from(error: ScheduleError) -> Self {
        Self::Schedule(Box::new(error))
    }
}

impl From<SimulationError> for CommandError {
    fn from(error: SimulationError) -> Self {
        Self::Simulation(Box::new(error))
    }
}

impl From<PropertyError> for CommandError {
    fn from(error: PropertyError) -> Self {
        SimulationError::from(error).into()
    }
}

impl From<EditError> for CommandError {
    fn from(error: EditError) -> Self {
        SimulationError::from(error).into()
    }
}

/// Fault of a file that a session was to open or write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// This session reads and writes no files.
    #[error("{}: no files are read or written here", .0.display())]
    NoFiles(PathBuf),
    /// It cannot be read or written: the whole message.
    #[error("{0}")]
    Failed(String),
}

impl From<String> for FileError {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}
