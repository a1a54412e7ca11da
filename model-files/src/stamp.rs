//! Stamps of files: they tell if files have changed since they were read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Length and time of the last change; `None` for a file that is not there.
type Mark = Option<(u64, SystemTime)>;

/// Lengths of some files and the times of their last changes, at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    marks: Vec<(PathBuf, Mark)>,
}

impl Stamp {
    /// Stamp of the files as they are now.
    pub fn of(files: &[PathBuf]) -> Self {
        Self { marks: files.iter().map(|file| (file.clone(), mark(file))).collect() }
    }

    /// The files that are not as they were then, which are told once: from now on they count as they are now.
    pub fn take_changed(&mut self) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for (file, then) in &mut self.marks {
            let now = mark(file);
            if now != *then {
                *then = now;
                changed.push(file.clone());
            }
        }
        changed
    }

    /// The files that are not as they were then; one that came or went is among them.
    pub fn changed(&self) -> Vec<&Path> {
        let changed = self.marks.iter().filter(|(file, then)| mark(file) != *then);
        changed.map(|(file, _)| file.as_path()).collect()
    }
}

fn mark(file: &Path) -> Mark {
    let data = file.metadata().ok()?;
    Some((data.len(), data.modified().ok()?))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    #[test]
    fn files_that_change_come_or_go_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&a, "1").unwrap();
        fs::write(&b, "2").unwrap();
        let stamp = Stamp::of(&[a.clone(), b.clone(), c.clone()]);
        assert!(stamp.changed().is_empty());
        // The same length, some time later.
        let later = SystemTime::now() + Duration::from_secs(5);
        fs::File::options().write(true).open(&a).unwrap().set_modified(later).unwrap();
        assert_eq!(stamp.changed(), [a.as_path()]);
        fs::remove_file(&b).unwrap();
        fs::write(&c, "3").unwrap();
        assert_eq!(stamp.changed(), [a.as_path(), b.as_path(), c.as_path()]);
    }
}
