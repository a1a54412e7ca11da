//! The thread of a world that runs. It is looked at through a [`Reader`] and told what to do through a queue: neither side
//! waits for the other.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::command::WorldCommand;
use super::error::LiveError;
use super::live_world::LiveWorld;
use super::snapshot::{PartText, WorldSnapshot, WorldStatus};
use crate::interactive::{PartId, PartList, WorldDescription, WorldPart};
use crate::snapshot::{Reader, Writer, exchange_of};

/// Time between two snapshots: that of a frame.
const FRAME: Duration = Duration::from_micros(16_667);
/// Time that steps may take in a frame, so that commands are not waited for, and the longest time that is caught up with.
const BUDGET: Duration = Duration::from_millis(40);
const LONGEST: Duration = Duration::from_millis(100);
/// Notes that are kept for a reader that takes none.
const MOST_NOTES: usize = 1000;
/// Share of the last frame in the real time factor.
const FRESH: f64 = 0.05;

/// Reads and writes files of worlds, whose format this crate does not know; errors are in words.
#[derive(Clone, Copy, Debug)]
pub struct WorldFiles {
    /// Reads a world.
    pub read: fn(&Path) -> Result<WorldDescription, String>,
    /// Writes a world.
    pub write: fn(&WorldDescription, &Path) -> Result<(), String>,
    /// Reads a part of a list; paths in it begin at the folder.
    pub read_part: fn(PartList, &str, &Path) -> Result<WorldPart, String>,
    /// The text of a part, without the state of an object.
    pub write_part: fn(&WorldPart) -> Result<String, String>,
}

/// Function that is called when there is something new to draw.
type Waker = Box<dyn Fn() + Send>;

/// Data shared by both threads; every lock is held for a move alone.
#[derive(Default)]
struct Shared {
    notes: Mutex<Vec<String>>,
    waker: Mutex<Option<Waker>>,
}

impl Shared {
    fn note(&self, text: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() < MOST_NOTES {
            notes.push(text);
        }
    }

    fn wake(&self) {
        if let Some(waker) = &*self.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            waker();
        }
    }
}

/// A world that runs in a thread of its own. The thread ends after the step under way when the session is dropped.
pub struct WorldSession {
    commands: Sender<WorldCommand>,
    shared: Arc<Shared>,
    reader: Reader<WorldSnapshot>,
}

impl WorldSession {
    /// Starts the thread, without a world: [`WorldCommand::Open`] opens one.
    pub fn start(files: WorldFiles) -> Self {
        let (commands, queue) = mpsc::channel();
        let (writer, reader) = exchange_of();
        let shared = Arc::new(Shared::default());
        let worker = Worker {
            queue,
            writer,
            shared: shared.clone(),
            files,
            live: None,
            folder: PathBuf::new(),
            shown: None,
            world: 0,
            status: WorldStatus::default(),
            looked: Instant::now(),
            behind: Duration::ZERO,
        };
        let thread = std::thread::Builder::new().name("world".to_owned());
        if let Err(error) = thread.spawn(move || worker.run()) {
            shared.note(format!("the world could not be started: {error}"));
        }
        Self { commands, shared, reader }
    }

    /// Asks for something; it is done after the step under way.
    pub fn send(&self, command: WorldCommand) {
        // Nobody listens any more only when the thread could not be started, which a note tells.
        let _ = self.commands.send(command);
    }

    /// Reader of snapshots.
    pub fn reader(&mut self) -> &mut Reader<WorldSnapshot> {
        &mut self.reader
    }

    /// Reasons of what was refused or failed since the last call.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Calls a function when there is something new to draw, in the thread of the world.
    pub fn on_news(&self, waker: impl Fn() + Send + 'static) {
        let mut kept = self.shared.waker.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(Box::new(waker));
    }
}

/// The side of the thread.
struct Worker {
    queue: Receiver<WorldCommand>,
    writer: Writer<WorldSnapshot>,
    shared: Arc<Shared>,
    files: WorldFiles,
    live: Option<LiveWorld>,
    /// Folder of the file that was opened, and the part whose text is shown.
    folder: PathBuf,
    shown: Option<PartId>,
    /// Number of the world that was opened.
    world: u64,
    status: WorldStatus,
    /// Time of the last frame, and simulated time over speed that the run is behind.
    looked: Instant,
    behind: Duration,
}

