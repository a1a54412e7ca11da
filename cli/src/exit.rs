//! Why the command ends, and the exit code of each reason. The codes are documented in
//! docs/command-line.md and in the help; scripts rely on them.

use std::path::PathBuf;
use std::process::ExitCode;

use sinew::property::PropertyError;
use sinew::schedule::{ScheduleError, SimulationError};
use sinew::system::{CompileError, StepError};
use sinew_files::SaveError;
use sinew_recording::{ProbeError, RecordingError};

use crate::console::StdoutError;
use crate::output::OutputError;
use crate::render::RenderError;
use crate::run::device::{self, GpuError};
use crate::run::{ProbeArgError, SetError, SourceError, WatchError};
use crate::shell::ShellError;
use sinew_viewer::window::WindowError;

/// How the command ended. The discriminant is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Done = 0,
    /// The system refused something basic, such as threads.
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

/// Options that do not go together, or name what does not exist.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UsageError {
    /// `--sizes` with a mesh file.
    #[error(
        "--sizes goes with a scene that comes in sizes (hex, tet, kuhn, tongue), not with a mesh"
    )]
    Sizes,
    /// `--newton` with an integrator that has no linearized form.
    #[error("--newton goes with --integrator backward-euler or trapezoidal: {0}")]
    Newton(&'static str),
    /// `--newton-tolerance` where nothing iterates.
    #[error("--newton-tolerance goes with --newton and with the integrators midpoint and static")]
    NewtonTolerance,
    /// `--increments` without `static`.
    #[error("--increments goes with --integrator static only")]
    Increments,
    /// More steps than can be counted.
    #[error(
        "--time {time} at --step {step} would take {steps:.1e} steps: take larger steps or less time"
    )]
    TooManySteps {
        /// Simulated time [s].
        time: f64,
        /// Step [s].
        step: f64,
        /// Their ratio.
        steps: f64,
    },
    /// `--patches` with an angle that parts the surface everywhere.
    #[error(
        "--patches: the angle parts the surface into {found} patches: take a larger one, for at most {most}"
    )]
    TooManyPatches {
        /// How many there are.
        found: usize,
        /// How many are taken.
        most: usize,
    },
    /// `--to` with a surface.
    #[error("--to goes with a volume mesh, and the file holds a surface")]
    ToOfSurface,
    /// `--to tet10` with other elements.
    #[error("--to tet10 goes with a mesh of tetrahedra alone, and the file has {kind}")]
    ToTet10 {
        /// What it has.
        kind: &'static str,
    },
    /// A level of the log that does not exist.
    #[error("SINEW_LOG={name}: expected off, error, warn, info, debug or trace")]
    LogLevel {
        /// The level as given.
        name: String,
    },
}

/// Why a command ended before it was done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The command line.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The model, its file or its parameters.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A value of `--set`.
    #[error(transparent)]
    Set(#[from] SetError),
    /// A value of `--watch`.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// The path of `sinew inspect`.
    #[error(transparent)]
    Property(Box<PropertyError>),
    /// A model that cannot be simulated.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The solver could not be set up for the model.
    #[error(transparent)]
    Solver(#[from] StepError),
    /// `--backend gpu`, or `--device`, and no device that will do.
    #[error("{}", device::advised(.source))]
    Device {
        /// What is wrong with device or model.
        source: GpuError,
    },
    /// The results.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A model that cannot be saved.
    #[error(transparent)]
    Save(Box<SaveError>),
    /// A probe of the command line.
    #[error(transparent)]
    ProbeArg(#[from] ProbeArgError),
    /// A probe.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A checkpoint, or a file of a probe.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A checkpoint of another run.
    #[error(
        "{} is of a run with another model or other options: give the same model, --param, --set, --step, --every, --probe, --input and --checkpoint-every",
        .0.display()
    )]
    OtherRun(PathBuf),
    /// The run itself, but for its steps.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A picture.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Commands of `sinew shell`.
    #[error(transparent)]
    Shell(#[from] ShellError),
    /// The window.
    #[error(transparent)]
    Window(#[from] WindowError),
    /// Stdout.
    #[error(transparent)]
    Stdout(#[from] StdoutError),
    /// The threads.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The handler of Ctrl-C.
    #[error("cannot listen for Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
}

impl From<SaveError> for CliError {
    fn from(error: SaveError) -> Self {
        Self::Save(Box::new(error))
    }
}

impl From<PropertyError> for CliError {
    fn from(error: PropertyError) -> Self {
        Self::Property(Box::new(error))
    }
}

impl CliError {
    /// The exit code of this reason.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Source(_) | Self::Set(_) | Self::Watch(_) => Exit::Input,
            Self::Property(_) | Self::Compile(_) => Exit::Input,
            Self::Device { source } => device::exit_of(source),
            Self::ProbeArg(_) | Self::OtherRun(_) => Exit::Input,
            Self::Probe(ProbeError::File { source, .. }) => of_file(source),
            Self::Probe(_) => Exit::Input,
            Self::Recording(error) => of_file(error),
            Self::Schedule(error) => of_schedule(error),
            Self::Render(error) => of_picture(error),
            Self::Shell(error) => error.exit(),
            Self::Window(_) => Exit::System,
            Self::Solver(_) => Exit::Step,
            Self::Output(_) | Self::Stdout(_) => Exit::Output,
            Self::Save(error) if matches!(**error, SaveError::Io(_)) => Exit::Output,
            Self::Save(_) => Exit::Input,
            Self::Threads(_) | Self::Signal(_) => Exit::System,
        }
    }
}

/// A picture that cannot be drawn here is the system's, one that cannot be written output.
fn of_picture(error: &RenderError) -> Exit {
    match error {
        RenderError::Camera { .. }
        | RenderError::View(_)
        | RenderError::Ending(_)
        | RenderError::Number(_) => Exit::Usage,
        RenderError::Viewer(_) => Exit::System,
        RenderError::Output(_) => Exit::Output,
    }
}

/// What cannot be written is output, what cannot be read input.
fn of_file(error: &RecordingError) -> Exit {
    match error {
        RecordingError::System { action: "read" | "open", .. } => Exit::Input,
        RecordingError::System { .. }
        | RecordingError::Library { .. }
        | RecordingError::Shorter { .. } => Exit::Output,
        _ => Exit::Input,
    }
}

/// The exit code of a run that could not go on.
pub(crate) fn of_schedule(error: &ScheduleError) -> Exit {
    match error {
        ScheduleError::TooShort { .. } => Exit::Step,
        ScheduleError::Simulation(error) => match &**error {
            SimulationError::Step(_) => Exit::Step,
            SimulationError::Callback { source, .. } => {
                source.downcast_ref().map_or(Exit::Input, of_file)
            }
            _ => Exit::Input,
        },
        _ => Exit::Input,
    }
}
