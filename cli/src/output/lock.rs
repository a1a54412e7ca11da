//! `run.lock`: one run at a time writes to a directory. The system takes the lock off when the process ends,
//! however it ends; the file stays.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use super::error::OutputError;

/// Name of the file.
pub(super) const NAME: &str = "run.lock";

/// A directory that is locked as long as this lives.
pub(crate) struct DirectoryLock {
    /// Its lock goes when it is closed.
    _file: File,
}

impl DirectoryLock {
    /// Locks `directory`, which is there.
    ///
    /// # Errors
    /// [`OutputError::Busy`] while another process has it; a file that cannot be made. A file system without
    /// locks is only warned of.
    pub(crate) fn take(directory: &Path) -> Result<Self, OutputError> {
        Self::at(&directory.join(NAME), directory)
    }

    /// The same for a directory that is made where it is not there.
    ///
    /// # Errors
    /// As [`Self::take`]; a directory that cannot be made.
    pub(crate) fn take_made(directory: &Path) -> Result<Self, OutputError> {
        std::fs::create_dir_all(directory).map_err(OutputError::system("create", directory))?;
        Self::take(directory)
    }

    /// Locks what is to be written to `directory`, which need not be there, by a file beside it.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub(crate) fn beside(directory: &Path) -> Result<Self, OutputError> {
        Self::at(&directory.with_extension("lock"), directory)
    }

    fn at(path: &Path, directory: &Path) -> Result<Self, OutputError> {
        let mut options = OpenOptions::new();
        // What is in it does not matter; a link of that name may lead to a file of the user.
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(OutputError::system("create", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OutputError::Busy(directory.to_owned())),
            Err(TryLockError::Error(error)) => {
                let directory = directory.display();
                tracing::warn!(%directory, %error, "no lock: do not start another run here");
            }
        }
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_locked_until_the_lock_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let first = DirectoryLock::take(directory.path()).unwrap();
        let error = DirectoryLock::take(directory.path()).err().unwrap();
        assert!(matches!(error, OutputError::Busy(_)), "{error}");
        drop(first);
        DirectoryLock::take(directory.path()).unwrap();
    }
}
