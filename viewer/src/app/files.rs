//! Folder and files of models: the one that is opened, the one that was saved.

use std::path::{Path, PathBuf};

/// Folder and files of models.
pub(super) struct ModelFiles {
    /// Folder for files whose names have none.
    folder: PathBuf,
    /// File that was asked to be opened, until it is there.
    opening: Option<PathBuf>,
    /// File that the model was saved to last.
    saved: Option<PathBuf>,
}

impl ModelFiles {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, opening: None, saved: None }
    }

    /// Folder for pictures, curves, checkpoints and views.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file was asked to be opened.
    pub(super) fn open(&mut self, path: PathBuf) {
        self.opening = Some(path);
    }

    /// The model goes to this file.
    pub(super) fn save(&mut self, path: PathBuf) {
        self.saved = Some(path);
    }

    /// File that the model was saved to last.
    pub(super) fn saved(&self) -> Option<&Path> {
        self.saved.as_deref()
    }

    /// Another model is there: the path it was opened by, where it is `loaded`.
    pub(super) fn adopted(&mut self, loaded: bool) -> Option<PathBuf> {
        self.saved = None;
        self.opening.take().filter(|_| loaded)
    }
}
