//! CSV: a line of names, then a line a row, each written as a whole.

use std::io::Read;
use std::path::Path;

use sinew::io::open_file;
use sinew::schedule::{CallbackError, Sink};

use super::format::Opening;
use super::line_file::LineFile;
use crate::RecordingError;

/// A table of comma-separated values.
pub struct CsvSink {
    file: LineFile,
    line: Vec<u8>,
}

impl CsvSink {
    /// A table with these columns after the time.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn open(path: &Path, columns: &[String], opening: Opening) -> Result<Self, RecordingError> {
        let mut file = LineFile::open(path, opening)?;
        if opening == Opening::New {
            file.append(heading(columns).as_bytes())?;
        }
        Ok(Self { file, line: Vec::new() })
    }
}

/// The first line of a table.
fn heading(columns: &[String]) -> String {
    let names = columns.iter().flat_map(|column| [",".to_owned(), quoted(column)]);
    std::iter::once("time".to_owned()).chain(names).chain(["\n".to_owned()]).collect()
}

/// True if a file is a table of these columns.
pub(super) fn is_recording(path: &Path, columns: &[String]) -> bool {
    begins_with(path, heading(columns).as_bytes())
}

/// True if a file begins with these bytes.
pub(super) fn begins_with(path: &Path, expected: &[u8]) -> bool {
    let mut found = vec![0; expected.len()];
    let read = open_file(path).and_then(|mut file| file.read_exact(&mut found));
    read.is_ok() && found == expected
}

/// A field as it stands in a table (RFC 4180).
pub fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// The shortest text that reads back as the same number.
fn put(line: &mut Vec<u8>, x: f64) {
    line.extend_from_slice(zmij::Buffer::new().format(x).as_bytes());
}

impl Sink for CsvSink {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        self.line.clear();
        put(&mut self.line, time);
        for &x in values {
            self.line.push(b',');
            put(&mut self.line, x);
        }
        self.line.push(b'\n');
        Ok(self.file.append(&self.line)?)
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        Ok(self.file.place()?)
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        Ok(self.file.go_back(place)?)
    }
}
