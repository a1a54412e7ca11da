//! The thread of a session: steps, and commands between them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::drag::DragSpring;
use super::film::FilmFeed;
use super::samples::Recorder;
use super::{
    Command, Note, NoteKind, OpenError, SessionFiles, Shared, Status, WaypointMark, locked,
};
use crate::component::ComponentId;
use crate::schedule::{Scheduler, Waypoint};
use crate::snapshot::{Capture, Snapshot, SnapshotSink, Wanted, Writer};

/// Part of a mean that the last step makes: some thirty steps are remembered.
const SMOOTHING: f64 = 0.03;
/// Wall time over which the real-time factor is taken [s].
const WINDOW: f64 = 1.0;
/// Wall time between two looks at the files of the model.
const LOOK: Duration = Duration::from_millis(500);

/// The next thing to do.
enum Turn {
    Command(Command),
    Step,
    /// Nothing for now.
    Rest,
}

/// Setting by a gesture that may go on: a slider that is drawn is one edit.
pub(super) struct LastSetting {
    /// Number of the gesture.
    pub(super) gesture: u64,
    /// Properties that were set.
    pub(super) paths: Vec<String>,
    /// Edits of the model since it.
    pub(super) marks: (usize, u64),
}

impl LastSetting {
    /// True if a setting is part of the same edit: it is of the same gesture and properties, and nothing was edited since.
    pub(super) fn goes_on(
        &self,
        gesture: Option<u64>,
        paths: &[String],
        marks: (usize, u64),
    ) -> bool {
        gesture == Some(self.gesture) && self.paths == paths && self.marks == marks
    }
}

pub(super) struct Worker {
    queue: Receiver<Command>,
    writer: Writer,
    shared: Arc<Shared>,
    pub(super) files: Box<dyn SessionFiles>,
    capture: Capture,
    pub(super) wanted: Wanted,
    pub(super) status: Status,
    pub(super) drag: Option<DragSpring>,
    pub(super) recorder: Recorder,
    film: Option<FilmFeed>,
    pub(super) pins: HashMap<u32, Vec<ComponentId>>,
    /// Last setting by a gesture.
    pub(super) last_set: Option<LastSetting>,
    /// State of the run at the last [`Command::Keep`], and the structure of the system then.
    pub(super) kept: Option<(Waypoint, u64)>,
    /// Time at which the run is to halt [s].
    pub(super) end: f64,
    /// Wall clock and simulated time [s] at which the pace began.
    pub(super) begun: Option<(Instant, f64)>,
    /// The same for the real-time factor.
    pub(super) measured: Option<(Instant, f64)>,
    /// True if what is shown is behind what is.
    pub(super) stale: bool,
    /// Time of the last look at the files of the model.
    looked: Instant,
}

impl Worker {
    pub(super) fn new(
        queue: Receiver<Command>,
        writer: Writer,
        shared: Arc<Shared>,
        files: Box<dyn SessionFiles>,
    ) -> Self {
        Self {
            queue,
            writer,
            shared,
            files,
            capture: Capture::new(),
            wanted: Wanted::default(),
            status: Status::default(),
            drag: None,
            recorder: Recorder::default(),
            film: None,
            pins: HashMap::new(),
            last_set: None,
            kept: None,
            end: f64::INFINITY,
            begun: None,
            measured: None,
            stale: true,
            looked: Instant::now(),
        }
    }

    pub(super) fn run(mut self, make: impl FnOnce() -> Result<Scheduler, OpenError>) {
        let mut scheduler = None;
        match make() {
            Ok(made) => {
                scheduler = Some(made);
                self.adopt(scheduler.as_mut());
            }
            Err(why) => self.refuse(why, &mut scheduler),
        }
        self.status.busy = None;
        loop {
            self.show(scheduler.as_mut());
            self.follow_files(&mut scheduler);
            match (self.next(scheduler.as_ref()), &mut scheduler) {
                (Turn::Command(Command::Quit), _) => return,
                (Turn::Command(command), scheduler) => self.carry_out(command, scheduler),
                (Turn::Step, Some(scheduler)) => self.step(scheduler),
                (Turn::Step, None) | (Turn::Rest, _) => {}
            }
        }
    }

    /// Puts another model in the place of this one, or applies a command to this one, where there is one.
    fn carry_out(&mut self, command: Command, scheduler: &mut Option<Scheduler>) {
        match (command, scheduler) {
            (Command::Open { path, params }, scheduler) => {
                let name = path.display().to_string();
                self.open(&name, |files| files.open(&path, &params), scheduler);
            }
            (Command::New, scheduler) => {
                self.open("a new model", |files| files.create(), scheduler);
            }
            (Command::Reload, scheduler) => self.reload(scheduler),
            (command, Some(scheduler)) => self.apply(command, scheduler),
            (_, None) => {}
        }
    }

