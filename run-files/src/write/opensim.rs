//! OpenSim's motion and storage files (.mot, .sto): a heading with the number of rows, which has a fixed size, names of
//! columns with the time first, rows parted by tabs. Numbers are in SI units, angles in radians, as the heading says.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use sinew::io::open_file;
use sinew::schedule::{CallbackError, Sink};

use super::format::Opening;
use super::line_file::LineFile;
use crate::RecordingError;

/// Digits of the number of rows.
const DIGITS: usize = 16;

/// A table that OpenSim reads.
pub struct StorageSink {
    file: LineFile,
    heading: Heading,
    rows: u64,
    line: Vec<u8>,
}

/// A heading, and where the number of rows stands in it.
struct Heading {
    text: String,
    rows_at: usize,
}

impl Heading {
    fn of(path: &Path, columns: &[String]) -> Self {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let begin = format!("{}\nversion=1\nnRows=", one_word(&stem.unwrap_or_default()));
        let rows_at = begin.len();
        let count = columns.len() + 1;
        let rest = format!("\nnColumns={count}\ninDegrees=no\nendheader\ntime");
        let names: String = columns.iter().map(|name| format!("\t{}", one_word(name))).collect();
        let text = format!("{begin}{:0DIGITS$}{rest}{names}\n", 0);
        Self { text, rows_at }
    }

    fn line_count(&self) -> u64 {
        self.text.bytes().filter(|&b| b == b'\n').count() as u64
    }
}

/// A name without blanks, which part columns for some readers.
fn one_word(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect()
}

impl StorageSink {
    /// A table with these columns after the time; blanks in their names become `_`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn open(path: &Path, columns: &[String], opening: Opening) -> Result<Self, RecordingError> {
        let heading = Heading::of(path, columns);
        let mut file = LineFile::open(path, opening)?;
        if opening == Opening::New {
            file.append(heading.text.as_bytes())?;
        }
        let rows = rows_in(path, &heading)?;
        Ok(Self { file, heading, rows, line: Vec::new() })
    }

    /// Writes the number of rows into the heading.
    fn count_rows(&mut self) -> Result<(), RecordingError> {
        let digits = format!("{:0DIGITS$}", self.rows);
        self.file.overwrite(self.heading.rows_at as u64, digits.as_bytes())
    }
}

/// Number of rows in a file.
fn rows_in(path: &Path, heading: &Heading) -> Result<u64, RecordingError> {
    let count = |file: File| -> std::io::Result<u64> {
        let mut reader = BufReader::new(file);
        let mut lines = 0;
        loop {
            let read = reader.fill_buf()?;
            if read.is_empty() {
                return Ok(lines);
            }
            lines += read.iter().filter(|&&b| b == b'\n').count() as u64;
            let length = read.len();
            reader.consume(length);
        }
    };
    let lines = open_file(path).and_then(count).map_err(RecordingError::system("read", path))?;
    Ok(lines.saturating_sub(heading.line_count()))
}

/// True if a file is a table of these columns.
pub(super) fn is_recording(path: &Path, columns: &[String]) -> bool {
    let Heading { text, rows_at } = Heading::of(path, columns);
    let mut found = vec![0; text.len()];
    let read = open_file(path).and_then(|mut file| file.read_exact(&mut found));
    if read.is_err() {
        return false;
    }
    found[rows_at..rows_at + DIGITS].fill(b'0');
    found == text.as_bytes()
}

impl Sink for StorageSink {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        self.line.clear();
        let mut digits = zmij::Buffer::new();
        self.line.extend_from_slice(digits.format(time).as_bytes());
        for &x in values {
            self.line.push(b'\t');
            self.line.extend_from_slice(digits.format(x).as_bytes());
        }
        self.line.push(b'\n');
        self.file.append(&self.line)?;
        self.rows += 1;
        Ok(())
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        self.count_rows()?;
        Ok(self.file.place()?)
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        self.file.go_back(place)?;
        self.rows = rows_in(self.file.path(), &self.heading)?;
        Ok(self.count_rows()?)
    }

    fn finish(&mut self) -> Result<(), CallbackError> {
        Ok(self.count_rows()?)
    }
}
