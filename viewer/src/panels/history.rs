//! What a followed property was over time, as a bounded number of samples.

/// Samples of a history: more than a plot has pixels, at any width of a screen.
pub(super) const MOST: usize = 8192;

/// The numbers of one property over time.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Path of the property.
    pub(super) path: String,
    /// When [s], rising.
    pub(super) times: Vec<f64>,
    /// A list a component, each as long as `times`.
    pub(super) curves: Vec<Vec<f64>>,
    /// Records a kept sample, and those since the last kept one.
    stride: usize,
    since: usize,
}

impl History {
    pub(super) fn new(path: String) -> Self {
        Self { path, times: Vec::new(), curves: Vec::new(), stride: 1, since: 0 }
    }

    /// Adds a sample. What is later is dropped; when there are too many, every second one is.
    pub(super) fn record(&mut self, time: f64, numbers: &[f64]) {
        if self.curves.len() != numbers.len() {
            self.times.clear();
            self.curves = vec![Vec::new(); numbers.len()];
            (self.stride, self.since) = (1, 0);
        }
        let kept = self.times.partition_point(|&t| t < time);
        if kept < self.times.len() {
            self.truncate(kept);
            self.since = self.stride;
        } else if self.since < self.stride && self.times.len() > 1 {
            // The last sample stands for now until the next one that is kept.
            self.truncate(kept - 1);
        } else {
            self.since = 0;
        }
        if self.times.len() >= MOST {
            self.halve();
        }
        self.times.push(time);
        self.curves.iter_mut().zip(numbers).for_each(|(curve, &x)| curve.push(x));
        self.since += 1;
    }

    fn truncate(&mut self, count: usize) {
        self.times.truncate(count);
        self.curves.iter_mut().for_each(|curve| curve.truncate(count));
    }

    fn halve(&mut self) {
        let halve = |list: &mut Vec<f64>| {
            let mut place = 0;
            list.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        };
        halve(&mut self.times);
        self.curves.iter_mut().for_each(halve);
        self.stride *= 2;
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

    /// The value of a curve at a time that it has a sample of.
    pub(super) fn at(&self, component: usize, time: f64) -> Option<f64> {
        let place = self.times.binary_search_by(|t| t.total_cmp(&time)).ok()?;
        Some(self.curves[component][place])
    }

    /// The values of all curves at the last sample that is not after a time [s].
    pub(super) fn before(&self, time: f64) -> Option<Vec<f64>> {
        let place = self.times.partition_point(|&t| t <= time).checked_sub(1)?;
        Some(self.curves.iter().map(|curve| curve[place]).collect())
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
    fn a_long_history_stays_bounded_even_and_ends_now() {
        let mut history = History::new("/a:x".to_owned());
        let count = 10 * MOST;
        for k in 0..count {
            history.record(k as f64, &[2.0 * k as f64]);
            assert!(history.times.len() <= MOST, "{} after {k}", history.times.len());
        }
        assert!(history.times.len() > MOST / 4, "{}", history.times.len());
        assert_eq!((history.times[0], history.times.last()), (0.0, Some(&(count as f64 - 1.0))));
        let gaps = history.times.windows(2).map(|pair| pair[1] - pair[0]);
        let widest = gaps.fold(0.0, f64::max);
        assert!(widest <= 32.0, "{widest}");
        assert!(history.times.iter().zip(&history.curves[0]).all(|(t, x)| 2.0 * t == *x));
    }

    #[test]
    fn a_value_is_that_of_the_last_sample_and_none_before_the_first() {
        let mut history = History::new("/a:x".to_owned());
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
        assert_eq!(history.times, [0.0, 1.0, 2.0, 3.0]);
        history.record(3.5, &[8.0]);
        assert_eq!(history.curves[0], [1.0, 1.0, 1.0, 7.0, 8.0]);
    }
}