    /// A command, or the step that is due; neither for as long as files may be left unlooked at.
    fn next(&mut self, scheduler: Option<&Scheduler>) -> Turn {
        let playing = scheduler.filter(|_| self.status.playing);
        let due = playing.map(|scheduler| self.time_to_wait(scheduler.time()));
        let wait = due.filter(|due| *due < LOOK);
        match self.queue.recv_timeout(wait.unwrap_or(LOOK)) {
            Ok(command) => Turn::Command(command),
            Err(RecvTimeoutError::Timeout) if wait.is_some() => Turn::Step,
            Err(RecvTimeoutError::Timeout) => Turn::Rest,
            Err(RecvTimeoutError::Disconnected) => Turn::Command(Command::Quit),
        }
    }

    /// Time by which the run is ahead of its pace. It does not hurry where it is behind.
    fn time_to_wait(&mut self, time: f64) -> Duration {
        let Some(pace) = self.status.pace else { return Duration::ZERO };
        let (wall, start) = *self.begun.get_or_insert_with(|| (Instant::now(), time));
        let ahead = (time - start) / pace - wall.elapsed().as_secs_f64();
        if ahead < 0.0 {
            self.begun = Some((Instant::now(), time));
        }
        Duration::try_from_secs_f64(ahead.max(0.0)).unwrap_or_default()
    }

    fn adopt(&mut self, scheduler: Option<&mut Scheduler>) {
        (self.capture, self.drag) = (Capture::new(), None);
        self.recorder = Recorder::default();
        self.pins.clear();
        (self.last_set, self.kept) = (None, None);
        self.wanted.selected.clear();
        self.wanted.followed.clear();
        let model = self.status.model + 1;
        self.status = Status { loaded: scheduler.is_some(), model, ..Status::default() };
        if let Some(scheduler) = scheduler {
            self.status.name = scheduler.simulation().model().name().to_owned();
            // Whoever hears of the model knows at once that it is steered.
            self.status.tracking = scheduler.tracking().map(Arc::new);
            let mut settings = *scheduler.settings();
            (self.status.step, self.status.pace) = (settings.step, settings.pace);
            // The pace is kept here, where commands are heard meanwhile.
            settings.pace = None;
            let kept = scheduler.set_settings(settings);
            if let Err(why) = kept {
                self.note(0.0, NoteKind::Refused, why.to_string());
            }
        }
        self.stale = true;
    }

