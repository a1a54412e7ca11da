//! Steering of a controller while it runs, by those who show it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// Contents of what is shared, whatever became of another holder.
pub(super) fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
