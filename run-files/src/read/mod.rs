//! Rows of numbers over time from text files, one after another, in bounded memory: one file a format.

mod artisynth;
mod csv;
mod lines;
mod memory;
mod opensim;
mod rows;
mod trc;
mod words;

use std::path::Path;

pub use self::csv::CsvRows;
pub use memory::MemoryRows;
pub use rows::{Heading, Rows};
pub use words::WordRows;

use crate::RecordingError;

/// The endings of [`open`].
pub const ENDINGS: &str = ".csv, .trc, .mot, .sto and .txt";

/// Opens a file by its ending.
///
/// # Errors
/// An unknown ending; a file that cannot be opened; a heading that is none.
pub fn open(path: &Path) -> Result<Box<dyn Rows>, RecordingError> {
    let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "csv" => Ok(Box::new(CsvRows::open(path)?)),
        "trc" => Ok(Box::new(WordRows::open(path, trc::heading)?)),
        "mot" | "sto" => Ok(Box::new(WordRows::open(path, opensim::heading)?)),
        "txt" => Ok(Box::new(WordRows::open(path, artisynth::heading)?)),
        _ => Err(RecordingError::Format { path: path.to_owned(), known: ENDINGS }),
    }
}
