//! NPY (NumPy's format, version 1.0): a matrix of rows, the time first. The heading has a fixed size and
//! tells the number of rows at the last place that was kept. The names of the columns stand beside it.

use std::path::{Path, PathBuf};

use sinew::schedule::{CallbackError, Sink};

use super::csv::begins_with;
use super::format::Opening;
use super::line_file::LineFile;
use crate::{RecordingError, write_whole};

/// Length of the heading [bytes]: a multiple of 64, with room for any number of rows.
const HEADING: usize = 128;

/// The magic string and the version.
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// A matrix of doubles.
pub struct NpySink {
    file: LineFile,
    /// Numbers in a row, the time among them.
    width: usize,
    row: Vec<u8>,
}

impl NpySink {
    /// A matrix with these columns after the time, and a file `NAME.npy.columns` with their names.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn open(path: &Path, columns: &[String], opening: Opening) -> Result<Self, RecordingError> {
        let mut file = LineFile::open(path, opening)?;
        let width = columns.len() + 1;
        if opening == Opening::New {
            file.append(&heading(0, width))?;
            write_whole(&names_file(path), names(columns).as_bytes())?;
        }
        Ok(Self { file, width, row: Vec::new() })
    }

    fn count_rows(&mut self) -> Result<(), RecordingError> {
        let bytes = self.file.length().saturating_sub(HEADING as u64);
        let rows = bytes / (8 * self.width as u64);
        self.file.overwrite(0, &heading(rows, self.width))
    }
}

/// The file with the names of the columns of `path`.
fn names_file(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".columns");
    beside.into()
}

fn names(columns: &[String]) -> String {
    columns.iter().fold("time\n".to_owned(), |names, name| names + name + "\n")
}

/// True if a file is a matrix of these columns.
pub(super) fn is_recording(path: &Path, columns: &[String]) -> bool {
    let (beside, names) = (names_file(path), names(columns));
    // Of one with more columns the names begin alike.
    let is_whole = std::fs::metadata(&beside).is_ok_and(|it| it.len() == names.len() as u64);
    is_whole && begins_with(path, MAGIC) && begins_with(&beside, names.as_bytes())
}

/// The magic string, the version, the length of the rest, a dictionary.
fn heading(rows: u64, width: usize) -> [u8; HEADING] {
    let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {width}), }}");
    let mut bytes = [b' '; HEADING];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..10].copy_from_slice(&(HEADING as u16 - 10).to_le_bytes());
    bytes[10..10 + text.len()].copy_from_slice(text.as_bytes());
    bytes[HEADING - 1] = b'\n';
    bytes
}

/// The numbers of a row, as they stand in memory of a little-endian machine.
pub(super) fn row_bytes(row: &mut Vec<u8>, time: f64, values: &[f64]) {
    row.clear();
    row.extend_from_slice(&time.to_le_bytes());
    values.iter().for_each(|x| row.extend_from_slice(&x.to_le_bytes()));
}

impl Sink for NpySink {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        row_bytes(&mut self.row, time, values);
        Ok(self.file.append(&self.row)?)
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        self.count_rows()?;
        Ok(self.file.place()?)
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        self.file.go_back(place)?;
        Ok(self.count_rows()?)
    }
}
