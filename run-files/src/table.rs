//! A table as a signal: the rows around a time, read on as time goes on, and values between them. Only a
//! spline holds all rows in memory.

use sinew::schedule::{CallbackError, Signal};

use crate::RecordingError;
use crate::gaps::Closed;
use crate::interpolate::{hermite, parabola_slope, spline_slopes};
use crate::spec::{Extension, Interpolation};

/// Most numbers that a spline holds: 256 MB with their slopes.
const MOST_NUMBERS: usize = 16 << 20;

/// Use of a table over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    /// Between rows.
    pub interpolation: Interpolation,
    /// Outside them.
    pub extension: Extension,
    /// Time of the simulation at which the time 0 of the data stands [s].
    pub start: f64,
    /// Nothing is fed after this time of the simulation [s].
    pub stop: f64,
    /// Length of a second of the data [s].
    pub stretch: f64,
    /// True if steps end at rows.
    pub cut: bool,
}

/// A row of the window, with slopes where it is one of a spline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) time: f64,
    pub(crate) values: Vec<f64>,
    pub(crate) slopes: Vec<f64>,
}

/// Source of a table.
enum Source {
    Stream(Closed),
    Memory { rows: Vec<Row>, next: usize },
}

impl Source {
    fn next(&mut self, mut row: Row) -> Result<Option<Row>, RecordingError> {
        match self {
            Self::Stream(rows) => Ok(rows.next(&mut row.values)?.map(|time| Row { time, ..row })),
            Self::Memory { rows, next } => {
                *next += 1;
                Ok(rows.get(*next - 1).cloned())
            }
        }
    }

    fn restart(&mut self) -> Result<(), RecordingError> {
        match self {
            Self::Stream(rows) => rows.restart(),
            Self::Memory { next, .. } => {
                *next = 0;
                Ok(())
            }
        }
    }
}

/// Values over time from rows.
pub struct Table {
    source: Source,
    how: Use,
    width: usize,
    /// Time of the first row [s].
    first: f64,
    /// Time of the last row [s], once it was read.
    last: Option<f64>,
    /// The rows around the present: before, left, right, after.
    window: [Option<Row>; 4],
}

impl Table {
    pub(crate) fn new(mut rows: Closed, how: Use) -> Result<Self, RecordingError> {
        let (width, path) = (rows.width(), rows.path().to_owned());
        let source = match how.interpolation {
            Interpolation::Spline => Source::Memory { rows: spline_rows(&mut rows)?, next: 0 },
            _ => Source::Stream(rows),
        };
        let window = [None, None, None, None];
        let mut table = Self { source, how, width, first: 0.0, last: None, window };
        table.restart()?;
        match &table.window[1] {
            Some(row) => table.first = row.time,
            None => return Err(RecordingError::Empty { path }),
        }
        Ok(table)
    }

    /// Number of values of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    fn restart(&mut self) -> Result<(), RecordingError> {
        self.source.restart()?;
        self.window[0] = None;
        for at in 1..4 {
            self.read_into(at)?;
        }
        Ok(())
    }

    /// Reads the next row to a place of the window, into the memory of the row that was there.
    fn read_into(&mut self, at: usize) -> Result<(), RecordingError> {
        let ended = at > 1 && self.window[at - 1].is_none();
        let row = self.window[at].take().unwrap_or_default();
        self.window[at] = if ended { None } else { self.source.next(row)? };
        if self.window[at].is_none() && self.last.is_none() {
            self.last = self.window[..at].iter().rev().flatten().next().map(|row| row.time);
        }
        Ok(())
    }

    /// Moves the window so that `time` of the data lies between its middle rows, as far as there are any.
    fn move_to(&mut self, time: f64) -> Result<(), RecordingError> {
        if time < self.first {
            return self.restart_unless_there();
        }
        if self.window[1].as_ref().is_some_and(|left| time < left.time) {
            self.restart()?;
        }
        while self.window[2].as_ref().is_some_and(|right| right.time <= time) {
            self.window.rotate_left(1);
            // What was before comes last, and its memory is used again.
            self.read_into(3)?;
        }
        Ok(())
    }

    fn restart_unless_there(&mut self) -> Result<(), RecordingError> {
        match &self.window[1] {
            Some(row) if row.time == self.first => Ok(()),
            _ => self.restart(),
        }
    }

    /// Time of the data: `time` with all rows again and again, where these repeat.
    fn repeated(&mut self, time: f64) -> Result<f64, RecordingError> {
        if self.how.extension != Extension::Repeat {
            return Ok(time);
        }
        if self.last.is_none() {
            // How long a round is tells the last row; until the time passes it, none is over.
            self.move_to(if time > self.first { time } else { f64::INFINITY })?;
        }
        let Some(last) = self.last.filter(|&last| last > self.first) else { return Ok(time) };
        Ok(self.first + (time - self.first).rem_euclid(last - self.first))
    }

    /// Values at `time` of the data; false where there are none.
    pub(crate) fn at(&mut self, time: f64, values: &mut [f64]) -> Result<bool, RecordingError> {
        let time = self.repeated(time)?;
        self.move_to(time)?;
        let [before, Some(left), right, after] = &self.window else { return Ok(false) };
        let outside = time < left.time || right.is_none() && time > left.time;
        if outside && self.how.extension == Extension::None {
            return Ok(false);
        }
        let constant = |values: &mut [f64]| values.copy_from_slice(&left.values);
        if outside {
            let pair = if time < left.time {
                (Some(left), right.as_ref())
            } else {
                (before.as_ref(), Some(left))
            };
            match (self.how.extension, pair) {
                (Extension::Linear, (Some(a), Some(b))) => line(a, b, time, values),
                _ => constant(values),
            }
            return Ok(true);
        }
        match (self.how.interpolation, right) {
            (Interpolation::Step, _) | (_, None) => constant(values),
            (Interpolation::Linear, Some(right)) => line(left, right, time, values),
            (Interpolation::Cubic, Some(right)) => {
                let rows = [before.as_ref(), Some(left), Some(right), after.as_ref()];
                cubic(rows, [left, right], time, values);
            }
            (Interpolation::Spline, Some(right)) => {
                let h = right.time - left.time;
                let share = (time - left.time) / h;
                for (k, value) in values.iter_mut().enumerate() {
                    let ends = [left.values[k], right.values[k]];
                    *value = hermite(share, h, ends, [left.slopes[k], right.slopes[k]]);
                }
            }
        }
        Ok(true)
    }

    fn of_data(&self, time: f64) -> f64 {
        (time - self.how.start) / self.how.stretch
    }
}

