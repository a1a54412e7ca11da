//! Common part of the formats of recorded files: begin of a file, and format of an ending.

use std::path::Path;

use crate::RecordingError;

/// The endings of [`create`](super::create).
pub const ENDINGS: &str = if cfg!(feature = "parquet") {
    ".csv, .npy, .parquet, .mot and .sto"
} else {
    ".csv, .npy, .mot and .sto"
};

/// Opening of a file of results: it begins, or goes on where a checkpoint says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// It is new; a file of its name is removed.
    #[default]
    New,
    /// It is made when there is something to write. A file of its name is only replaced if it is a
    /// recording of the same columns.
    Later,
    /// Rows that are there are kept until their end is known.
    Resume,
}

/// A format of recorded files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Npy,
    /// OpenSim's.
    Storage,
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The format that the ending of a name tells.
///
/// # Errors
/// An unknown ending.
pub(crate) fn format_of(path: &Path) -> Result<Format, RecordingError> {
    let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "csv" => Ok(Format::Csv),
        "npy" => Ok(Format::Npy),
        "mot" | "sto" => Ok(Format::Storage),
        #[cfg(feature = "parquet")]
        "parquet" => Ok(Format::Parquet),
        _ => Err(RecordingError::Format { path: path.to_owned(), known: ENDINGS }),
    }
}
