//! Rows that are in memory: data of a model file, arrays of a script.

use super::rows::{Heading, Rows};
use crate::RecordingError;

/// Rows in memory.
pub struct MemoryRows {
    heading: Heading,
    rows: Vec<Vec<f64>>,
    at: usize,
}

impl MemoryRows {
    /// Rows of a time [s] and values; columns are named by their numbers. `None` where they are not of
    /// one length, or hold what is not finite.
    pub fn new(rows: Vec<Vec<f64>>) -> Option<Self> {
        let width = rows.first().map_or(0, Vec::len);
        let sound = |row: &Vec<f64>| row.len() == width && row.iter().all(|x| x.is_finite());
        if width < 2 || !rows.iter().all(sound) {
            return None;
        }
        let columns = (0..width - 1).map(|k| k.to_string()).collect();
        Some(Self { heading: Heading { columns, ..Heading::default() }, rows, at: 0 })
    }

    /// Rows of a time [s] and a value for each of the columns, NaN for a gap.
    ///
    /// # Errors
    /// The number of the first row, from 1, that has more or fewer values, a time that is not finite, or a value that is
    /// infinite.
    pub fn named(columns: Vec<String>, rows: Vec<Vec<f64>>) -> Result<Self, u64> {
        let sound = |row: &Vec<f64>| {
            let [time, values @ ..] = &row[..] else { return false };
            time.is_finite()
                && values.len() == columns.len()
                && !values.iter().any(|x| x.is_infinite())
        };
        match rows.iter().position(|row| !sound(row)) {
            Some(bad) => Err(bad as u64 + 1),
            None => Ok(Self { heading: Heading { columns, ..Heading::default() }, rows, at: 0 }),
        }
    }
}

impl Rows for MemoryRows {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn next(&mut self, row: &mut Vec<f64>) -> Result<bool, RecordingError> {
        row.clear();
        let next = self.rows.get(self.at);
        row.extend(next.into_iter().flatten());
        self.at += 1;
        Ok(next.is_some())
    }

    fn line(&self) -> u64 {
        self.at as u64
    }

    fn restart(&mut self) -> Result<(), RecordingError> {
        self.at = 0;
        Ok(())
    }
}
