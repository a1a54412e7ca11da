//! CSV: a line of names, then a line a row, each written as a whole.

use std::path::Path;

use sinew::schedule::{CallbackError, Sink};

use super::{LineFile, Opening};
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
            let mut heading = "time".to_owned();
            for column in columns {
                heading.push(',');
                heading.push_str(&quoted(column));
            }
            heading.push('\n');
            file.append(heading.as_bytes())?;
        }
        Ok(Self { file, line: Vec::new() })
    }
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
