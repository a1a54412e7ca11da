//! A model that runs in a thread of its own, for a window or a prompt: commands go in through a queue and
//! are done between steps, snapshots and notes come out. Neither side waits for the other.

mod apply;
mod building;
mod command;
mod drag;
mod error;
mod film;
mod report;
mod samples;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Scheduler;
use crate::snapshot::{Reader, Snapshot, exchange};

pub use building::{Build, BuildError, Connection, Part, Pick};
pub use command::{Assignment, Command, DragPoint};
pub use error::{CommandError, FileError};
pub use report::{Note, NoteKind, Status, WaypointMark};
pub use samples::Samples;

use film::FilmFeed;
use worker::Worker;

/// Notes that are kept for a reader that takes none: the first ones say what went wrong.
const MOST_NOTES: usize = 1000;

/// Files of a session, whose formats this crate does not know.
pub trait SessionFiles: Send {
    /// Makes a model ready that is to take the place of the one that runs.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with the file.
    fn open(&mut self, path: &Path, params: &[String]) -> Result<Scheduler, OpenError>;

    /// Makes the model that was loaded last ready once more, from its files as they are now.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with them, or that there are none.
    fn reload(&mut self) -> Result<Scheduler, OpenError> {
        Err("there is no file to load the model from again".to_owned().into())
    }

    /// Makes a model ready that has nothing but a fixed point, to be built by hand.
    ///
    /// # Errors
    /// [`OpenError`] says why there is none.
    fn create(&mut self) -> Result<Scheduler, OpenError> {
        Err("no model is made here: open one".to_owned().into())
    }

    /// Files of the model that was loaded last which changed since; each change is told once.
    fn changed(&mut self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Writes where a run is, to be gone on from.
    ///
    /// # Errors
    /// [`FileError`] says what went wrong.
    fn save(&mut self, scheduler: &mut Scheduler, path: &Path) -> Result<(), FileError>;

    /// Writes the model as it is now.
    ///
    /// # Errors
    /// [`FileError`] says what went wrong.
    fn save_model(&mut self, scheduler: &Scheduler, path: &Path) -> Result<(), FileError>;
}

/// Errors of opening a file.
#[derive(Clone, Debug)]
pub struct OpenError {
    /// Its fault.
    pub error: FileError,
    /// Picture of its model, where that can be drawn though it cannot be simulated.
    pub picture: Option<Box<Snapshot>>,
}

impl From<FileError> for OpenError {
    fn from(error: FileError) -> Self {
        Self { error, picture: None }
    }
}

impl From<String> for OpenError {
    fn from(message: String) -> Self {
        FileError::from(message).into()
    }
}

/// Files are refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl SessionFiles for NoFiles {
    fn open(&mut self, path: &Path, _: &[String]) -> Result<Scheduler, OpenError> {
        Err(FileError::NoFiles(path.to_owned()).into())
    }

    fn save(&mut self, _: &mut Scheduler, path: &Path) -> Result<(), FileError> {
        Err(FileError::NoFiles(path.to_owned()))
    }

    fn save_model(&mut self, _: &Scheduler, path: &Path) -> Result<(), FileError> {
        Err(FileError::NoFiles(path.to_owned()))
    }
}

/// Function that is called when there is something new to draw.
type Waker = Box<dyn Fn() + Send>;

/// Data shared by both threads; every lock is held for a copy alone.
#[derive(Default)]
struct Shared {
    status: Mutex<Status>,
    notes: Mutex<Vec<Note>>,
    samples: Mutex<Vec<Samples>>,
    /// Feed of a film that begins.
    film: Mutex<Option<FilmFeed>>,
    waker: Mutex<Option<Waker>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn note(&self, note: Note) {
        let mut notes = locked(&self.notes);
        if notes.len() < MOST_NOTES {
            notes.push(note);
        }
    }

    fn wake(&self) {
        if let Some(waker) = &*locked(&self.waker) {
            waker();
        }
    }
}

/// Longest wait of a session that is dropped for the step under way [s]: recordings end whole where steps are
/// short, and nobody waits for a long one.
const PATIENCE: Duration = Duration::from_secs(1);

/// A running model. It ends after the step under way: [`Self::finish`] waits for that, and a session that is
/// dropped waits a second at most.
pub struct Session {
    commands: Sender<Command>,
    shared: Arc<Shared>,
    reader: Reader,
    thread: Option<JoinHandle<()>>,
    /// Closed when the thread ends.
    ended: Receiver<()>,
}

impl Session {
    /// Runs the simulation of `make`, paused, in a thread of its own; `make` is called in that
    /// thread, so that a window is there before a large model is ready. Where it fails, a note says
    /// why, and the session waits for [`Command::Open`].
    pub fn start(
        make: impl FnOnce() -> Result<Scheduler, OpenError> + Send + 'static,
        files: Box<dyn SessionFiles>,
    ) -> Self {
        let (commands, queue) = mpsc::channel();
        let (writer, reader) = exchange();
        let shared = Arc::new(Shared::default());
        let seen = shared.clone();
        locked(&shared.status).busy = Some("loading the model".to_owned());
        let (end, ended) = mpsc::channel();
        let run = move || {
            // Dropped with the thread's other variables, after the worker.
            let _end: Sender<()> = end;
            Worker::new(queue, writer, seen, files).run(make);
        };
        let thread = std::thread::Builder::new().name("simulation".to_owned()).spawn(run);
        if let Err(error) = &thread {
            let text = format!("the simulation could not be started: {error}");
            shared.note(Note { time: 0.0, kind: NoteKind::Failed, text });
        }
        Self { commands, shared, reader, thread: thread.ok(), ended }
    }

    /// Asks for something; it is done after the step under way.
    pub fn send(&self, command: Command) {
        // Nobody listens any more only when the session has ended, and there is nothing to be done.
        let _ = self.commands.send(command);
    }

    /// Reader of snapshots.
    pub fn reader(&mut self) -> &mut Reader {
        &mut self.reader
    }

    /// Status of the session.
    pub fn status(&self) -> Status {
        locked(&self.shared.status).clone()
    }

    /// Notes since the last call.
    pub fn take_notes(&self) -> Vec<Note> {
        std::mem::take(&mut *locked(&self.shared.notes))
    }

    /// Samples of the properties of [`Command::Record`] since the last call, one a step.
    pub fn take_samples(&self) -> Vec<Samples> {
        std::mem::take(&mut *locked(&self.shared.samples))
    }

    /// Snapshots of the run from the next step on, one each `every` [s] of simulated time, in place of those of a film before. The
    /// run waits where they are not taken; it ends the film when the receiver is dropped.
    pub fn film(&self, every: f64) -> Receiver<Snapshot> {
        let (feed, snapshots) = FilmFeed::new(every);
        *locked(&self.shared.film) = Some(feed);
        snapshots
    }

    /// Calls `waker` from now on whenever there is something new: a snapshot, a status, a note.
    pub fn on_news(&self, waker: impl Fn() + Send + 'static) {
        *locked(&self.shared.waker) = Some(Box::new(waker));
    }

    /// Ends after the step under way, and waits for that.
    pub fn finish(mut self) {
        self.send(Command::Quit);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has printed why.
            let _ = thread.join();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.send(Command::Quit);
        // Nothing is ever sent: it is closed, or the time is up.
        let _ = self.ended.recv_timeout(PATIENCE);
    }
}
