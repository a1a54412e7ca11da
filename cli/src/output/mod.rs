//! Measures of a run, and the directory of results: frames, table of energies, record of the run.

mod atomic;
mod bodies;
mod csv;
mod directory;
mod error;
mod frames;
mod lock;
mod mechanism;
mod observe;
mod run_json;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sinew::schedule::Scheduler;
use sinew::system::{CompiledModel, State, StepStats};
use sinew_run_files::attach::Recorded;
use sinew_run_files::spec::{OutputProbeSpec, ProbeSet};
use sinew_run_files::{Opening, ProbeError, Recordings, follow};

use crate::exit::CliError;
use crate::load::{Distance, Prepared};
use crate::options::EditArgs;

pub(crate) use atomic::write as write_file;
pub(crate) use directory::{CHECKPOINT, is_ours as is_file_of_every_run};
pub(crate) use error::OutputError;
pub(crate) use lock::DirectoryLock;
pub(crate) use mechanism::{BodyPose, DistanceRange, Extremes, body_poses, row_count};
pub(crate) use observe::{Observation, Observer};
pub(crate) use run_json::{Outcome, record_in};

use csv::EnergyTable;
use frames::FrameWriter;
use run_json::RunJson;

/// Writes what happens in a run.
pub(crate) struct Recorder {
    directory: PathBuf,
    observer: Observer,
    observation: Observation,
    extremes: Extremes,
    run_json: RunJson,
    table: EnergyTable,
    frames: Option<FrameWriter>,
    probes: Vec<Recorded>,
    /// Keeps other runs out.
    _lock: DirectoryLock,
}

/// Position of the results of a run at a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecorderPosition {
    /// Length of the table of energies [bytes].
    table: u64,
    /// Times of the frames [s].
    frames: Vec<f64>,
    extremes: Extremes,
}

/// Data for the recorder of a run that begins.
pub(crate) struct Beginning<'r> {
    /// Directory of the results.
    pub(crate) directory: PathBuf,
    /// The model.
    pub(crate) prepared: &'r Prepared,
    /// Changes of the model.
    pub(crate) edits: &'r EditArgs,
    /// Probes recorded there.
    pub(crate) probes: &'r ProbeSet,
    /// The settings, for the record.
    pub(crate) settings: Value,
    /// Compiled model, and its state at the start.
    pub(crate) start: (&'r CompiledModel, &'r State),
    /// Simulated time between frames [s]; `None` for no frames.
    pub(crate) frame_interval: Option<f64>,
    /// Watched distances.
    pub(crate) distances: Vec<Distance>,
    /// Position of the results of a run that is resumed: they are kept up to there.
    pub(crate) place: Option<&'r RecorderPosition>,
}

impl Recorder {
    /// Prepares the directory and records the start of the run.
    ///
    /// # Errors
    /// A directory that is in use for something else or by another run, or files that cannot be written.
    pub(crate) fn create(run: Beginning<'_>) -> Result<Self, OutputError> {
        let Beginning { directory, prepared, edits, probes, settings, place, .. } = run;
        let (compiled, start) = run.start;
        let model = &prepared.source.model;
        let observer = Observer::of(model, compiled, run.distances);
        let observation = observer.observe(compiled, start);
        let mut extremes = Extremes::starting(observer.distance_names(), &observation);

        let probe_files: Vec<_> = probes.outputs().iter().map(OutputProbeSpec::path).collect();
        let _lock = match place {
            None => directory::prepare(&directory, &probe_files)?,
            Some(place) => directory::prepare_to_go_on(&directory, place.frames.len())?,
        };
        let run_json = RunJson::begin(&directory, (prepared, edits), settings, &probe_files)?;
        let mut table = EnergyTable::open(&directory, &observer, place.map(|place| place.table))?;
        let mut frames = FrameWriter::create(&directory, model, compiled, run.frame_interval)?;
        match (place, &mut frames) {
            (Some(place), Some(frames)) => frames.go_on(&place.frames)?,
            (None, Some(frames)) => frames.add(compiled, start)?,
            (_, None) => {}
        }
        match place {
            Some(place) => extremes = place.extremes.clone(),
            None => table.add(&observation, &StepStats::default(), Duration::ZERO)?,
        }
        Ok(Self {
            directory,
            observer,
            observation,
            extremes,
            run_json,
            table,
            frames,
            probes: Vec::new(),
            _lock,
        })
    }

    /// Has the probes of a run act, whose files stand in the directory.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub(crate) fn attach(
        &mut self,
        scheduler: &mut Scheduler,
        resumed: bool,
    ) -> Result<(), ProbeError> {
        let opening = if resumed { Opening::Resume } else { Opening::New };
        let files = Recordings::Files(self.directory.clone(), opening);
        self.probes = follow(scheduler, Path::new("."), files)?;
        Ok(())
    }

    /// Records of the probes.
    pub(crate) fn probes(&self) -> &[Recorded] {
        &self.probes
    }

    /// Present position of the results.
    ///
    /// # Errors
    /// A disk that does not take them.
    pub(crate) fn place(&mut self) -> Result<RecorderPosition, OutputError> {
        let frames = self.frames.as_mut().map_or(Ok(Vec::new()), FrameWriter::place)?;
        let (table, extremes) = (self.table.place()?, self.extremes.clone());
        Ok(RecorderPosition { table, frames, extremes })
    }

    /// Measures `state` without recording it.
    pub(crate) fn observe(&self, compiled: &CompiledModel, state: &State) -> Observation {
        self.observer.observe(compiled, state)
    }

    /// True if the state at `time` [s] is to be a frame.
    pub(crate) fn is_frame_due(&self, time: f64) -> bool {
        self.frames.as_ref().is_some_and(|frames| frames.is_due(time))
    }

    /// Records the state after a step, measured as `observation`.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub(crate) fn add_step(
        &mut self,
        (compiled, state): (&CompiledModel, &State),
        observation: Observation,
        stats: &StepStats,
        step_time: Duration,
    ) -> Result<(), OutputError> {
        self.extremes.add(&observation);
        self.observation = observation;
        self.table.add(&self.observation, stats, step_time)?;
        match &mut self.frames {
            Some(frames) if frames.is_due(state.time) => frames.add(compiled, state),
            _ => Ok(()),
        }
    }

    /// Makes the last state a frame, unless it is one.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub(crate) fn add_last_frame(
        &mut self,
        compiled: &CompiledModel,
        state: &State,
    ) -> Result<(), OutputError> {
        match &mut self.frames {
            Some(frames) if !frames.ends_at(state.time) => frames.add(compiled, state),
            _ => Ok(()),
        }
    }

    /// Writes the record of the run that ended.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn finish(&mut self, outcome: Outcome) -> Result<(), OutputError> {
        self.run_json.finish(outcome, self.frame_count())
    }

    /// Leaves word in the record that the results could not all be written, if that can be.
    pub(crate) fn abandon(&mut self, error: &CliError) {
        // The first error is the one that the user is told.
        let _ = self.run_json.abandon(&error.to_string());
    }

    /// The last recorded state, measured.
    pub(crate) fn observation(&self) -> &Observation {
        &self.observation
    }

    /// The largest values of all recorded states.
    pub(crate) fn extremes(&self) -> &Extremes {
        &self.extremes
    }

    /// Directory of the results.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Number of frames written.
    pub(crate) fn frame_count(&self) -> usize {
        self.frames.as_ref().map_or(0, FrameWriter::count)
    }
}
