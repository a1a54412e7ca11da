//! Rows whose gaps are closed, or refused: a marker that a camera did not see has no number.

use std::collections::VecDeque;
use std::path::Path;

use crate::RecordingError;
use crate::select::Selected;
use crate::spec::Gaps;

/// Most numbers that are read ahead to find the end of a gap: 32 MB.
const MOST_AHEAD: usize = 4 << 20;

/// A time [s] and a number.
type Known = (f64, f64);

/// Behind a gap that goes on to the end.
const NEVER: Known = (f64::INFINITY, f64::NAN);

/// Rows without gaps.
pub(crate) struct Closed {
    rows: Selected,
    gaps: Gaps,
    /// Rows that were read to find the end of a gap.
    ahead: VecDeque<(f64, Vec<f64>)>,
    /// The last number of each column so far, and the one behind the gap that it is in.
    before: Vec<Option<Known>>,
    behind: Vec<Option<Known>>,
}

impl Closed {
    pub(crate) fn new(rows: Selected, gaps: Gaps) -> Self {
        let none = vec![None; rows.width()];
        Self { rows, gaps, ahead: VecDeque::new(), before: none.clone(), behind: none }
    }

    pub(crate) fn path(&self) -> &Path {
        self.rows.path()
    }

    /// Number of values in a row.
    pub(crate) fn width(&self) -> usize {
        self.rows.width()
    }

    /// Time [s] of the next row, its values into `values`; `None` after the last.
    pub(crate) fn next(&mut self, values: &mut Vec<f64>) -> Result<Option<f64>, RecordingError> {
        let next = match self.ahead.pop_front() {
            Some((time, row)) => {
                *values = row;
                Some(time)
            }
            None => self.rows.next(values)?,
        };
        let Some(time) = next else { return Ok(None) };
        for k in 0..values.len() {
            if values[k].is_nan() {
                values[k] = self.between(k, time)?;
            } else {
                self.before[k] = Some((time, values[k]));
            }
        }
        Ok(Some(time))
    }

    /// Column `k` at a `time` [s] within a gap.
    fn between(&mut self, k: usize, time: f64) -> Result<f64, RecordingError> {
        if self.gaps == Gaps::Refuse {
            let name = self.rows.name(k);
            return Err(self.rows.error(format!(
                "'{name}' has no number here; gaps = \"interpolate\" takes it from its neighbours"
            )));
        }
        if self.behind[k].is_none_or(|(end, _)| end < time) {
            self.behind[k] = Some(self.find(k)?.unwrap_or(NEVER));
        }
        match (self.before[k], self.behind[k].filter(|(end, _)| end.is_finite())) {
            (Some((a, x)), Some((b, y))) => Ok(x + (time - a) / (b - a) * (y - x)),
            (Some((_, x)), None) | (None, Some((_, x))) => Ok(x),
            (None, None) => {
                let name = self.rows.name(k);
                Err(self.rows.error(format!("'{name}' has not one number in the file")))
            }
        }
    }

    /// The next number of column `k`; `None` where there is none until the end.
    fn find(&mut self, k: usize) -> Result<Option<Known>, RecordingError> {
        let known = |(time, row): &(f64, Vec<f64>)| (!row[k].is_nan()).then_some((*time, row[k]));
        if let Some(found) = self.ahead.iter().find_map(known) {
            return Ok(Some(found));
        }
        let most = MOST_AHEAD / (self.width() + 1);
        let mut row = Vec::new();
        while let Some(time) = self.rows.next(&mut row)? {
            if self.ahead.len() == most {
                let name = self.rows.name(k);
                return Err(self.rows.error(format!("'{name}' has a gap of over {most} rows")));
            }
            self.ahead.push_back((time, std::mem::take(&mut row)));
            if let Some(found) = self.ahead.back().and_then(known) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    pub(crate) fn restart(&mut self) -> Result<(), RecordingError> {
        self.ahead.clear();
        self.before.fill(None);
        self.behind.fill(None);
        self.rows.restart()
    }
}
