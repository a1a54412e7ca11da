//! Ctrl-C, and a request to terminate: the first ends the run after the step, or within it where that takes long; the second, or a step that
//! does not end, at once.

use std::time::Duration;

use sinew::schedule::StopFlag;

use crate::console;
use crate::exit::{Exit, SystemError};

/// Time that a step may go on after the request: a part of the usual 30 s that programs which run
/// many jobs give one to end in.
const PATIENCE: Duration = Duration::from_secs(10);

/// Flag that the user asked to stop.
#[derive(Clone)]
pub(crate) struct Interrupt(StopFlag);

impl Interrupt {
    /// Starts to listen.
    ///
    /// # Errors
    /// A system that allows no handler.
    pub(crate) fn listen() -> Result<Self, SystemError> {
        let requested = StopFlag::default();
        let flag = requested.clone();
        ctrlc::set_handler(move || {
            if flag.is_set() {
                std::process::exit(Exit::Interrupted as i32);
            }
            flag.set();
            std::thread::spawn(end_after_patience);
        })?;
        Ok(Self(requested))
    }

    /// One that may come again and again, each time to halt a run and not the program.
    ///
    /// # Errors
    /// As [`Self::listen`].
    pub(crate) fn listen_for_each() -> Result<Self, SystemError> {
        let requested = StopFlag::default();
        let flag = requested.clone();
        ctrlc::set_handler(move || flag.set())?;
        Ok(Self(requested))
    }

    /// Forgets a request that was heard.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// One that never comes: a process can listen once.
    pub(crate) fn never() -> Self {
        Self(StopFlag::default())
    }

    /// True if the run is to end after this step.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.is_set()
    }

    /// The flag that is set by it.
    pub(crate) fn flag(&self) -> StopFlag {
        self.0.clone()
    }
}

/// Ends the process where the run has not ended by itself. What is written is whole at any time.
fn end_after_patience() {
    std::thread::sleep(PATIENCE);
    let seconds = PATIENCE.as_secs();
    console::complain(&format!("the step has not ended in {seconds} s: what was written is kept"));
    std::process::exit(Exit::Interrupted as i32);
}
