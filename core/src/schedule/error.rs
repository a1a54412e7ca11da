//! Errors of a running model.

use super::callback::CallbackError;
use super::{MostExcited, PanelError, SchedulerSettings};
use crate::editing::EditCommandError;
use crate::model::EditError;
use crate::property::PropertyError;
use crate::system::{CompileError, StepError};

/// Errors of a running model. The model is then as it was before the call, and can be mended.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The model cannot be simulated as it is.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A step could not be taken.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An edit was refused.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A command was refused.
    #[error(transparent)]
    Command(Box<EditCommandError>),
    /// A property could not be read or set.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// The user's own code gave up.
    #[error("'{name}' stopped the run at t = {time} s: {source}")]
    Callback {
        /// Name of the controller or monitor.
        name: String,
        /// Time of the state [s].
        time: f64,
        /// Error of the callback.
        source: CallbackError,
    },
}

/// Errors of a run. The last good state is kept.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleError {
    /// The simulation.
    #[error(transparent)]
    Simulation(Box<SimulationError>),
    /// A step failed, and its parts did.
    #[error(
        "{source}; a step of {length:e} s failed, and none is shorter than {smallest:e} s{}",
        excited.behind_reason()
    )]
    TooShort {
        /// Length of the last try [s].
        length: f64,
        /// The shortest that is allowed [s].
        smallest: f64,
        /// The largest excitations of that time: a muscle may have done it.
        excited: MostExcited,
        /// Error of the last attempt.
        source: StepError,
    },
    /// It was asked to stop while a step that failed was taken in parts; the parts so far are kept.
    #[error("stopped at t = {time} s, within a step that failed as a whole")]
    Stopped {
        /// Time of the run [s].
        time: f64,
    },
    /// Settings without a meaning.
    #[error(
        "steps and speed must be > 0 and finite, got a step of {} s, a smallest step of {} s and {}", .0.step, .0.smallest_step,
        .0.pace.map_or("no speed".to_owned(), |pace| format!("a speed of {pace}"))
    )]
    Settings(SchedulerSettings),
    /// A waypoint in the past.
    #[error("t = {time} s has passed, it is t = {now} s: rewind first, or choose a later time")]
    Passed {
        /// Its time [s].
        time: f64,
        /// Time of the run [s].
        now: f64,
    },
    /// Too many waypoints, or an interval that is none.
    #[error(
        "waypoints every {interval} s until {end} s are too many or none: take a longer interval"
    )]
    Waypoints {
        /// Between two [s].
        interval: f64,
        /// Of the last [s].
        end: f64,
    },
    /// An edit of a probe that was refused.
    #[error("{0}")]
    Probe(#[source] CallbackError),
    /// An edit of a panel that was refused.
    #[error(transparent)]
    Panel(#[from] PanelError),
    /// Inverse control that is not there, or a command to it that was refused.
    #[error("{0}")]
    Tracking(#[source] CallbackError),
    /// A waypoint of another model.
    #[error("the waypoint at t = {time} s is of a model with other parts: go back to the start")]
    Stale {
        /// Its time [s].
        time: f64,
    },
}

impl From<EditCommandError> for SimulationError {
    fn from(error: EditCommandError) -> Self {
        Self::Command(Box::new(error))
    }
}

impl From<SimulationError> for ScheduleError {
    fn from(error: SimulationError) -> Self {
        Self::Simulation(Box::new(error))
    }
}

impl From<PropertyError> for ScheduleError {
    fn from(error: PropertyError) -> Self {
        SimulationError::from(error).into()
    }
}
