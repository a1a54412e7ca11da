//! Rows of numbers between blanks or tabs, below a heading of some format.

use std::path::{Path, PathBuf};

use super::lines::Lines;
use super::rows::{Heading, Rows, time, value};
use crate::RecordingError;

/// Layout of the rows by the heading of a format.
pub(super) struct Layout {
    pub(super) heading: Heading,
    /// Place of the time in a row; `None` where rows come at even intervals [s].
    pub(super) time: Result<usize, f64>,
    /// Words before the values, that of the time among them.
    pub(super) skipped: usize,
    /// Number of values; `None` where the first row tells.
    pub(super) count: Option<usize>,
    /// Factor of the values to SI.
    pub(super) scale: f64,
    /// True if tabs part the cells of a line that has any, so that a cell can be empty.
    pub(super) tabs: bool,
}

impl Layout {
    /// The cells of a line.
    fn cells<'l>(&self, line: &'l str) -> Box<dyn Iterator<Item = &'l str> + 'l> {
        if !self.tabs || !line.contains('\t') {
            return Box::new(line.split_whitespace());
        }
        let most = self.skipped + self.count.unwrap_or(self.heading.columns.len());
        // Lines may end with tabs that part nothing.
        let cells = line.split('\t').map(str::trim).enumerate();
        Box::new(cells.filter(move |(at, cell)| *at < most || !cell.is_empty()).map(|it| it.1))
    }
}

/// Reads the heading of a format.
type ReadHeading = fn(&mut Lines) -> Result<Layout, RecordingError>;

/// A file of such rows.
pub struct WordRows {
    path: PathBuf,
    read_heading: ReadHeading,
    lines: Lines,
    layout: Layout,
    taken: u64,
}

impl WordRows {
    pub(super) fn open(path: &Path, read_heading: ReadHeading) -> Result<Self, RecordingError> {
        let mut lines = Lines::open(path)?;
        let layout = read_heading(&mut lines)?;
        Ok(Self { path: path.to_owned(), read_heading, lines, layout, taken: 0 })
    }

    fn read(&mut self, row: &mut Vec<f64>) -> Result<bool, RecordingError> {
        let Layout { time: place, skipped, scale, .. } = self.layout;
        row.clear();
        row.push(place.err().unwrap_or_default() * self.taken as f64);
        loop {
            let Some(text) = self.lines.next()? else { return Ok(false) };
            if text.trim().is_empty() {
                continue;
            }
            let mut wrong = None;
            for (at, cell) in self.layout.cells(text).enumerate() {
                let number = if at < skipped { time(cell) } else { value(cell) };
                match number {
                    Some(x) if place == Ok(at) => row[0] = x,
                    Some(x) if at >= skipped => row.push(x * scale),
                    Some(_) => {}
                    None => wrong = wrong.or(Some(format!("'{cell}' is no finite number"))),
                }
            }
            return match wrong {
                Some(what) => Err(self.lines.error(what)),
                None => Ok(true),
            };
        }
    }
}

impl Rows for WordRows {
    fn heading(&self) -> &Heading {
        &self.layout.heading
    }

    fn next(&mut self, row: &mut Vec<f64>) -> Result<bool, RecordingError> {
        if !self.read(row)? {
            return Ok(false);
        }
        self.taken += 1;
        let count = self.layout.count.unwrap_or(self.layout.heading.columns.len());
        if row.len() - 1 != count {
            let (path, found) = (self.path.display(), row.len() - 1);
            let what = format!("{found} values where {path} has {count} in a row");
            return Err(self.lines.error(what));
        }
        Ok(true)
    }

    fn line(&self) -> u64 {
        self.lines.number()
    }

    fn restart(&mut self) -> Result<(), RecordingError> {
        self.lines = Lines::open(self.lines.path())?;
        self.layout = (self.read_heading)(&mut self.lines)?;
        self.taken = 0;
        Ok(())
    }
}
