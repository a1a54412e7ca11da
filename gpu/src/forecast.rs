//! Iterations to record before the outcome is looked at. What is recorded beyond the end of a solve does nothing, so
//! this changes no bit of the result: a dispatch too many costs some microseconds, a read-back some tens of them.

use sinew_shaders::layout::{BATCHES, flag};

/// A round is recorded with one iteration more for so many that it took in the last solve.
const SHARE: u32 = 12;

/// Least iterations between two looks in a solve of which nothing is known yet.
const UNKNOWN: u32 = 4;

/// Iterations that each round of conjugate gradients took in the last solve.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forecast {
    batches: [u32; BATCHES as usize],
    counts: IterationCounts,
}

/// Iterations since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IterationCounts {
    /// Recorded and submitted, those after the end of a solve among them.
    pub recorded: u64,
    /// Made by solves.
    pub used: u64,
}

impl Forecast {
    /// Iterations to record for each round that is expected.
    pub(crate) fn batches(&self) -> impl Iterator<Item = u32> + use<> {
        self.batches.into_iter().take_while(|&taken| taken > 0).map(|taken| taken + taken / SHARE)
    }

    /// Iterations to record where those were not enough, after `made`.
    pub(crate) fn more(&self, made: u32) -> u32 {
        let least = if self.batches[0] == 0 { UNKNOWN } else { 1 };
        (made / SHARE).max(least)
    }

    /// Notes what was submitted.
    pub(crate) fn record(&mut self, iterations: u32) {
        self.counts.recorded += u64::from(iterations);
    }

    /// Takes the flags after a solve.
    pub(crate) fn learn(&mut self, flags: &[u32]) {
        let made = flags[flag::ITERATIONS as usize];
        let count = flags[flag::CORRECTIONS as usize].min(BATCHES);
        let start = |round: u32| match round < count {
            true => flags[(flag::BATCHES + round) as usize],
            false => made,
        };
        self.batches = std::array::from_fn(|k| start(k as u32 + 1).saturating_sub(start(k as u32)));
        self.counts.used += u64::from(made);
    }

    /// Counts since the start.
    pub(crate) fn counts(&self) -> IterationCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(made: u32, starts: &[u32]) -> Vec<u32> {
        let mut flags = vec![0; flag::COUNT as usize];
        flags[flag::ITERATIONS as usize] = made;
        flags[flag::CORRECTIONS as usize] = starts.len() as u32;
        flags[flag::BATCHES as usize..][..starts.len()].copy_from_slice(starts);
        flags
    }

    #[test]
    fn every_round_is_recorded_by_what_it_took() {
        let mut forecast = Forecast::default();
        assert_eq!(forecast.batches().count(), 0);
        assert_eq!((forecast.more(0), forecast.more(120)), (4, 10));
        forecast.learn(&flags(31, &[0, 26]));
        assert_eq!(forecast.batches().collect::<Vec<_>>(), [28, 5]);
        assert_eq!((forecast.more(3), forecast.more(31)), (1, 2));
        forecast.learn(&flags(24, &[0]));
        assert_eq!(forecast.batches().collect::<Vec<_>>(), [26]);
        forecast.learn(&flags(0, &[]));
        assert_eq!(forecast.batches().count(), 0);
        assert_eq!(forecast.counts().used, 55);
    }
}