    /// Puts what `make` reads of the files in the place of the model; true if that could be.
    fn open(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut dyn SessionFiles) -> Result<Scheduler, OpenError>,
        scheduler: &mut Option<Scheduler>,
    ) -> bool {
        self.status.playing = false;
        self.status.busy = Some(format!("opening {name}"));
        self.tell();
        let made = make(self.files.as_mut());
        let opened = made.is_ok();
        match made {
            Ok(made) => {
                *scheduler = Some(made);
                self.adopt(scheduler.as_mut());
                self.note(0.0, NoteKind::Done, format!("opened {name}"));
            }
            Err(why) => self.refuse(why, scheduler),
        }
        self.status.busy = None;
        self.stale = true;
        opened
    }

    /// Loads the model again; a run goes on from the start.
    fn reload(&mut self, scheduler: &mut Option<Scheduler>) {
        let playing = self.status.playing;
        let name = format!("{} again", self.status.name);
        if self.open(&name, |files| files.reload(), scheduler) {
            (self.status.playing, self.status.reloaded) = (playing, true);
        }
    }

    /// Loads the model again where its files changed, unless edits would be lost.
    fn follow_files(&mut self, scheduler: &mut Option<Scheduler>) {
        if self.looked.elapsed() < LOOK {
            return;
        }
        self.looked = Instant::now();
        let changed = self.files.changed();
        if changed.is_empty() {
            return;
        }
        let time = scheduler.as_ref().map_or(0.0, Scheduler::time);
        let names: Vec<_> = changed.iter().map(|file| file.display().to_string()).collect();
        let changed = format!("{} changed", names.join(", "));
        if scheduler.as_ref().is_some_and(Scheduler::has_edits) {
            let kept = "the model is kept, for it was edited here: Reload loads the file and drops the edits";
            return self.note(time, NoteKind::Refused, format!("{changed}; {kept}"));
        }
        self.note(time, NoteKind::Done, changed);
        self.reload(scheduler);
    }

    /// Tells why a file was not opened. Where it can be looked at all the same, its picture takes the place
    /// of the model; else that stays.
    fn refuse(&mut self, why: OpenError, scheduler: &mut Option<Scheduler>) {
        let time = scheduler.as_ref().map_or(0.0, Scheduler::time);
        if let Some(picture) = why.picture {
            *scheduler = None;
            self.adopt(None);
            self.status.name = picture.scene.outline.name().to_owned();
            let back = self.writer.back();
            *back = *picture;
            back.model = self.status.model;
            self.writer.publish();
        }
        self.note(time, NoteKind::Failed, why.error.to_string());
    }

    /// Samples what a window plots.
    pub(super) fn sample(&mut self, scheduler: &mut Scheduler) {
        let time = scheduler.time();
        let simulation = scheduler.simulation_mut();
        let recorded = self.recorder.record(simulation, &mut locked(&self.shared.samples));
        if let Err(why) = recorded {
            self.halt();
            self.note(time, NoteKind::Failed, why.to_string());
        }
    }

    /// Hands a snapshot to a film where one is due.
    fn film(&mut self, scheduler: &mut Scheduler) {
        if let Some(feed) = locked(&self.shared.film).take() {
            self.film = Some(feed);
        }
        let (steps, time) = (scheduler.steps(), scheduler.time());
        let Some(feed) = self.film.as_mut() else { return };
        if !feed.is_due(time) {
            return;
        }
        let mut snapshot = Snapshot::default();
        let simulation = scheduler.simulation_mut();
        match self.capture.capture(simulation, steps, &self.wanted, &mut snapshot) {
            Ok(()) if feed.send(snapshot) => {}
            Ok(()) => self.film = None,
            Err(why) => {
                self.halt();
                self.note(time, NoteKind::Failed, why.to_string());
            }
        }
    }

    pub(super) fn step(&mut self, scheduler: &mut Scheduler) {
        let begun = Instant::now();
        match scheduler.step_before(self.end) {
            Ok(stats) => {
                self.measure(begun, scheduler.time());
                self.status.stats = stats;
                self.sample(scheduler);
                self.film(scheduler);
            }
            Err(why) => {
                self.halt();
                self.note(scheduler.time(), NoteKind::Failed, why.to_string());
            }
        }
        if self.status.playing && (scheduler.halts_here() || scheduler.has_reached(self.end)) {
            let why = if scheduler.halts_here() { "a breakpoint" } else { "the end of the run" };
            self.halt();
            self.note(scheduler.time(), NoteKind::Halted, why.to_owned());
        }
        self.stale = true;
    }

    fn measure(&mut self, begun: Instant, time: f64) {
        let (taken, status) = (begun.elapsed().as_secs_f64(), &mut self.status);
        let mean = status.step_seconds;
        status.step_seconds = if mean == 0.0 { taken } else { mean + SMOOTHING * (taken - mean) };
        let (wall, start) = *self.measured.get_or_insert((begun, time));
        let passed = wall.elapsed().as_secs_f64();
        if passed >= WINDOW {
            status.real_time_factor = (time - start) / passed;
            self.measured = Some((Instant::now(), time));
        }
    }

    pub(super) fn halt(&mut self) {
        self.status.playing = false;
        (self.begun, self.measured) = (None, None);
    }

    pub(super) fn note(&self, time: f64, kind: NoteKind, text: String) {
        self.shared.note(Note { time, kind, text });
        self.shared.wake();
    }

    fn tell(&self) {
        locked(&self.shared.status).clone_from(&self.status);
        self.shared.wake();
    }

    /// Publishes where things are: always when paused, and in a run when the last snapshot was taken, so
    /// that a window that sleeps costs nothing.
    fn show(&mut self, scheduler: Option<&mut Scheduler>) {
        if !self.stale || (self.status.playing && !self.writer.was_read()) {
            return;
        }
        self.stale = false;
        if let Some(scheduler) = scheduler {
            let (steps, time) = (scheduler.steps(), scheduler.time());
            let simulation = scheduler.simulation_mut();
            let back = self.writer.back();
            match self.capture.capture(simulation, steps, &self.wanted, back) {
                Ok(()) => {
                    back.model = self.status.model;
                    self.writer.publish();
                }
                Err(why) => {
                    self.halt();
                    self.note(time, NoteKind::Failed, why.to_string());
                }
            }
            self.update_status(scheduler);
        }
        self.tell();
    }

    fn update_status(&mut self, scheduler: &mut Scheduler) {
        let status = &mut self.status;
        status.step = scheduler.settings().step;
        status.pull = self.drag.as_ref().map(|drag| drag.spring);
        scheduler.follow_waypoints();
        status.waypoints.clear();
        let mark = |(time, halts, saved)| WaypointMark { time, halts, saved };
        status.waypoints.extend(scheduler.waypoints().map(mark));
        status.probes = scheduler.probe_tracks();
        let panels = scheduler.panels();
        if *status.panels != panels {
            status.panels = Arc::new(panels);
        }
        status.tracking = scheduler.tracking().map(Arc::new);
    }
}
