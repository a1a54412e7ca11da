//! Windows that show a copy of the model: each a process of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::command::CommandError;

/// Windows that were opened, with the files of their models.
#[derive(Default)]
pub(super) struct Windows {
    opened: Vec<(Child, PathBuf)>,
}

impl Windows {
    /// File of the model of the next window.
    pub(super) fn next_file(&self) -> PathBuf {
        let name = format!("sinew-{}-{}.json", std::process::id(), self.opened.len() + 1);
        std::env::temp_dir().join(name)
    }

    /// Opens a window with the model of a file.
    ///
    /// # Errors
    /// [`CommandError::Window`] where the process cannot be started.
    pub(super) fn open(&mut self, file: PathBuf) -> Result<(), CommandError> {
        let window = |error: std::io::Error| CommandError::Window(error.to_string());
        let program = std::env::current_exe().map_err(window)?;
        let mut command = Command::new(program);
        let child = command.arg("view").arg(&file).stdin(Stdio::null()).spawn().map_err(window)?;
        self.opened.push((child, file));
        Ok(())
    }

    /// Waits until all are closed, and removes their files.
    pub(super) fn wait(&mut self) {
        for (mut child, file) in self.opened.drain(..) {
            // One that cannot be waited for has ended.
            let _ = child.wait();
            remove(&file);
        }
    }
}

/// Removes the files of a model, those that are there.
fn remove(file: &Path) {
    for path in [file.to_owned(), file.with_extension("meshes.json")] {
        let _ = std::fs::remove_file(path);
    }
}
