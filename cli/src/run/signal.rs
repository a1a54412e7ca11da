//! Ctrl-C, and a request to terminate: the first ends the run after the step, the second at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// Whether the user asked to stop.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts to listen.
    ///
    /// # Errors
    /// A system that allows no handler.
    pub(crate) fn listen() -> Result<Self, ctrlc::Error> {
        let requested = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&requested);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(Exit::Interrupted as i32);
            }
        })?;
        Ok(Self(requested))
    }

    /// One that may come again and again, each time to halt a run and not the program.
    ///
    /// # Errors
    /// As [`Self::listen`].
    pub(crate) fn listen_for_each() -> Result<Self, ctrlc::Error> {
        let requested = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&requested);
        ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst))?;
        Ok(Self(requested))
    }

    /// Forgets a request that was heard.
    pub(crate) fn clear(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// One that never comes: a process can listen once.
    pub(crate) fn never() -> Self {
        Self(Arc::new(AtomicBool::new(false)))
    }

    /// Whether the run is to end after this step.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
