//! Files that are there as a whole or not at all.

use std::fs;
use std::path::Path;

use super::OutputError;

/// Writes `bytes` to a hidden file beside `path` and renames it to `path`.
///
/// # Errors
/// The system's refusal; nothing is left behind then.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path)).map_err(|source| {
        // A leftover would be harmless: its name marks it, and the next run removes it.
        let _ = fs::remove_file(&temporary);
        OutputError::System { action: "write", path: path.to_owned(), source }
    })
}
