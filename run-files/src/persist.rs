//! Files that are there as a whole or not at all, also after a loss of power.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
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

/// Writes `bytes` beside `path`, has the disk take them, and renames the file to `path`. A link is followed;
/// a device or a pipe takes the bytes as they come.
///
/// # Errors
/// The system's refusal; what was at `path` is then as it was, and nothing is left beside it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RecordingError> {
    write_together(&[(path, bytes)])
}

/// Writes files that belong together: none takes its name before the disk has all of them.
///
/// # Errors
/// As [`write_whole`].
pub fn write_together(files: &[(&Path, &[u8])]) -> Result<(), RecordingError> {
    let mut staged: Vec<Staged> = Vec::new();
    for (path, bytes) in files {
        let written = Staged::write(path, bytes);
        staged.extend(written.map_err(RecordingError::system("write", path))?);
    }
    staged.into_iter().try_for_each(Staged::publish)
}

/// A file that is complete and does not have its name yet; it goes where it does not get it.
struct Staged {
    beside: PathBuf,
    path: PathBuf,
}

impl Staged {
    /// `None` for a device or a pipe, which is written to and never replaced by a file.
    fn write(path: &Path, bytes: &[u8]) -> io::Result<Option<Self>> {
        let kind = fs::metadata(path).map(|it| it.file_type());
        if kind.as_ref().is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
            OpenOptions::new().write(true).open(path)?.write_all(bytes)?;
            return Ok(None);
        }
        let path = if kind.is_ok() { fs::canonicalize(path)? } else { path.to_owned() };
        let staged = Self { beside: unfinished(&path), path };
        let mut file = File::create(&staged.beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(Some(staged))
    }

    fn publish(self) -> Result<(), RecordingError> {
        let renamed = fs::rename(&self.beside, &self.path);
        renamed.map_err(RecordingError::system("write", &self.path))?;
        sync_directory(&self.path);
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // After the renaming there is none; a leftover would be harmless, as its name marks it.
        let _ = fs::remove_file(&self.beside);
    }
}

/// Has the disk take the name too; a system that cannot do that with a directory loses nothing else.
pub(crate) fn sync_directory(path: &Path) {
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(directory) = File::open(parent) {
        let _ = directory.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_a_link_to_it_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        write_whole(&file, b"one").unwrap();
        write_whole(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&file, &link).unwrap();
            write_whole(&link, b"three").unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(&file).unwrap(), b"three");
        }
        let error = write_whole(folder.path(), b"x").unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
        let count = fs::read_dir(folder.path()).unwrap().count();
        assert!(count <= 2, "{count} files are left");
    }

    #[test]
    fn of_files_that_belong_together_none_changes_where_one_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a", "b"].map(|name| folder.path().join(name));
        write_together(&[(&first, b"1"), (&second, b"2")]).unwrap();
        let nowhere = folder.path().join("no/b");
        write_together(&[(&first, b"3"), (&nowhere, b"4")]).unwrap_err();
        assert_eq!(fs::read(&first).unwrap(), b"1");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// `/dev/full` takes no byte; a file beside it would take its place.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let full = Path::new("/dev/full");
        let error = write_whole(full, b"x").unwrap_err();
        assert!(error.to_string().contains("No space left"), "{error}");
        assert!(fs::metadata(full).unwrap().file_type().is_char_device());
        assert!(!unfinished(full).exists());
        write_whole(Path::new("/dev/null"), b"x").unwrap();
    }
}
