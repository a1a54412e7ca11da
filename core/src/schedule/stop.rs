//! A request to stop that reaches whoever waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set from another thread, or a handler of a signal, to end what takes long. Copies are one flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Takes the request back; whether there was one.
    pub fn clear(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }

    /// True if it was asked for.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
