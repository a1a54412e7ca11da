//! Simulated time held to the time of the wall.

use std::time::{Duration, Instant};

/// Holds a run to a speed: it waits where the run is ahead, and does not hurry where it is behind.
#[derive(Debug)]
pub(super) struct Pace {
    /// Simulated over wall time [-].
    speed: f64,
    /// Where both clocks began.
    begun: Option<(Instant, f64)>,
}

impl Pace {
    pub(super) fn new(speed: f64) -> Self {
        Self { speed, begun: None }
    }

    /// Waits until simulated `time` [s] is due.
    pub(super) fn wait(&mut self, time: f64) {
        let (wall, start) = *self.begun.get_or_insert_with(|| (Instant::now(), time));
        let due = (time - start) / self.speed;
        let ahead = due - wall.elapsed().as_secs_f64();
        if ahead > 0.0 && ahead.is_finite() {
            std::thread::sleep(Duration::from_secs_f64(ahead));
        } else {
            self.begun = Some((Instant::now(), time));
        }
    }

    /// The clocks begin anew: after a pause, or a jump in time.
    pub(super) fn restart(&mut self) {
        self.begun = None;
    }
}
