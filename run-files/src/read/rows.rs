//! The trait of every format of rows: a heading, and rows one after another; numbers in cells.

use crate::RecordingError;
use crate::spec::Interpolation;

/// Heading of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// Names of the columns after the time.
    pub columns: Vec<String>,
    /// True if angles are in degrees.
    pub degrees: bool,
    /// Begin and end [s] of the simulation, and the length of a second of the data [s].
    pub interval: Option<[f64; 3]>,
    /// Interpolation of values between rows.
    pub interpolation: Option<Interpolation>,
}

/// Rows of a time [s] and values, in SI units but for angles of a file in degrees.
pub trait Rows: Send {
    /// Its heading.
    fn heading(&self) -> &Heading;

    /// Reads the next row into `row`, the time first; `false` after the last. A gap is NaN.
    ///
    /// # Errors
    /// A line that is none, by its number.
    fn next(&mut self, row: &mut Vec<f64>) -> Result<bool, RecordingError>;

    /// Line of the last row that was read, from 1; its number where there are no lines.
    fn line(&self) -> u64;

    /// Begins anew with the first row.
    ///
    /// # Errors
    /// A file that is not there any more.
    fn restart(&mut self) -> Result<(), RecordingError>;
}

/// The number of a cell; NaN for a gap, which is empty or `NaN`. `None` for anything else.
pub(super) fn value(cell: &str) -> Option<f64> {
    if cell.is_empty() {
        return Some(f64::NAN);
    }
    cell.parse::<f64>().ok().filter(|x| !x.is_infinite())
}

/// The number of a cell that is no gap.
pub(super) fn time(cell: &str) -> Option<f64> {
    value(cell).filter(|x| x.is_finite())
}
