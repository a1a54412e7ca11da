//! Snapshots at even times for a film. A run waits for a film that is behind, so that no picture is left out.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::snapshot::Snapshot;

/// Snapshots that may wait for the film.
const AHEAD: usize = 2;
/// Part of an interval that rounding may take from a time.
const ROUNDING: f64 = 1e-6;

/// Sends snapshots to a film, one an interval.
pub(super) struct FilmFeed {
    /// Simulated time between two snapshots [s].
    every: f64,
    /// Time of the next one [s]; `None` for the first.
    next: Option<f64>,
    sender: SyncSender<Snapshot>,
}

impl FilmFeed {
    /// A feed, and what it feeds.
    pub(super) fn new(every: f64) -> (Self, Receiver<Snapshot>) {
        let (sender, snapshots) = sync_channel(AHEAD);
        (Self { every, next: None, sender }, snapshots)
    }

    /// True if a snapshot is due at this time [s]; the next one is due an interval later. A run that was taken back is
    /// filmed from there.
    pub(super) fn is_due(&mut self, time: f64) -> bool {
        let due = match self.next {
            Some(next) if time > next - 2.0 * self.every => next,
            _ => time,
        };
        let passed = (time - due) / self.every + ROUNDING;
        if passed < 0.0 {
            return false;
        }
        self.next = Some(due + self.every * (passed.floor() + 1.0));
        true
    }

    /// Sends a snapshot, and waits while the film is behind; false if it has ended.
    pub(super) fn send(&self, snapshot: Snapshot) -> bool {
        self.sender.send(snapshot).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filmed(every: f64, times: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let (mut feed, _) = FilmFeed::new(every);
        times.into_iter().filter(|time| feed.is_due(*time)).collect()
    }

    #[test]
    fn snapshots_are_due_at_even_times_whatever_the_step() {
        let steps = |step: f64, count| (1..=count).map(move |k| step * f64::from(k));
        assert_eq!(filmed(0.04, steps(0.01, 13)), [0.01, 0.05, 0.09, 0.13]);
        // Steps that do not divide the interval: the first at or after each of its times.
        let uneven = filmed(0.04, steps(0.03, 9));
        assert_eq!(uneven.len(), 7, "{uneven:?}");
        // Steps that are longer than it: each.
        assert_eq!(filmed(0.04, steps(0.1, 4)).len(), 4);
    }

    #[test]
    fn a_run_that_was_taken_back_is_filmed_from_there() {
        assert_eq!(filmed(0.1, [1.0, 1.05, 1.1, 0.2, 0.25, 0.3]), [1.0, 1.1, 0.2, 0.3]);
    }
}
