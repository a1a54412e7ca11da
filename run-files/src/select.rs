//! Some columns of rows, each with a factor.

use std::path::{Path, PathBuf};

use crate::RecordingError;
use crate::read::Rows;

/// Rows of which some columns are wanted. A gap is NaN.
pub(crate) struct Selected {
    path: PathBuf,
    rows: Box<dyn Rows>,
    /// Column and factor of each value.
    columns: Vec<(usize, f64)>,
    row: Vec<f64>,
    taken: u64,
    last: f64,
}

impl Selected {
    /// The columns of these names, or all; `path` stands in errors.
    pub(crate) fn new(
        path: &Path,
        rows: Box<dyn Rows>,
        names: &[String],
    ) -> Result<Self, RecordingError> {
        let known = &rows.heading().columns;
        let mut columns = Vec::new();
        for name in names {
            let Some(at) = known.iter().position(|it| it == name) else {
                let (path, column) = (path.to_owned(), name.clone());
                return Err(RecordingError::Column { path, column, known: known.join(", ") });
            };
            if known.iter().rposition(|it| it == name) != Some(at) {
                return Err(RecordingError::Twice { path: path.to_owned(), column: name.clone() });
            }
            columns.push((at, 1.0));
        }
        if names.is_empty() {
            columns = (0..known.len()).map(|at| (at, 1.0)).collect();
        }
        let (path, row) = (path.to_owned(), Vec::new());
        Ok(Self { path, rows, columns, row, taken: 0, last: f64::NEG_INFINITY })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Number of values in a row.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Multiplies value `k` by a factor.
    pub(crate) fn scale(&mut self, k: usize, factor: f64) {
        self.columns[k].1 *= factor;
    }

    /// Name of the column of value `k`.
    pub(crate) fn name(&self, k: usize) -> &str {
        &self.rows.heading().columns[self.columns[k].0]
    }

    /// That something is wrong with the last row.
    pub(crate) fn error(&self, what: String) -> RecordingError {
        RecordingError::Line { path: self.path.clone(), line: self.rows.line(), what }
    }

    /// Time [s] of the next row, its values into `values`; `None` after the last.
    pub(crate) fn next(&mut self, values: &mut Vec<f64>) -> Result<Option<f64>, RecordingError> {
        if !self.rows.next(&mut self.row)? {
            return Ok(None);
        }
        self.taken += 1;
        let time = self.row[0];
        if time <= self.last {
            let (row, last) = (self.taken, self.last);
            return Err(
                self.error(format!("row {row}: times must rise, {time} s follows {last} s"))
            );
        }
        self.last = time;
        values.clear();
        values.extend(self.columns.iter().map(|&(at, factor)| factor * self.row[at + 1]));
        Ok(Some(time))
    }

    pub(crate) fn restart(&mut self) -> Result<(), RecordingError> {
        (self.taken, self.last) = (0, f64::NEG_INFINITY);
        self.rows.restart()
    }
}
