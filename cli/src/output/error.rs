//! Errors of writing results.

use std::path::{Path, PathBuf};

use sinew::io::WriteError;
use sinew_run_files::RecordingError;

use crate::exit::{Exit, Failure};

/// Errors of writing results.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutputError {
    /// The directory is used for something else.
    #[error(
        "{} is not empty and holds no former run (no run.json of Sinew): give another --out",
        .0.display()
    )]
    Occupied(PathBuf),
    /// Another run writes there.
    #[error("{}: another run writes its results there: wait until it ends, or give another --out", .0.display())]
    Busy(PathBuf),
    /// A file of a probe that no former run wrote.
    #[error(
        "{} is there already and is not of a former run: give the probe another file, or move it",
        .0.display()
    )]
    NotOurs(PathBuf),
    /// There is nothing to go on with.
    #[error(
        "{} holds no former run (no run.json of Sinew): give the --out of the run to go on with",
        .0.display()
    )]
    NoFormerRun(PathBuf),
    /// The directory is a file.
    #[error("{} is a file: --out takes a directory", .0.display())]
    NotADirectory(PathBuf),
    /// The system refused.
    #[error("cannot {action} {}: {source}", .path.display())]
    System {
        /// The operation that failed.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The table of energies.
    #[error(transparent)]
    Table(#[from] RecordingError),
    /// A frame or the list of frames.
    #[error(transparent)]
    Frame(#[from] WriteError),
}

impl Failure for OutputError {
    fn exit(&self) -> Exit {
        match self {
            // The command line asks for what no format is, or holds.
            Self::Frame(WriteError::Format { .. }) => Exit::Usage,
            _ => Exit::Output,
        }
    }
}

impl OutputError {
    /// For `map_err`: the refusal of `action` on `path`.
    pub(crate) fn system(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::System { action, path, source }
    }
}
