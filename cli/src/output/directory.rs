//! Directory of results: the check that it may be used, and the removal of a former run's files.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::OutputError;
use super::lock::{self, DirectoryLock};
use super::{atomic, csv, frames, run_json};

/// Name of the file that a run is resumed from.
pub(crate) const CHECKPOINT: &str = "checkpoint.sinew";

/// Makes `directory` ready for a run whose probes record to `probe_files`: creates it, or removes the files
/// of a former run but for its record, which is the mark of the directory until the new one replaces it.
/// Files that no run writes stay. Nothing is removed where anything is refused.
///
/// # Errors
/// A directory with contents but without a former run, or that another run writes to; a path that is no
/// directory; a file of a probe that no run wrote; the refusal of the system.
pub(super) fn prepare(
    directory: &Path,
    probe_files: &[PathBuf],
) -> Result<DirectoryLock, OutputError> {
    if directory.exists() && !directory.is_dir() {
        return Err(OutputError::NotADirectory(directory.to_owned()));
    }
    fs::create_dir_all(directory).map_err(OutputError::system("create", directory))?;
    let is_used = entries(directory)?.iter().any(|name| !is_before_the_mark(name));
    if is_used && !run_json::marks_a_run(directory) {
        // A run that has just begun has made no mark yet.
        let busy = directory.join(lock::NAME).exists().then(|| DirectoryLock::take(directory));
        let _lock = busy.transpose()?;
        return Err(OutputError::Occupied(directory.to_owned()));
    }
    let lock = DirectoryLock::take(directory)?;
    let recorded = run_json::probe_files(directory);
    let is_new = |file: &&PathBuf| !recorded.contains(file);
    let taken = |file: &PathBuf| directory.join(file).symlink_metadata().is_ok();
    if let Some(file) = probe_files.iter().filter(is_new).find(|file| taken(file)) {
        return Err(OutputError::NotOurs(directory.join(file)));
    }
    let of_a_run = |name: &String| {
        let recorded = recorded.iter().any(|file| is_of(file, name));
        (is_ours(name) || recorded) && name != run_json::NAME && name != lock::NAME
    };
    for name in entries(directory)?.into_iter().filter(of_a_run) {
        let path = directory.join(name);
        fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
    }
    Ok(lock)
}

/// Makes the directory of a former run ready to go on after `frames` frames; later ones are removed.
///
/// # Errors
/// A directory without a former run, or that another run writes to; the refusal of the system.
pub(super) fn prepare_to_go_on(
    directory: &Path,
    frames: usize,
) -> Result<DirectoryLock, OutputError> {
    if !run_json::marks_a_run(directory) {
        return Err(OutputError::NoFormerRun(directory.to_owned()));
    }
    let lock = DirectoryLock::take(directory)?;
    let later = |name: &String| frames::number(name).is_some_and(|number| number >= frames);
    for name in entries(directory)?.into_iter().filter(later) {
        let path = directory.join(name);
        fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
    }
    Ok(lock)
}

