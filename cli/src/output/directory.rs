//! Which directory results may go to, and what of a former run is removed from it.

use std::fs;
use std::path::Path;

use super::{OutputError, atomic, csv, frames, run_json};
use crate::run::checkpoints;

/// Makes `directory` ready for a run: creates it, or removes the files of a former run. Files that
/// no run writes stay.
///
/// # Errors
/// A directory with contents but without a former run, a path that is no directory, or the refusal
/// of the system.
pub(super) fn prepare(directory: &Path) -> Result<(), OutputError> {
    if directory.exists() && !directory.is_dir() {
        return Err(OutputError::NotADirectory(directory.to_owned()));
    }
    fs::create_dir_all(directory).map_err(OutputError::system("create", directory))?;
    let names = entries(directory)?;
    if !names.is_empty() && !run_json::marks_a_run(directory) {
        return Err(OutputError::Occupied(directory.to_owned()));
    }
    // The marker goes last: until then an interrupted removal can be repeated.
    let (marker, others): (Vec<_>, Vec<_>) =
        names.into_iter().filter(|name| is_ours(name)).partition(|name| name == run_json::NAME);
    for name in others.into_iter().chain(marker) {
        let path = directory.join(name);
        fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
    }
    Ok(())
}

/// Makes the directory of a former run ready to go on after `frames` frames; later ones are removed.
///
/// # Errors
/// A directory without a former run, or the refusal of the system.
pub(super) fn prepare_to_go_on(directory: &Path, frames: usize) -> Result<(), OutputError> {
    if !run_json::marks_a_run(directory) {
        return Err(OutputError::NoFormerRun(directory.to_owned()));
    }
    let later = |name: &String| frames::number(name).is_some_and(|number| number >= frames);
    for name in entries(directory)?.into_iter().filter(later) {
        let path = directory.join(name);
        fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
    }
    Ok(())
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

/// Whether a run writes files of this name, or of the name that they have while being written.
fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(atomic::UNFINISHED).unwrap_or(name);
    let tables = [run_json::NAME, csv::NAME, frames::SERIES, checkpoints::NAME];
    tables.contains(&name) || frames::is_frame(name)
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
    fn a_former_run_is_removed_and_other_files_stay() {
        let directory = with_files(&[
            ("run.json", r#"{"program": "sinew"}"#),
            ("energies.csv", ""),
            ("frames.pvd", ""),
            ("frame_00000.vtu", ""),
            ("frame_123456.vtu", ""),
            ("frame_00001.vtu.part", ""),
            ("frame_final.vtu", "mine"),
            ("notes.txt", "mine"),
        ]);
        prepare(directory.path()).unwrap();
        let mut left = entries(directory.path()).unwrap();
        left.sort();
        assert_eq!(left, ["frame_final.vtu", "notes.txt"]);
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
            let error = prepare(directory.path()).unwrap_err();
            assert!(matches!(error, OutputError::Occupied(_)), "{name}: {error}");
            assert_eq!(fs::read_to_string(directory.path().join(name)).unwrap(), text);
        }
    }

    #[test]
    fn a_missing_directory_is_created_and_a_file_refused() {
        let directory = with_files(&[("file", "mine")]);
        let new = directory.path().join("a/b");
        prepare(&new).unwrap();
        assert!(new.is_dir());
        let error = prepare(&directory.path().join("file")).unwrap_err();
        assert!(matches!(error, OutputError::NotADirectory(_)), "{error}");
    }
}
