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

#[cfg(feature = "parquet")]
const PARQUET: Option<Format> = Some(Format::Parquet);
#[cfg(not(feature = "parquet"))]
const PARQUET: Option<Format> = None;

/// Endings with their formats; `None` of those that this build leaves out.
const FORMATS: [(&str, Option<Format>); 5] = [
    ("csv", Some(Format::Csv)),
    ("npy", Some(Format::Npy)),
    ("parquet", PARQUET),
    ("mot", Some(Format::Storage)),
    ("sto", Some(Format::Storage)),
];

/// The format that belongs to the ending of a name, if any build knows the ending.
fn by_ending(path: &Path) -> Option<Option<Format>> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    FORMATS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
}

/// True if the ending of a name is that of a recorded file, whether this build writes it or not.
pub fn has_ending(path: &Path) -> bool {
    by_ending(path).is_some()
}

/// The format that the ending of a name tells.
///
/// # Errors
/// An ending that is unknown, or left out of this build.
pub(crate) fn format_of(path: &Path) -> Result<Format, RecordingError> {
    let unknown = || RecordingError::Format { path: path.to_owned(), known: ENDINGS };
    by_ending(path).flatten().ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endings_that_are_told_are_those_that_are_written() {
        let written = FORMATS.iter().filter(|(_, format)| format.is_some());
        let written: Vec<String> = written.map(|(ending, _)| format!(".{ending}")).collect();
        let told = ENDINGS.replace(" and ", ", ");
        assert_eq!(told.split(", ").collect::<Vec<_>>(), written);
    }

    #[test]
    fn endings_are_known_in_capitals_and_in_builds_without_their_format() {
        for (name, known) in [("a.CSV", true), ("b.parquet", true), ("c", false), ("d.npz", false)]
        {
            assert_eq!(has_ending(Path::new(name)), known, "{name}");
        }
    }
}
