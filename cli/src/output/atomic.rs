//! Files that are there as a whole or not at all.

use std::path::Path;

use sinew_run_files::write_whole;

use super::error::OutputError;

/// Ending of the name of a file while it is written; the frames use the same.
pub(super) const UNFINISHED: &str = ".part";

/// Writes `bytes` beside `path` and renames the file to `path`.
///
/// # Errors
/// The system's refusal; nothing is left behind then.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    Ok(write_whole(path, bytes)?)
}