/// All rows with the slopes of the splines through them.
pub(crate) fn spline_rows(source: &mut Closed) -> Result<Vec<Row>, RecordingError> {
    let most = MOST_NUMBERS / (source.width() + 1);
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    while let Some(time) = source.next(&mut values)? {
        if rows.len() == most {
            return Err(RecordingError::Spline { path: source.path().to_owned(), most });
        }
        rows.push(Row { time, values: values.clone(), slopes: Vec::new() });
    }
    let times: Vec<f64> = rows.iter().map(|row: &Row| row.time).collect();
    for k in 0..source.width() {
        let values: Vec<f64> = rows.iter().map(|row| row.values[k]).collect();
        let slopes = spline_slopes(&times, &values);
        rows.iter_mut().zip(slopes).for_each(|(row, slope)| row.slopes.push(slope));
    }
    Ok(rows)
}

fn line(a: &Row, b: &Row, time: f64, values: &mut [f64]) {
    let share = (time - a.time) / (b.time - a.time);
    let ends = a.values.iter().zip(&b.values);
    values.iter_mut().zip(ends).for_each(|(value, (a, b))| *value = a + share * (b - a));
}

/// The slope at an end of the table is that of its line.
fn cubic(rows: [Option<&Row>; 4], [left, right]: [&Row; 2], time: f64, values: &mut [f64]) {
    let h = right.time - left.time;
    let share = (time - left.time) / h;
    for (k, value) in values.iter_mut().enumerate() {
        let ends = [left.values[k], right.values[k]];
        let rise = (ends[1] - ends[0]) / h;
        let from = rows[0].map_or(rise, |row| {
            parabola_slope([left.time - row.time, h], [row.values[k], ends[0], ends[1]])
        });
        let to = rows[3].map_or(rise, |row| {
            parabola_slope([h, row.time - right.time], [ends[0], ends[1], row.values[k]])
        });
        *value = hermite(share, h, ends, [from, to]);
    }
}

impl Signal for Table {
    fn sample(&mut self, step: [f64; 2], values: &mut [f64]) -> Result<bool, CallbackError> {
        let Use { start, stop, interpolation, .. } = self.how;
        // Part of a step by which rounding may miss a row.
        let slack = 1e-6 * (step[1] - step[0]);
        let time = match interpolation {
            Interpolation::Step => step[0] + slack,
            _ => step[1],
        };
        if time < start - slack || time > stop + slack {
            return Ok(false);
        }
        Ok(self.at(self.of_data(time), values)?)
    }

    /// Cubics and splines are curves; steps and lines are as even as the motion over a step.
    fn within(&mut self, time: f64, values: &mut [f64]) -> Result<bool, CallbackError> {
        let Use { start, stop, interpolation, .. } = self.how;
        let is_curve = matches!(interpolation, Interpolation::Cubic | Interpolation::Spline);
        if !is_curve || time < start || time > stop {
            return Ok(false);
        }
        Ok(self.at(self.of_data(time), values)?)
    }

    fn next_knot(&mut self, time: f64) -> Option<f64> {
        if !self.how.cut {
            return None;
        }
        if time < self.how.start {
            return Some(self.how.start);
        }
        let data = self.of_data(time);
        let within = self.repeated(data).ok()?;
        self.move_to(within).ok()?;
        let rows = self.window[1..3].iter().flatten();
        let next = rows.map(|row| row.time).find(|&row| row > within)?;
        let knot = self.how.start + (data + next - within) * self.how.stretch;
        (knot <= self.how.stop).then_some(knot)
    }
}
