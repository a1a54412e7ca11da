//! Files that are there as a whole or not at all, also after a loss of power.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::RecordingError;

/// Ending of the name of a file while it is written.
const UNFINISHED: &str = ".part";

/// The name of `path` while it is written.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    name.into()
}

/// Writes `bytes` beside `path`, has the disk take them, and renames the file to `path`.
///
/// # Errors
/// The system's refusal; what was at `path` is then as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RecordingError> {
    let beside = unfinished(path);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|source| {
        // A leftover would be harmless: its name marks it.
        let _ = fs::remove_file(&beside);
        RecordingError::System { action: "write", path: path.to_owned(), source }
    })?;
    sync_directory(path);
    Ok(())
}

/// Has the disk take the name too; a system that cannot do that with a directory loses nothing else.
pub(crate) fn sync_directory(path: &Path) {
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(directory) = File::open(parent) {
        let _ = directory.sync_all();
    }
}