/// The names in `directory`; one that is not Unicode is none of ours and may be garbled.
fn entries(directory: &Path) -> Result<Vec<String>, OutputError> {
    let refused = || OutputError::system("read", directory);
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(refused())? {
        names.push(entry.map_err(refused())?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

/// True if a run writes files of this name, or of the name that they have while being written; on some
/// systems case does not tell names apart.
pub(crate) fn is_ours(name: &str) -> bool {
    let name = name.to_lowercase();
    let name = name.strip_suffix(atomic::UNFINISHED).unwrap_or(&name);
    let tables = [run_json::NAME, csv::NAME, frames::SERIES, CHECKPOINT, lock::NAME];
    tables.contains(&name) || frames::is_frame(name)
}

/// True if a run that was killed before it had marked its directory may have left a file of this name.
fn is_before_the_mark(name: &str) -> bool {
    name == lock::NAME || name.strip_suffix(atomic::UNFINISHED) == Some(run_json::NAME)
}

/// True if `name` is that of a recorded file, or of what stands beside it.
fn is_of(file: &Path, name: &str) -> bool {
    const BESIDE: [&str; 4] = ["", ".columns", ".rows", atomic::UNFINISHED];
    let rest = name.strip_prefix(&*file.to_string_lossy());
    rest.is_some_and(|rest| BESIDE.contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_files(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
        }
        directory
    }

    #[test]
    fn a_former_run_is_removed_but_for_its_record_and_other_files_stay() {
        let directory = with_files(&[
            ("run.json", r#"{"program": "sinew", "probe_files": ["a.npy", "../b.csv"]}"#),
            ("energies.csv", ""),
            ("frames.pvd", ""),
            ("frame_00000.vtu", ""),
            ("frame_123456.vtu", ""),
            ("frame_00001.vtu.part", ""),
            ("a.npy", ""),
            ("a.npy.columns", ""),
            ("frame_final.vtu", "mine"),
            ("b.csv", "mine"),
            ("notes.txt", "mine"),
        ]);
        let _lock = prepare(directory.path(), &["a.npy".into()]).unwrap();
        let mut left = entries(directory.path()).unwrap();
        left.sort();
        assert_eq!(left, ["b.csv", "frame_final.vtu", "notes.txt", "run.json", "run.lock"]);
    }

    #[test]
    fn a_run_killed_before_its_first_record_is_in_nobodys_way() {
        let directory = with_files(&[("run.lock", ""), ("run.json.part", r#"{"progr"#)]);
        let _lock = prepare(directory.path(), &[]).unwrap();
        assert_eq!(entries(directory.path()).unwrap(), ["run.lock"]);
        let other = with_files(&[("run.lock", ""), ("run.json.part", ""), ("notes.txt", "mine")]);
        assert!(matches!(prepare(other.path(), &[]), Err(OutputError::Occupied(_))));
    }

    #[test]
    fn a_file_of_the_user_is_no_file_of_a_probe_and_nothing_goes() {
        let former = ("run.json", r#"{"program": "sinew", "probe_files": ["a.csv"]}"#);
        let directory = with_files(&[former, ("energies.csv", "old"), ("b.csv", "mine")]);
        let error = prepare(directory.path(), &["a.csv".into(), "b.csv".into()]).err().unwrap();
        assert!(matches!(&error, OutputError::NotOurs(file) if file.ends_with("b.csv")), "{error}");
        assert!(directory.path().join("energies.csv").exists());
        assert!(prepare(directory.path(), &["a.csv".into()]).is_ok());
    }

    #[test]
    fn a_directory_that_is_written_to_is_left_alone() {
        let directory =
            with_files(&[("run.json", r#"{"program": "sinew"}"#), ("energies.csv", "")]);
        let lock = DirectoryLock::take(directory.path()).unwrap();
        for error in [prepare(directory.path(), &[]), prepare_to_go_on(directory.path(), 0)] {
            let error = error.err().unwrap();
            assert!(matches!(error, OutputError::Busy(_)), "{error}");
        }
        assert!(directory.path().join("energies.csv").exists());
        drop(lock);
        prepare(directory.path(), &[]).unwrap();
    }

    #[test]
    fn a_directory_of_something_else_is_left_alone() {
        for (name, text) in [
            ("thesis.txt", "all my work"),
            ("energies.csv", "mine"),
            ("run.json", "{}"),
            ("run.json", "no JSON"),
        ] {
            let directory = with_files(&[(name, text)]);
            let error = prepare(directory.path(), &[]).err().unwrap();
            assert!(matches!(error, OutputError::Occupied(_)), "{name}: {error}");
            assert_eq!(fs::read_to_string(directory.path().join(name)).unwrap(), text);
            assert_eq!(entries(directory.path()).unwrap().len(), 1, "{name}");
        }
    }

    #[test]
    fn a_missing_directory_is_created_and_a_file_refused() {
        let directory = with_files(&[("file", "mine")]);
        let new = directory.path().join("a/b");
        prepare(&new, &[]).unwrap();
        assert!(new.is_dir());
        let error = prepare(&directory.path().join("file"), &[]).err().unwrap();
        assert!(matches!(error, OutputError::NotADirectory(_)), "{error}");
    }
}