impl Worker {
    fn run(mut self) {
        loop {
            let received = if self.status.is_playing {
                self.queue
                    .recv_timeout((self.looked + FRAME).saturating_duration_since(Instant::now()))
            } else {
                self.queue.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            match received {
                Ok(command) => self.apply(command),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            while let Ok(command) = self.queue.try_recv() {
                self.apply(command);
            }
            if self.status.is_playing && self.looked.elapsed() >= FRAME {
                self.advance();
            }
            self.publish();
        }
    }

    /// Does a command; a note says why it was refused.
    fn apply(&mut self, command: WorldCommand) {
        if let Err(why) = self.try_apply(command) {
            self.shared.note(why);
        }
    }

    fn try_apply(&mut self, command: WorldCommand) -> Result<(), String> {
        let words = |error: LiveError| error.to_string();
        match command {
            WorldCommand::New => {
                self.begin(WorldDescription::default(), PathBuf::new()).map_err(words)
            }
            WorldCommand::Open(path) => self.open(&path),
            WorldCommand::Save(path) => {
                let saved = self.live()?.saved().map_err(words)?;
                (self.files.write)(&saved, &path)
            }
            WorldCommand::Show(part) => {
                self.shown = part;
                Ok(())
            }
            WorldCommand::Replace { part, text } => {
                let read = (self.files.read_part)(part.list, &text, &self.folder);
                let read = read.map_err(|why| format!("{part}: {why}"))?;
                self.live()?.replace_part(&part, read).map_err(words)
            }
            command @ (WorldCommand::Play
            | WorldCommand::Pause
            | WorldCommand::Step
            | WorldCommand::SetStep(_)
            | WorldCommand::SetSpeed(_)) => self.run_by(&command),
            edit => change(self.live()?, edit).map_err(words),
        }
    }

    /// Does a command on the run.
    fn run_by(&mut self, command: &WorldCommand) -> Result<(), String> {
        let words = |error: LiveError| error.to_string();
        match *command {
            WorldCommand::Play => {
                self.live()?;
                (self.looked, self.behind) = (Instant::now(), Duration::ZERO);
                self.status.is_playing = true;
            }
            WorldCommand::Pause => {
                (self.status.is_playing, self.status.real_time_factor) = (false, 0.0);
            }
            WorldCommand::Step => {
                let step = self.status.step;
                self.live()?.step(step).map_err(words)?;
            }
            WorldCommand::SetStep(step) => {
                set(&mut self.status.step, ("`step`", step)).map_err(words)?;
            }
            WorldCommand::SetSpeed(speed) => {
                set(&mut self.status.speed, ("`speed`", speed)).map_err(words)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn live(&mut self) -> Result<&mut LiveWorld, String> {
        self.live.as_mut().ok_or_else(|| "there is no world: open one first".to_owned())
    }

    fn open(&mut self, path: &Path) -> Result<(), String> {
        let description = (self.files.read)(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let opened = self.begin(description, folder);
        opened.map_err(|error| format!("{}: {error}", path.display()))
    }

    fn begin(&mut self, description: WorldDescription, folder: PathBuf) -> Result<(), LiveError> {
        self.live = Some(LiveWorld::new(description)?);
        (self.folder, self.shown) = (folder, None);
        self.world += 1;
        // There is no set-up phase: what is opened runs.
        self.status = WorldStatus { is_playing: true, ..WorldStatus::default() };
        (self.looked, self.behind) = (Instant::now(), Duration::ZERO);
        Ok(())
    }

    /// The text of the part that is shown.
    fn text(&self) -> Option<PartText> {
        let part = self.shown.clone()?;
        let found = self.live.as_ref()?.part(&part)?;
        let text = (self.files.write_part)(&found).unwrap_or_else(|why| why);
        Some(PartText { part, text })
    }

    /// Advances by the time of the wall since the last frame, as far as that can be done.
    fn advance(&mut self) {
        let elapsed = self.looked.elapsed().min(LONGEST);
        self.looked = Instant::now();
        let Some(live) = &mut self.live else { return };
        let step = Duration::try_from_secs_f64(self.status.step / self.status.speed);
        let Ok(step) = step.map(|it| it.max(Duration::from_nanos(1))) else { return };
        let begun = self.behind + elapsed;
        let mut behind = begun;
        while behind >= step && self.looked.elapsed() < BUDGET {
            if let Err(error) = live.step(self.status.step) {
                let time = live.world().time();
                self.shared.note(format!("t = {time:.4} s: {error}"));
                self.status.is_playing = false;
                break;
            }
            behind -= step;
        }
        let done = (begun - behind).as_secs_f64() * self.status.speed;
        let factor = done / elapsed.as_secs_f64().max(FRAME.as_secs_f64());
        self.status.real_time_factor += FRESH * (factor - self.status.real_time_factor);
        // What could not be done is not caught up with: the run is slower then.
        self.behind = behind.min(step);
    }

    fn publish(&mut self) {
        if self.live.is_some() && self.status.is_playing && !self.writer.was_read() {
            return;
        }
        let shown = self.text();
        let Some(live) = &mut self.live else { return self.shared.wake() };
        let (world, status, shared) = (self.world, &self.status, &self.shared);
        self.writer.put(|snapshot| {
            (snapshot.world, snapshot.shown) = (world, shown);
            if let Err(error) = live.write_snapshot(status, snapshot) {
                shared.note(error.to_string());
            }
        });
        self.shared.wake();
    }
}

/// Does a command that changes the world.
fn change(live: &mut LiveWorld, command: WorldCommand) -> Result<(), LiveError> {
    match command {
        WorldCommand::Reset => live.reset(),
        WorldCommand::Drag(point, place) => live.drag(&point, place),
        WorldCommand::MoveDrag(place) => live.move_drag(place),
        WorldCommand::Release => live.release(),
        WorldCommand::Pull { output, target } => live.pull(&output, target),
        WorldCommand::ReleaseOutput(output) => live.release_output(&output),
        WorldCommand::SetValue { output, value } => live.set_value(&output, value),
        WorldCommand::SetFormula { block, text } => {
            // The list of blocks shows why it was refused.
            let _ = live.set_formula(&block, &text);
            Ok(())
        }
        WorldCommand::Add { kind, picks } => live.add(&kind, &picks),
        WorldCommand::Remove(parts) => live.remove_parts(&parts),
        WorldCommand::Undo => live.undo().map(|_| ()),
        WorldCommand::Redo => live.redo().map(|_| ()),
        // These concern the run and its files.
        WorldCommand::New
        | WorldCommand::Open(_)
        | WorldCommand::Save(_)
        | WorldCommand::Show(_)
        | WorldCommand::Replace { .. }
        | WorldCommand::Play
        | WorldCommand::Pause
        | WorldCommand::Step
        | WorldCommand::SetStep(_)
        | WorldCommand::SetSpeed(_) => Ok(()),
    }
}

/// Sets a number that must be above zero.
fn set(number: &mut f64, (name, value): (&'static str, f64)) -> Result<(), LiveError> {
    if !(value > 0.0 && value.is_finite()) {
        return Err(LiveError::Number { name, range: "> 0", value });
    }
    *number = value;
    Ok(())
}
