//! Sources of recorded rows: a file, or memory.

use std::path::{Path, PathBuf};

use crate::read::{self, MemoryRows, Rows};
use crate::{ProbeError, RecordingError};

/// Rows over time: a file, or numbers in memory with the names that the columns of a file would have.
#[derive(Clone, Debug, PartialEq)]
pub enum Recording {
    /// A file (.csv, .trc, .mot, .sto, .txt).
    File(PathBuf),
    /// Numbers in memory, angles in radians.
    Memory {
        /// Names of the columns after the time.
        columns: Vec<String>,
        /// Rows of a time [s] and values; a value that was not recorded is NaN.
        rows: Vec<Vec<f64>>,
    },
}

impl Recording {
    /// Name in errors.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Memory { .. } => Path::new("the recorded numbers"),
        }
    }

    pub(crate) fn open(&self) -> Result<Box<dyn Rows>, RecordingError> {
        match self {
            Self::File(path) => read::open(path),
            Self::Memory { columns, rows } => {
                let rows = MemoryRows::named(columns.clone(), rows.clone());
                let what = format!(
                    "each row has a finite time and {} values, which may be NaN but not infinite",
                    columns.len()
                );
                let path = self.path().to_owned();
                rows.map(|rows| Box::new(rows) as Box<dyn Rows>)
                    .map_err(|line| RecordingError::Line { path, line, what })
            }
        }
    }

    /// An error of the rows with their name.
    pub(crate) fn named(&self, source: RecordingError) -> ProbeError {
        ProbeError::File { probe: self.path().display().to_string(), source }
    }
}

impl From<&Path> for Recording {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl From<&PathBuf> for Recording {
    fn from(path: &PathBuf) -> Self {
        Self::File(path.clone())
    }
}
