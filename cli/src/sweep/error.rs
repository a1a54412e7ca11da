//! Errors of sweeps.

use std::path::{Path, PathBuf};

use crate::exit::{Exit, Failure};

/// Errors of a sweep.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SweepError {
    /// A file that cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// A file that is no sweep.
    #[error("{}: {message}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The fault, with its place.
        message: String,
    },
    /// A factor that makes no levels.
    #[error("{}: factor `{name}` {problem}", .path.display())]
    Factor {
        /// The sweep.
        path: PathBuf,
        /// Name of the factor.
        name: String,
        /// The fault in it.
        problem: &'static str,
    },
    /// A sweep that makes no cases.
    #[error("{}: {problem}", .path.display())]
    Design {
        /// The sweep.
        path: PathBuf,
        /// The fault in it.
        problem: String,
    },
    /// Options that `sinew run` does not take.
    #[error("{}: the command line of case {number} is refused: {message}", .path.display())]
    Options {
        /// The sweep.
        path: PathBuf,
        /// The case.
        number: usize,
        /// Message of the command line.
        message: String,
    },
    /// A case that is not there.
    #[error("{}: there is no case {number}; there are {count}", .path.display())]
    NoCase {
        /// The sweep.
        path: PathBuf,
        /// The case that was asked for.
        number: u64,
        /// Number of cases.
        count: usize,
    },
    /// A folder of other cases.
    #[error(
        "{} holds another sweep, or this one as it was before a change: give another --out",
        .0.display()
    )]
    Other(PathBuf),
    /// A folder of something else.
    #[error("{} is not empty and holds no sweep: give another --out", .0.display())]
    Occupied(PathBuf),
    /// A table that cannot be made.
    #[cfg(feature = "parquet")]
    #[error("cannot make {}: {what}", .path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Message of the library.
        what: String,
    },
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
}

impl Failure for SweepError {
    fn exit(&self) -> Exit {
        match self {
            Self::Other(_) | Self::Occupied(_) | Self::System { .. } => Exit::Output,
            #[cfg(feature = "parquet")]
            Self::Table { .. } => Exit::Output,
            Self::Read { .. }
            | Self::Syntax { .. }
            | Self::Factor { .. }
            | Self::Design { .. }
            | Self::Options { .. }
            | Self::NoCase { .. } => Exit::Input,
        }
    }
}

impl SweepError {
    /// For `map_err`: the refusal of `action` on `path`.
    pub(super) fn system(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::System { action, path, source }
    }
}
