//! Recorded rows in files: one file a format. Every format can be taken back to an earlier place, in
//! another process too.

mod background;
mod csv;
mod format;
mod later;
mod line_file;
mod memory;
mod npy;
mod opensim;
#[cfg(feature = "parquet")]
mod parquet;
mod ranges;

use std::path::Path;

use sinew::schedule::Sink;

use self::background::Background;
pub use self::csv::{CsvSink, quoted};
pub use self::format::{ENDINGS, Opening, has_ending};
pub(crate) use self::format::{Format, format_of};
use self::later::Later;
#[cfg(feature = "parquet")]
pub use self::parquet::ParquetSink;
pub use line_file::LineFile;
pub use memory::MemoryTable;
pub use npy::NpySink;
pub use opensim::StorageSink;
pub(crate) use ranges::Watched;
pub use ranges::{Ranges, SharedRanges};

use crate::RecordingError;

/// Values in a row from which on a thread of its own writes it. In words a number takes some 25 ns, and on a
/// busy disk its bytes as much, against 5 us for waking a thread.
const WIDE: usize = 512;

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
        Format::Storage => Box::new(StorageSink::open(path, columns, opening)?),
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(ParquetSink::open(path, columns, opening)?),
    };
    if columns.len() < WIDE {
        return Ok(sink);
    }
    let sink = Background::new(sink, columns.len());
    Ok(Box::new(sink.map_err(RecordingError::system("start to write", path))?))
}
