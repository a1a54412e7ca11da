//! Recorded rows in files: one file a format. Every format can be taken back to an earlier place, in
//! another process too.

mod background;
mod csv;
mod later;
mod line_file;
mod npy;
mod parquet;
mod ranges;

use std::path::Path;

use sinew::schedule::Sink;

use self::background::Background;
pub use self::csv::{CsvSink, quoted};
use self::later::Later;
pub use self::parquet::ParquetSink;
pub use line_file::LineFile;
pub use npy::NpySink;
pub(crate) use ranges::Watched;
pub use ranges::{Ranges, SharedRanges};

use crate::RecordingError;

/// The endings of [`create`].
pub const ENDINGS: &str = ".csv, .npy and .parquet";

/// Values in a row from which on a thread of its own writes it. In words a number takes some 25 ns, and on a
/// busy disk its bytes as much, against 5 us for waking a thread.
const WIDE: usize = 512;

/// Whether a file of results begins, or goes on where a checkpoint says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// It is new; a file of its name is removed.
    #[default]
    New,
    /// It is made when there is something to write. A file of its name is only replaced if it is a
    /// recording of the same columns.
    Later,
    /// What is there is kept until its place is known.
    Resume,
}

/// A format of recorded files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Npy,
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
        "parquet" => Ok(Format::Parquet),
        _ => Err(RecordingError::Format { path: path.to_owned(), known: ENDINGS }),
    }
}

/// A file for rows of a time and the values of `columns`, by the ending of its name.
///
/// # Errors
/// An unknown ending; a file that cannot be written, or with [`Opening::Later`] one that is there.
pub fn create(
    path: &Path,
    columns: &[String],
    opening: Opening,
) -> Result<Box<dyn Sink>, RecordingError> {
    let format = format_of(path)?;
    if opening == Opening::Later {
        return Ok(Box::new(Later::new(path, columns, format)?));
    }
    let sink: Box<dyn Sink> = match format {
        Format::Csv => Box::new(CsvSink::open(path, columns, opening)?),
        Format::Npy => Box::new(NpySink::open(path, columns, opening)?),
        Format::Parquet => Box::new(ParquetSink::open(path, columns, opening)?),
    };
    if columns.len() < WIDE {
        return Ok(sink);
    }
    let sink = Background::new(sink, columns.len());
    Ok(Box::new(sink.map_err(RecordingError::system("start to write", path))?))
}
