//! Progress of a sequence of problems over the same rows: the iterations of one step, each of which
//! goes on from the one before.

use crate::mixed::tuning::{GAIN, STUCK};

/// Progress of the search for the sets of a sequence of problems.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Problems of this sequence so far.
    pub(super) iteration: usize,
    /// True if iterations did not find the solution, so that the rest of the sequence takes
    /// factors.
    pub(super) iterations_failed: bool,
    /// True if the dense problem was not solved, so that the rest of the sequence is left to active
    /// sets.
    pub(super) dense_failed: bool,
    /// True if the interior point method on the response of the rows failed, so that the rest of the sequence is left to
    /// the sparse one.
    pub(super) condensed_failed: bool,
    /// True if pivoting does not find the sets; the field after it has the iteration of the first
    /// failure.
    pub(super) pivoting_failed: bool,
    pub(super) failed_since: usize,
    /// Error before the last iteration, where that was one of the interior point method [m/s], and how many of these did
    /// not help.
    pub(super) reached: Option<f64>,
    stuck: usize,
    /// True if impulses stay for the rest of the sequence.
    pub(super) kept: bool,
}

impl Progress {
    /// Leaves pivoting for the rest of the sequence: what it left behind says nothing.
    pub(super) fn abandon_pivoting(&mut self) {
        (self.pivoting_failed, self.failed_since) = (true, self.iteration);
        (self.reached, self.stuck, self.kept) = (None, 0, false);
    }

    /// True if an interior point method brings the rows no nearer than `error`: slip and stick are
    /// then within rounding errors, and another iteration ends where this one did.
    pub(super) fn is_stuck(&mut self, error: f64) -> bool {
        if self.reached.is_some_and(|before| error > GAIN * before) {
            self.stuck += 1;
        }
        self.stuck >= STUCK
    }
}
