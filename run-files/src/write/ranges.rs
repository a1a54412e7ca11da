//! Count of the rows written to a file, and the range of their values.

use std::sync::{Arc, Mutex, PoisonError};

use sinew::schedule::{CallbackError, Sink};

/// Rows so far, and the smallest and largest value of each column; rows that were taken back later count
/// for the latter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranges {
    /// Rows in the file.
    pub rows: u64,
    /// Time of the last row [s].
    pub end: f64,
    /// Smallest and largest, a column.
    pub columns: Vec<[f64; 2]>,
}

/// The ranges of a file, to be looked at while a run goes on.
#[derive(Clone, Debug, Default)]
pub struct SharedRanges(Arc<Mutex<Ranges>>);

impl SharedRanges {
    /// Ranges of now.
    pub fn now(&self) -> Ranges {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Goes on from those of an earlier part of the run.
    pub fn set(&self, ranges: Ranges) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = ranges;
    }
}

/// A sink that is watched.
pub(crate) struct Watched {
    inner: Box<dyn Sink>,
    ranges: SharedRanges,
}

impl Watched {
    pub(crate) fn new(inner: Box<dyn Sink>) -> (Self, SharedRanges) {
        let ranges = SharedRanges::default();
        (Self { inner, ranges: ranges.clone() }, ranges)
    }
}

impl Sink for Watched {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        self.inner.write(time, values)?;
        let mut ranges = self.ranges.0.lock().unwrap_or_else(PoisonError::into_inner);
        ranges.rows += 1;
        ranges.end = time;
        ranges.columns.resize(values.len(), [f64::INFINITY, f64::NEG_INFINITY]);
        for (range, &x) in ranges.columns.iter_mut().zip(values) {
            *range = [range[0].min(x), range[1].max(x)];
        }
        Ok(())
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        self.inner.place()
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        self.inner.go_back(place)
    }

    fn finish(&mut self) -> Result<(), CallbackError> {
        self.inner.finish()
    }
}
