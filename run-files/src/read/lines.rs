//! Lines of a file by number, none longer than a bound.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use sinew::io::open_file;

use crate::RecordingError;

/// Longest line [bytes]: a million numbers; a file without line ends is refused, not held in memory.
pub(super) const LONGEST: usize = 32 << 20;

/// A file, line by line.
pub(super) struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    number: u64,
    text: Vec<u8>,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self, RecordingError> {
        let file = open_file(path).map_err(RecordingError::system("open", path))?;
        let reader = BufReader::with_capacity(1 << 16, file);
        Ok(Self { path: path.to_owned(), reader, number: 0, text: Vec::new() })
    }

    /// The next line without its end; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<&str>, RecordingError> {
        self.text.clear();
        let mut bounded = (&mut self.reader).take(LONGEST as u64);
        let read = bounded.read_until(b'\n', &mut self.text);
        let count = read.map_err(RecordingError::system("read", &self.path))?;
        self.number += 1;
        if count == 0 {
            return Ok(None);
        }
        if count == LONGEST && self.text.last() != Some(&b'\n') {
            return Err(self.error(format!("it is longer than {LONGEST} bytes")));
        }
        match std::str::from_utf8(&self.text) {
            Ok(text) => Ok(Some(text.trim_end_matches(['\r', '\n']))),
            Err(_) => Err(self.error("it is no text (UTF-8)")),
        }
    }

    /// The same; the end of the file is an error that says what was `expected`.
    pub(super) fn expect(&mut self, expected: &str) -> Result<&str, RecordingError> {
        let (path, line) = (self.path.clone(), self.number + 1);
        match self.next()? {
            Some(text) => Ok(text),
            None => {
                let what = format!("the file ends where {expected} should be");
                Err(RecordingError::Line { path, line, what })
            }
        }
    }

    /// Error at the last line.
    pub(super) fn error(&self, what: impl Into<String>) -> RecordingError {
        RecordingError::Line { path: self.path.clone(), line: self.number, what: what.into() }
    }

    /// Number of the last line.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
