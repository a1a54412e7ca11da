//! History of a followed property: every sample of it, up to a number that fits into memory.

/// Samples of a curve that are kept, 4 MiB of them: over four minutes of steps of 1 ms. Of more, the least and
/// the greatest of every four are.
pub(super) const MOST: usize = 1 << 18;

/// Samples of a curve that are drawn: more than a plot has pixels, at any width of a screen.
const DRAWN: usize = 8192;

/// One number over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Curve {
    /// Times [s], rising.
    pub(super) times: Vec<f64>,
    /// Its value at each time.
    pub(super) values: Vec<f64>,
}

/// The numbers of one property over time.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Path of the property.
    pub(super) path: String,
    /// A curve a component.
    pub(super) curves: Vec<Curve>,
}

impl Curve {
    /// Adds a sample. What is at its time or later goes: the run was taken back.
    fn record(&mut self, time: f64, value: f64) {
        let kept = self.times.partition_point(|&t| t < time);
        self.times.truncate(kept);
        self.values.truncate(kept);
        if kept >= MOST {
            *self = self.thinned(MOST / 4);
        }
        self.times.push(time);
        self.values.push(value);
    }

    /// The least and the greatest value of each of so many stretches, in the order of their times, and the first
    /// and the last sample: a peak stays as high as it is. The same curve where it has no more samples.
    pub(super) fn thinned(&self, stretches: usize) -> Self {
        let count = self.times.len();
        if count <= 2 * stretches {
            return self.clone();
        }
        let length = count.div_ceil(stretches);
        let mut thin = Self::default();
        let mut keep = |place: usize| {
            if thin.times.last() != Some(&self.times[place]) {
                thin.times.push(self.times[place]);
                thin.values.push(self.values[place]);
            }
        };
        keep(0);
        for begin in (0..count).step_by(length) {
            let places = begin..(begin + length).min(count);
            let by_value = |a: &usize, b: &usize| self.values[*a].total_cmp(&self.values[*b]);
            let low = places.clone().min_by(by_value).unwrap_or(begin);
            let high = places.max_by(by_value).unwrap_or(begin);
            keep(low.min(high));
            keep(low.max(high));
        }
        keep(count - 1);
        thin
    }

    /// As it is drawn.
    pub(super) fn drawn(&self) -> Self {
        self.thinned(DRAWN / 2)
    }

    /// Its value at a time that it has a sample of.
    pub(super) fn at(&self, time: f64) -> Option<f64> {
        let place = self.times.binary_search_by(|t| t.total_cmp(&time)).ok()?;
        Some(self.values[place])
    }

    /// Its value at the last sample that is not after a time [s].
    fn before(&self, time: f64) -> Option<f64> {
        let place = self.times.partition_point(|&t| t <= time).checked_sub(1)?;
        Some(self.values[place])
    }
}

impl History {
    pub(super) fn new(path: String) -> Self {
        Self { path, curves: Vec::new() }
    }

    /// Adds a sample of all numbers.
    pub(super) fn record(&mut self, time: f64, numbers: &[f64]) {
        if self.curves.len() != numbers.len() {
            self.curves = vec![Curve::default(); numbers.len()];
        }
        self.curves.iter_mut().zip(numbers).for_each(|(curve, &x)| curve.record(time, x));
    }

    /// Name of a curve, as in tables of recordings: `path.x` for vectors, `path.i` in a pose.
    pub(super) fn name(&self, component: usize) -> String {
        let names = match self.curves.len() {
            0 | 1 => return self.path.clone(),
            3 => "xyz",
            7 => "xyzijkw",
            _ => return format!("{}[{component}]", self.path),
        };
        format!("{}.{}", self.path, &names[component..=component])
    }

    /// The values of all curves at the last sample that is not after a time [s].
    pub(super) fn before(&self, time: f64) -> Option<Vec<f64>> {
        self.curves
            .iter()
            .map(|curve| curve.before(time))
            .collect::<Option<_>>()
            .filter(|values: &Vec<f64>| !values.is_empty())
    }
}

/// Each curve of several histories: whose, and which of it.
pub(super) fn curves(histories: &[History]) -> impl Iterator<Item = (&History, usize)> {
    histories.iter().flat_map(|it| (0..it.curves.len()).map(move |k| (it, k)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_of_a_run_is_kept() {
        let mut history = History::new("/a:x".to_owned());
        (0..10_000).for_each(|k| history.record(f64::from(k) * 1e-3, &[f64::from(k % 7)]));
        assert_eq!(history.curves[0].times.len(), 10_000);
        assert_eq!(history.curves[0].at(1234.0 * 1e-3), Some(f64::from(1234 % 7)));
    }

    #[test]
    fn a_long_history_stays_bounded_and_a_peak_of_one_sample_stays_in_it() {
        let mut history = History::new("/a:x".to_owned());
        let (count, peak) = (3 * MOST, 100_001);
        for k in 0..count {
            let x = if k == peak { 9.0 } else { (k % 5) as f64 * 0.1 };
            history.record(k as f64, &[x]);
            assert!(history.curves[0].times.len() <= MOST, "after {k}");
        }
        let Curve { times, values } = &history.curves[0];
        assert!(times.len() > MOST / 4, "{}", times.len());
        assert_eq!((times[0], times.last()), (0.0, Some(&(count as f64 - 1.0))));
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(values.iter().copied().fold(0.0, f64::max), 9.0);
        assert_eq!(history.curves[0].at(peak as f64), Some(9.0));
        let drawn = history.curves[0].drawn();
        assert!(drawn.times.len() <= DRAWN + 2, "{}", drawn.times.len());
        assert_eq!(drawn.values.iter().copied().fold(0.0, f64::max), 9.0);
    }

    #[test]
    fn a_value_is_that_of_the_last_sample_and_none_before_the_first() {
        let mut history = History::new("/a:x".to_owned());
        assert_eq!(history.before(1.0), None);
        [1.0, 2.0].into_iter().for_each(|t| history.record(t, &[10.0 * t, -t]));
        assert_eq!(history.before(1.9), Some(vec![10.0, -1.0]));
        assert_eq!(history.before(2.0), Some(vec![20.0, -2.0]));
        assert_eq!(history.before(0.9), None);
    }

    #[test]
    fn going_back_in_time_drops_what_is_later() {
        let mut history = History::new("/a:x".to_owned());
        (0..10).for_each(|k| history.record(f64::from(k), &[1.0]));
        history.record(3.0, &[7.0]);
        assert_eq!(history.curves[0].times, [0.0, 1.0, 2.0, 3.0]);
        history.record(3.5, &[8.0]);
        assert_eq!(history.curves[0].values, [1.0, 1.0, 1.0, 7.0, 8.0]);
    }
}
