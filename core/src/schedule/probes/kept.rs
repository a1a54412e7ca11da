//! Rows of a recording that are kept in memory for a curve: evenly thinned, in bounded memory.

/// Rows that are kept at most; of more, every second one goes.
const MOST_ROWS: usize = 2048;
/// Columns that are kept; of a wider recording the first ones.
const MOST_COLUMNS: usize = 12;

/// Rows of a recording, thinned.
#[derive(Clone, Debug, Default)]
pub(in crate::schedule) struct KeptRows {
    pub(super) width: usize,
    /// Times [s], rising.
    pub(super) times: Vec<f64>,
    /// Values, row after row.
    pub(super) values: Vec<f64>,
    /// One of so many rows is kept.
    stride: usize,
    /// Rows since the last one that was kept.
    passed: usize,
    /// Another number after each change.
    pub(super) revision: u64,
}

impl KeptRows {
    /// For rows of `size` values; all memory is taken here.
    pub(in crate::schedule) fn new(size: usize) -> Self {
        let width = size.min(MOST_COLUMNS);
        let (times, values) =
            (Vec::with_capacity(MOST_ROWS), Vec::with_capacity(MOST_ROWS * width));
        Self { width, times, values, stride: 1, passed: 0, revision: 0 }
    }

    pub(in crate::schedule) fn push(&mut self, time: f64, row: &[f64]) {
        self.passed += 1;
        if self.passed < self.stride {
            return;
        }
        self.cut(time);
        if self.times.len() == MOST_ROWS {
            self.thin();
        }
        self.passed = 0;
        self.revision += 1;
        self.times.push(time);
        self.values.extend_from_slice(&row[..self.width]);
    }

    /// Drops what is at `time` [s] or later: the run was taken back.
    pub(in crate::schedule) fn cut(&mut self, time: f64) {
        let kept = self.times.partition_point(|&t| t < time);
        if kept < self.times.len() {
            self.revision += 1;
            self.times.truncate(kept);
            self.values.truncate(kept * self.width);
        }
    }

    fn thin(&mut self) {
        let (width, half) = (self.width, self.times.len() / 2);
        for k in 0..half {
            self.times[k] = self.times[2 * k];
            self.values.copy_within(2 * k * width..(2 * k + 1) * width, k * width);
        }
        self.times.truncate(half);
        self.values.truncate(half * width);
        self.stride *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_long_recording_are_thinned_evenly_and_taken_back() {
        let mut rows = KeptRows::new(2);
        for k in 0..10_000 {
            rows.push(f64::from(k), &[f64::from(k), 1.0]);
        }
        assert!((MOST_ROWS / 2..=MOST_ROWS).contains(&rows.times.len()), "{}", rows.times.len());
        let gaps: Vec<f64> = rows.times.windows(2).map(|it| it[1] - it[0]).collect();
        assert!(gaps.iter().all(|&gap| (1.0..=16.0).contains(&gap)));
        assert!(rows.times.iter().zip(rows.values.chunks(2)).all(|(t, row)| row == [*t, 1.0]));
        assert!(rows.times.last() > Some(&9_980.0));
        rows.cut(50.0);
        assert!(rows.times.last() < Some(&50.0));
        assert_eq!(rows.values.len(), 2 * rows.times.len());
    }
}
