//! Files and folders of what the steps put together.

use std::path::{Path, PathBuf};

/// A folder without anything in it: what an earlier run left is removed.
///
/// # Errors
/// A folder that cannot be removed or made.
pub(crate) fn make_anew(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| named(folder, &error))?;
    }
    make(folder)
}

/// A folder, with those that it is in.
///
/// # Errors
/// A folder that cannot be made.
pub(crate) fn make(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| named(folder, &error))
}

/// Copies the files of a folder; folders in it are left out.
///
/// # Errors
/// A file that cannot be read or written.
pub(crate) fn copy_files(from: &Path, to: &Path) -> Result<(), String> {
    for entry in std::fs::read_dir(from).map_err(|error| named(from, &error))? {
        let path = entry.map_err(|error| named(from, &error))?.path();
        if path.is_file() {
            copy(&path, &to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Copies a file.
///
/// # Errors
/// A file that cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(|_| ()).map_err(|error| named(from, &error))
}

/// The program of Python in a virtual environment.
pub(crate) fn python_in(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// An error with the path that it is of.
pub(crate) fn named(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
