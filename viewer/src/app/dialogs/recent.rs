//! The files that were opened last, kept in a file between sessions: a path a line.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::whole_file::whole;

/// Files that are listed.
const MOST: usize = 10;
/// Bytes of the list that are read: more than ten paths have.
const LONGEST: u64 = 64 * 1024;

/// The files that were opened last, the last one first.
#[derive(Debug, Default)]
pub(super) struct Recent {
    file: Option<PathBuf>,
    paths: Vec<PathBuf>,
    /// The text of the newest list: whichever thread writes last writes it.
    text: Arc<Mutex<String>>,
}

impl Recent {
    /// Reads the list in `file`; an empty one where there is none, or it cannot be read.
    pub(super) fn read(file: Option<PathBuf>) -> Self {
        let text = file.as_deref().and_then(|file| crate::bounded::read_text(file, LONGEST).ok());
        let lines = text.as_deref().unwrap_or_default().lines();
        let paths = lines.filter(|line| !line.is_empty()).map(PathBuf::from).take(MOST).collect();
        Self { file, paths, text: Arc::default() }
    }

    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Puts a file first.
    pub(super) fn add(&mut self, path: &Path) {
        self.paths.retain(|other| other != path);
        self.paths.insert(0, path.to_owned());
        self.paths.truncate(MOST);
        let Some(file) = self.file.clone() else { return };
        let lines = self.paths.iter().map(|path| format!("{}\n", path.display()));
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = lines.collect();
        let newest = self.text.clone();
        // In a thread of its own: a slow disk does not stop the window.
        std::thread::spawn(move || {
            let text = newest.lock().unwrap_or_else(PoisonError::into_inner);
            // A list that cannot be written is kept until the window closes.
            let _ = whole(&file, text.as_bytes());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_bounded_without_doubles_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/recent");
        let mut recent = Recent::read(Some(file.clone()));
        assert!(recent.paths().is_empty());
        for k in 0..12 {
            recent.add(&PathBuf::from(format!("/models/{k}.toml")));
        }
        recent.add(Path::new("/models/5.toml"));
        assert_eq!(
            (recent.paths().len(), &recent.paths()[0]),
            (MOST, &PathBuf::from("/models/5.toml"))
        );
        let begun = std::time::Instant::now();
        while Recent::read(Some(file.clone())).paths() != recent.paths() {
            assert!(begun.elapsed().as_secs() < 30, "{:?}", std::fs::read_to_string(&file));
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}
