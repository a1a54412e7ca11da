//! Errors of probes and checkpoints, in reading, making and writing.

use std::path::{Path, PathBuf};

use sinew::formula::FormulaError;
use sinew::property::PropertyError;

use crate::checkpoint::CheckpointFault;

/// Errors of a file of a probe, or of a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", .path.display())]
    System {
        /// The operation that failed.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The ending of a file tells no format.
    #[error("{}: no format has this ending; known are {known}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The endings.
        known: &'static str,
    },
    /// A file that is there and is no earlier recording.
    #[error(
        "{} is there already, and is no recording of the same columns: name another file or directory, or move it",
        .path.display()
    )]
    Occupied {
        /// The file.
        path: PathBuf,
    },
    /// A line that cannot be read.
    #[error("{}, line {line}: {what}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: u64,
        /// The fault, and the expected text.
        what: String,
    },
    /// Data without a single row.
    #[error("{}: there is not one row of data", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A column that is not there.
    #[error("{}: there is no column '{column}'; there are {known}", .path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// Its name as given.
        column: String,
        /// The names.
        known: String,
    },
    /// A column that is taken by its name, which another one has too.
    #[error("{}: there are two columns '{column}': give one of them another name", .path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// Name of both.
        column: String,
    },
    /// A spline through more than is held in memory.
    #[error("{}: a spline takes at most {most} rows in memory: choose the interpolation cubic", .path.display())]
    Spline {
        /// The file.
        path: PathBuf,
        /// Rows that it takes at most.
        most: usize,
    },
    /// A file that is no checkpoint, or is damaged.
    #[error("{} is no whole checkpoint: {fault}", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The fault that was found.
        fault: CheckpointFault,
    },
    /// Results that are not those of the checkpoint.
    #[error("{} ends at byte {found}, before byte {place} of the checkpoint: the files are not of one run", .path.display())]
    Shorter {
        /// The file.
        path: PathBuf,
        /// Length at which it should go on [bytes].
        place: u64,
        /// Length at which it ends [bytes].
        found: u64,
    },
    /// The library of the format.
    #[error("cannot write {}: {what}", .path.display())]
    Library {
        /// The file.
        path: PathBuf,
        /// Message of the library.
        what: String,
    },
}

impl RecordingError {
    /// For `map_err`: the refusal of `action` on `path`.
    pub(crate) fn system(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::System { action, path, source }
    }
}

/// Errors in making a probe.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// Its file.
    #[error("probe '{probe}': {source}")]
    File {
        /// Name of the probe.
        probe: String,
        /// The error of the file.
        source: RecordingError,
    },
    /// A property.
    #[error("probe '{probe}': {source}")]
    Property {
        /// Name of the probe.
        probe: String,
        /// The error of the property.
        source: Box<PropertyError>,
    },
    /// A property that is no numbers of a fixed count, or is read-only.
    #[error("probe '{probe}': {property} {why}")]
    Unfit {
        /// Name of the probe.
        probe: String,
        /// Path of the property.
        property: String,
        /// Reason for which it does not fit.
        why: &'static str,
    },
    /// Numbers of columns and of values differ.
    #[error("probe '{probe}': the data has {columns} columns, the properties take {values} values")]
    Width {
        /// Name of the probe.
        probe: String,
        /// Of the data.
        columns: usize,
        /// Of the properties.
        values: usize,
    },
    /// A formula.
    #[error("probe '{probe}': the formula '{formula}' cannot be read: {fault}")]
    Formula {
        /// Name of the probe.
        probe: String,
        /// The formula as given.
        formula: String,
        /// The fault in the formula.
        fault: FormulaError,
    },
    /// A file that is not named as one of the results.
    #[error(
        "probe '{probe}': '{}' is no plain name of a file: results stand in one directory, which `--out` names",
        .file.display()
    )]
    NoPlainName {
        /// Name of the probe.
        probe: String,
        /// The file.
        file: PathBuf,
    },
    /// Two probes that record to one file.
    #[error("probe '{probe}': it records to {} as probe '{first}' does: give it another file", .file.display())]
    SameFile {
        /// Name of the probe.
        probe: String,
        /// The file.
        file: PathBuf,
        /// Name of the probe that has it already.
        first: String,
    },
    /// Fields that do not go together, or a number out of range.
    #[error("probe '{probe}': {what}")]
    Field {
        /// Name of the probe.
        probe: String,
        /// The fault in the field.
        what: String,
    },
}
