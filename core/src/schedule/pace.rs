//! Simulated time held to the time of the wall.

use std::time::{Duration, Instant};

use super::StopFlag;

/// Longest sleep without a look at the flag: what a person does not notice.
const LOOK: Duration = Duration::from_millis(20);

/// Holds a run to a speed: it waits where the run is ahead, and does not hurry where it is behind.
#[derive(Debug)]
pub(super) struct Pace {
    /// Simulated over wall time [-].
    speed: f64,
    /// Readings of both clocks at the start.
    begun: Option<(Instant, f64)>,
}

impl Pace {
    pub(super) fn new(speed: f64) -> Self {
        Self { speed, begun: None }
    }

    /// Waits until simulated `time` [s] is due, or for the flag.
    pub(super) fn wait(&mut self, time: f64, stop: &StopFlag) {
        let (wall, start) = *self.begun.get_or_insert_with(|| (Instant::now(), time));
        let due = (time - start) / self.speed;
        // What no clock counts is not due before somebody stops it.
        let due = Duration::try_from_secs_f64(due.max(0.0)).unwrap_or(Duration::MAX);
        if wall.elapsed() >= due {
            self.begun = Some((Instant::now(), time));
        }
        while !stop.is_set() {
            let ahead = due.saturating_sub(wall.elapsed());
            if ahead.is_zero() {
                return;
            }
            std::thread::sleep(ahead.min(LOOK));
        }
    }

    /// The clocks begin anew: after a pause, or a jump in time.
    pub(super) fn restart(&mut self) {
        self.begun = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_that_no_clock_counts_ends_when_it_is_stopped() {
        for speed in [1e-300, f64::MIN_POSITIVE, 1e-12] {
            let (stop, mut pace) = (StopFlag::default(), Pace::new(speed));
            pace.wait(0.0, &stop);
            let other = stop.clone();
            let waiting = std::thread::spawn(move || pace.wait(0.01, &other));
            std::thread::sleep(LOOK);
            assert!(!waiting.is_finished(), "{speed}");
            stop.set();
            waiting.join().unwrap();
        }
    }
}
