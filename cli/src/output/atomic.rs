//! Files that are there as a whole or not at all.

use std::fs;
use std::path::Path;

use super::OutputError;

/// Ending of the name of a file while it is written; the frames use the same.
pub(super) const UNFINISHED: &str = ".part";

/// Writes `bytes` beside `path` and renames the file to `path`.
///
/// # Errors
/// The system's refusal; nothing is left behind then.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(UNFINISHED);
    fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path)).map_err(|source| {
        // A leftover would be harmless: its name marks it, and the next run removes it.
        let _ = fs::remove_file(&unfinished);
        OutputError::System { action: "write", path: path.to_owned(), source }
    })
}
