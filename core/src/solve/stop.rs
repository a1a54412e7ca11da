//! A request to stop, which reaches steps that do not end.

use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time that a step may go on after the request. Steps at interactive rates end by themselves
/// before, so that a run which is stopped and goes on gives the same bits as one that was not.
const PATIENCE: Duration = Duration::from_secs(1);

/// Origin of the times of requests.
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Flag set from another thread, or a handler of a signal, to end a long computation. Copies are
/// one flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    made: AtomicBool,
    /// Time after [`EPOCH`] [ms].
    at: AtomicU64,
}

impl StopFlag {
    /// Asks to stop.
    pub fn set(&self) {
        self.0.at.store(EPOCH.elapsed().as_millis() as u64, Ordering::SeqCst);
        self.0.made.store(true, Ordering::SeqCst);
    }

    /// Takes the request back; whether there was one.
    pub fn clear(&self) -> bool {
        self.0.made.swap(false, Ordering::SeqCst)
    }

    /// True if it was asked for.
    pub fn is_set(&self) -> bool {
        self.0.made.load(Ordering::SeqCst)
    }

    /// True if it was asked for a second ago or more: a step that still goes on is given up between two of its
    /// iterations.
    pub fn is_overdue(&self) -> bool {
        let now = EPOCH.elapsed().as_millis() as u64;
        let since = now.saturating_sub(self.0.at.load(Ordering::SeqCst));
        self.is_set() && u128::from(since) >= PATIENCE.as_millis()
    }

    /// True if there is time for what takes this long and cannot be ended: always, until it is asked for.
    pub(super) fn leaves(&self, duration: Duration) -> bool {
        !self.is_set() || duration < PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_overdue_after_a_second_and_can_be_taken_back() {
        let flag = StopFlag::default();
        assert!(!flag.is_set() && !flag.is_overdue());
        assert!(flag.leaves(PATIENCE));
        flag.set();
        assert!(flag.is_set() && !flag.is_overdue());
        assert!(!flag.leaves(PATIENCE) && flag.leaves(PATIENCE / 2));
        flag.0.at.store(0, Ordering::SeqCst);
        std::thread::sleep(PATIENCE.saturating_sub(EPOCH.elapsed()));
        assert!(flag.is_overdue());
        assert!(flag.clear() && !flag.is_overdue());
    }
}
