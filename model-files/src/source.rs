//! The files that were read, and which files may be.

use std::path::{Path, PathBuf};

use sinew::io::read_file;

use crate::diagnostic::Diagnostic;
use crate::tree::Span;

/// Largest model file \[byte\]. What is larger is a mesh, which has formats of its own; a number takes a
/// few bytes of text and some fifty of memory, so that this bounds what a file can take to a few GB.
pub const MAX_BYTES: u64 = 64 << 20;

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path as the user writes it.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

impl Source {
    /// Line and column of a byte, both from 1; columns count characters.
    pub fn line_column(&self, byte: u32) -> (usize, usize) {
        let before = &self.text.as_bytes()[..(byte as usize).min(self.text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let characters = before[line_start..].iter().filter(|&&b| b & 0xc0 != 0x80).count();
        (line, 1 + characters)
    }
}

/// Errors of a file, or of the folder of files.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    #[error("{} cannot be read: {error}", .path.display())]
    Unread { path: PathBuf, error: std::io::Error },
    #[error("{} is no text: byte {byte} is not UTF-8", .path.display())]
    NoText { path: PathBuf, byte: usize },
    #[error("folder {}: {error}", .path.display())]
    Folder { path: PathBuf, error: std::io::Error },
}

/// The text of a file that is not too large and is text.
pub(crate) fn read_text(path: &Path) -> Result<String, SourceError> {
    let bytes = read_bytes(path, MAX_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        SourceError::NoText { path: path.to_owned(), byte }
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The bytes of a file of at most `most`.
pub(crate) fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, SourceError> {
    read_file(path, most).map_err(|error| SourceError::Unread { path: path.to_owned(), error })
}

/// Folders that may hold the files that a model file names.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    /// Everything lies below it, links followed.
    root: PathBuf,
}

impl Folders {
    pub(crate) fn new(root: &Path) -> Result<Self, SourceError> {
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let refused = |error| SourceError::Folder { path: root.to_owned(), error };
        let root = root.canonicalize().map_err(refused)?;
        Ok(Self { root })
    }

    /// The folder that everything lies below.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The file that `name` in a file of `folder` means.
    ///
    /// # Errors
    /// It is absolute, leads out of the root, or is not there.
    pub(crate) fn resolve(
        &self,
        folder: &Path,
        name: &str,
        span: Span,
    ) -> Result<PathBuf, Diagnostic> {
        let refused = |message: String| Diagnostic::error(span, message);
        let relative = Path::new(name);
        if name.is_empty() || relative.has_root() || name.contains(['\\', '\0', ':']) {
            let message = format!("'{name}' is no relative path with '/' between its steps");
            return Err(refused(message));
        }
        let path = folder.join(relative);
        let found = path
            .canonicalize()
            .map_err(|error| refused(format!("{} is not there: {error}", path.display())))?;
        if found.starts_with(&self.root) {
            return Ok(path);
        }
        let message = format!("'{name}' leads out of {}", self.root.display());
        Err(refused(message)
            .help("move the file there, or declare a folder above both with --root"))
    }
}
