//! Drawings of curves as TOML, `NAME.drawing.toml`: `version = 1`, then curves and nails.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sinew::interactive::{Drawing, DrawingError};
use sinew_run_files::{RecordingError, write_whole};

/// Version of drawings that is written, and the only one that is read.
const VERSION: u64 = 1;
/// Length of a file that is read at most [bytes]: a curve takes some hundred.
const MOST_BYTES: u64 = 4 << 20;

/// Errors of files of drawings.
#[derive(Debug, thiserror::Error)]
pub enum DrawingFileError {
    /// The system refused.
    #[error("{}: {source}", .path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// Too long.
    #[error("{} is longer than the {MOST_BYTES} bytes that a drawing may have", .0.display())]
    TooLong(PathBuf),
    /// It is not read, with line and column.
    #[error("{}: {fault}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The fault, with its place.
        fault: String,
    },
    /// Another version.
    #[error("{}: version = {found}, and this program reads {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// Curves or nails that do not fit.
    #[error("{}: {fault}", .path.display())]
    Drawing {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: Box<DrawingError>,
    },
    /// The disk.
    #[error(transparent)]
    Write(#[from] RecordingError),
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u64,
    #[serde(flatten)]
    drawing: toml::Table,
}

/// Reads a drawing.
///
/// # Errors
/// [`DrawingFileError`].
pub fn read_drawing(path: &Path) -> Result<Drawing, DrawingFileError> {
    let owned = || path.to_owned();
    let system = |source| DrawingFileError::System { path: owned(), source };
    let mut text = String::new();
    let file = File::open(path).map_err(system)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(system)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(DrawingFileError::TooLong(owned()));
    }
    let syntax = |fault: toml::de::Error| DrawingFileError::Syntax {
        path: owned(),
        fault: fault.to_string(),
    };
    let Document { version, drawing } = toml::from_str(&text).map_err(syntax)?;
    if version != VERSION {
        return Err(DrawingFileError::Version { path: owned(), found: version });
    }
    let drawing: Drawing = drawing.try_into().map_err(syntax)?;
    let faulty = |fault| DrawingFileError::Drawing { path: owned(), fault: Box::new(fault) };
    drawing.check().map_err(faulty)?;
    Ok(drawing)
}

/// Writes a drawing, as a whole or not at all.
///
/// # Errors
/// [`DrawingFileError::Write`].
pub fn write_drawing(drawing: &Drawing, path: &Path) -> Result<(), DrawingFileError> {
    let syntax = |fault: toml::ser::Error| DrawingFileError::Syntax {
        path: path.to_owned(),
        fault: fault.to_string(),
    };
    let drawing = toml::Table::try_from(drawing).map_err(syntax)?;
    let text = toml::to_string(&Document { version: VERSION, drawing }).map_err(syntax)?;
    Ok(write_whole(path, text.as_bytes())?)
}
