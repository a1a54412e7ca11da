//! The exit codes, and the trait by which errors have one. The codes are documented in
//! docs/reference/command-line.md and in the help; scripts rely on them. Each command says beside
//! its errors which one they end with.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use sinew::property::PropertyError;
use sinew::schedule::{ScheduleError, SimulationError};
use sinew::system::{CompileError, StepError};
use sinew_model_files::SaveError;
use sinew_run_files::{ProbeError, RecordingError};

/// Outcome of a command. The discriminant is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Done = 0,
    /// The system refused something basic, such as threads or memory.
    System = 1,
    /// The command line is wrong, or asks for what is not there (clap ends with this code too).
    Usage = 2,
    /// A model, file or parameter was refused; nothing was written.
    Input = 3,
    /// A step failed; what was good until then is written.
    Step = 4,
    /// The results could not be written.
    Output = 5,
    /// Interrupted by Ctrl-C or a request to terminate; what was computed is written.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error that ends the command.
pub(crate) trait Failure: Error + Send + 'static {
    /// The exit code of this reason.
    fn exit(&self) -> Exit;
}

/// Error that ended a command.
pub(crate) struct CliError(Box<dyn Failure>);

impl CliError {
    /// The exit code of this reason.
    pub(crate) fn exit(&self) -> Exit {
        self.0.exit()
    }

    /// True if the reason is an error of a type.
    pub(crate) fn is<E: Failure>(&self) -> bool {
        let error: &(dyn Error + 'static) = &*self.0;
        error.is::<E>()
    }
}

impl<E: Failure> From<E> for CliError {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Debug for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for CliError {}

/// Errors of the system.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SystemError {
    /// The threads.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The handler of Ctrl-C.
    #[error("cannot listen for Ctrl-C: {0}; if memory is short (`ulimit -v`), give more")]
    Signal(#[from] ctrlc::Error),
}

impl Failure for SystemError {
    fn exit(&self) -> Exit {
        Exit::System
    }
}

impl Failure for PropertyError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

impl Failure for CompileError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// A solver that cannot be set up for a model.
impl Failure for StepError {
    fn exit(&self) -> Exit {
        Exit::Step
    }
}

impl Failure for SaveError {
    fn exit(&self) -> Exit {
        match self {
            Self::Io(_) => Exit::Output,
            _ => Exit::Input,
        }
    }
}

impl Failure for ProbeError {
    fn exit(&self) -> Exit {
        match self {
            Self::File { source, .. } => source.exit(),
            _ => Exit::Input,
        }
    }
}

/// Errors of writing are errors of output, those of reading errors of input.
impl Failure for RecordingError {
    fn exit(&self) -> Exit {
        match self {
            Self::System { action: "read" | "open", .. } => Exit::Input,
            Self::System { .. } | Self::Library { .. } | Self::Shorter { .. } => Exit::Output,
            _ => Exit::Input,
        }
    }
}

/// A run that could not go on.
impl Failure for ScheduleError {
    fn exit(&self) -> Exit {
        match self {
            Self::TooShort { .. } => Exit::Step,
            Self::Simulation(error) => match &**error {
                SimulationError::Step(_) => Exit::Step,
                SimulationError::Callback { source, .. } => source
                    .downcast_ref::<RecordingError>()
                    .map_or(Exit::Input, RecordingError::exit),
                _ => Exit::Input,
            },
            _ => Exit::Input,
        }
    }
}
