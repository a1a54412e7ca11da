//! CSV: one line of names, the time in the first column, numbers.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sinew::io::open_file;

use super::lines::LONGEST;
use super::rows::{Heading, Rows, time, value};
use crate::RecordingError;

/// Bytes between line ends are bounded, so that a file without any is not held in memory.
struct Bounded {
    file: File,
    since: usize,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(buffer)?;
        match buffer[..count].iter().rposition(|&byte| byte == b'\n') {
            Some(at) => self.since = count - at,
            None => self.since += count,
        }
        if self.since > LONGEST {
            return Err(std::io::Error::other(format!("a line is longer than {LONGEST} bytes")));
        }
        Ok(count)
    }
}

/// A table of comma-separated values.
pub struct CsvRows {
    path: PathBuf,
    reader: csv::Reader<Bounded>,
    record: csv::ByteRecord,
    heading: Heading,
}

impl CsvRows {
    /// Opens a table and reads its names.
    ///
    /// # Errors
    /// A file that cannot be opened, or has no column of values.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let file = open_file(path).map_err(RecordingError::system("open", path))?;
        let bounded = Bounded { file, since: 0 };
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bounded);
        let names = reader.headers().map_err(|error| wrong(path, &error))?;
        let columns: Vec<String> = names.iter().skip(1).map(str::to_owned).collect();
        if columns.is_empty() || names.iter().all(|name| name.parse::<f64>().is_ok()) {
            let what = "names of columns are expected, that of the time first".to_owned();
            return Err(RecordingError::Line { path: path.to_owned(), line: 1, what });
        }
        let heading = Heading { columns, ..Heading::default() };
        Ok(Self { path: path.to_owned(), reader, record: csv::ByteRecord::new(), heading })
    }
}

fn wrong(path: &Path, error: &csv::Error) -> RecordingError {
    let line = error.position().map_or(1, csv::Position::line);
    RecordingError::Line { path: path.to_owned(), line, what: error.to_string() }
}

impl Rows for CsvRows {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn next(&mut self, row: &mut Vec<f64>) -> Result<bool, RecordingError> {
        row.clear();
        let read = self.reader.read_byte_record(&mut self.record);
        if !read.map_err(|error| wrong(&self.path, &error))? {
            return Ok(false);
        }
        for field in &self.record {
            let text = std::str::from_utf8(field).unwrap_or("?");
            let number = if row.is_empty() { time(text) } else { value(text) };
            let Some(x) = number else {
                let (path, line) = (self.path.clone(), self.line());
                let what = format!("'{text}' is no finite number");
                return Err(RecordingError::Line { path, line, what });
            };
            row.push(x);
        }
        Ok(true)
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    fn restart(&mut self) -> Result<(), RecordingError> {
        *self = Self::open(&self.path)?;
        Ok(())
    }
}
