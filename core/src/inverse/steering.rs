//! Parts of a controller that it shares with those who show it: its steering while it runs, and the course that it follows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::schedule::Signal;

/// Steering of a controller while it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackingSteering {
    /// True if it looks for excitations.
    pub on: bool,
    /// Weights of its targets.
    pub weights: Vec<f64>,
}

/// The steering, shared between a controller and those who steer it.
pub type SharedSteering = Arc<Mutex<TrackingSteering>>;

/// Course of the targets, shared between a controller and those who show it: a file is read once for both.
pub(super) type SharedCourse = Arc<Mutex<Box<dyn Signal>>>;

/// Contents of what is shared, whatever became of another holder.
pub(super) fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
