//! A run in a thread of its own, so that commands are read meanwhile. The model is looked at and changed
//! between two steps.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sinew::schedule::{Halt, ScheduleError, Scheduler};

use crate::compute::Interrupt;

/// Interval of the looks of a waiting thread: much shorter than what a person notices, and than
/// most runs.
const LOOK: Duration = Duration::from_millis(1);

/// Outcome of a run.
pub(super) type Outcome = Result<Halt, ScheduleError>;

/// Told of the end of a run, and of the time [s] then.
pub(super) type Tell = Box<dyn FnOnce(&Outcome, f64) + Send>;

/// A scheduler, and perhaps a thread that runs it.
pub(super) struct Runner {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Outcome>>,
    /// Time at which the run halts by itself [s].
    end: f64,
}

struct Shared {
    scheduler: Mutex<Scheduler>,
    /// Number of threads that want the scheduler between two steps.
    wanted: AtomicUsize,
    pause: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Scheduler> {
        self.wanted.fetch_add(1, Ordering::SeqCst);
        let scheduler = self.scheduler.lock().unwrap_or_else(PoisonError::into_inner);
        self.wanted.fetch_sub(1, Ordering::SeqCst);
        scheduler
    }

    /// Steps until `end` [s], giving the scheduler away between steps to whoever wants it.
    fn run(&self, end: f64, interrupt: &Interrupt) -> Outcome {
        while !self.pause.load(Ordering::SeqCst) && !interrupt.is_requested() {
            if self.wanted.load(Ordering::SeqCst) > 0 {
                std::thread::yield_now();
                continue;
            }
            let mut scheduler = self.scheduler.lock().unwrap_or_else(PoisonError::into_inner);
            match scheduler.run_while(end, |_, _| false)? {
                Halt::Paused => {}
                halt => return Ok(halt),
            }
        }
        Ok(Halt::Paused)
    }
}

impl Runner {
    /// A scheduler that stands still.
    pub(super) fn new(scheduler: Scheduler) -> Self {
        let (scheduler, wanted) = (Mutex::new(scheduler), AtomicUsize::new(0));
        let shared = Shared { scheduler, wanted, pause: AtomicBool::new(false) };
        Self { shared: Arc::new(shared), thread: None, end: f64::INFINITY }
    }

    /// The scheduler, between two steps; nothing runs while it is held.
    pub(super) fn lock(&self) -> MutexGuard<'_, Scheduler> {
        self.shared.lock()
    }

    /// Starts a run to `end` [s]. One that is under way is to be waited for first.
    pub(super) fn start(&mut self, end: f64, interrupt: &Interrupt, tell: Option<Tell>) {
        self.shared.pause.store(false, Ordering::SeqCst);
        self.end = end;
        let (shared, interrupt) = (Arc::clone(&self.shared), interrupt.clone());
        self.thread = Some(std::thread::spawn(move || {
            let outcome = shared.run(end, &interrupt);
            if let Some(tell) = tell {
                tell(&outcome, shared.lock().time());
            }
            outcome
        }));
    }

    /// True if a run is under way.
    pub(super) fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// True if the run halts without being told to.
    pub(super) fn has_end(&self) -> bool {
        let scheduler = self.lock();
        let now = scheduler.time();
        self.end.is_finite() || scheduler.waypoints().any(|(at, halts, _)| halts && at > now)
    }

    /// Halts the run after its step.
    pub(super) fn pause(&self) {
        self.shared.pause.store(true, Ordering::SeqCst);
    }

    /// Waits until the run has halted, or for `longest`; whether it has.
    pub(super) fn wait(&self, longest: Option<Duration>) -> bool {
        let begun = Instant::now();
        while self.is_running() {
            if longest.is_some_and(|longest| begun.elapsed() >= longest) {
                return false;
            }
            std::thread::sleep(LOOK);
        }
        true
    }

    /// Outcome of a run that has halted, once; a panic of its thread goes on in this one.
    pub(super) fn outcome(&mut self) -> Option<Outcome> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.pause();
        if let Some(thread) = self.thread.take() {
            // What it panicked with was printed.
            let _ = thread.join();
        }
    }
}
