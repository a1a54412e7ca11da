//! Probes of a run, made of the components of its model as they are edited.

mod plan;
mod points;
mod tracks;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sinew::component::{ComponentId, Handle};
use sinew::model::{self, Model};
use sinew::schedule::{
    CallbackError, InputProbe, OutputProbe, PlannedProbeEdit, ProbeCurve, ProbeEdit, ProbeRun,
    ProbeSource, ProbeTrack, ScheduleError, Scheduler,
};

use self::points::Points;
use crate::input::input_probe;
use crate::output_files::{check_files, folded};
use crate::output_plan::OutputPlan;
use crate::spec::{InputProbeSpec, OutputProbeSpec, ProbeSet};
use crate::write::{MemoryTable, Opening, SharedRanges, Watched, create};
use crate::{ProbeError, RecordingError, write_whole};

/// A probe that records, and the file that it records to.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Name of the probe.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Names of its columns after the time.
    pub columns: Vec<String>,
    /// Ranges of what was recorded so far.
    pub ranges: SharedRanges,
}

/// Places that probes record to.
#[derive(Clone, Debug)]
pub enum Recordings {
    /// Files in a folder.
    Files(PathBuf, Opening),
    /// The same, with rows in memory for the curves of a timeline.
    Curves(PathBuf),
    /// Tables in memory.
    Memory(MemoryTables),
    /// None: nothing is recorded.
    None,
}

/// Tables that probes record to in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryTables(Arc<Mutex<BTreeMap<ComponentId, MemoryTable>>>);

impl MemoryTables {
    /// The table of a probe; `None` where it never recorded here.
    pub fn of(&self, probe: ComponentId) -> Option<MemoryTable> {
        locked(&self.0).get(&probe).cloned()
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the probes of a scheduler be those of the components of its model, from now on as they are edited. Files of input are
/// relative to `input`. Returns the files that are recorded to now.
///
/// # Errors
/// The first probe that cannot be made.
pub fn follow(
    scheduler: &mut Scheduler,
    input: &Path,
    recordings: Recordings,
) -> Result<Vec<Recorded>, ProbeError> {
    let recorded = Arc::default();
    let live = Live {
        input: input.to_owned(),
        recordings,
        recorded: Arc::clone(&recorded),
        curves: BTreeMap::new(),
    };
    scheduler.make_probes(Box::new(live)).map_err(error_of)?;
    Ok(std::mem::take(&mut *locked(&recorded)))
}

fn error_of(error: ScheduleError) -> ProbeError {
    let other = |what: String| ProbeError::Field { probe: String::new(), what };
    match error {
        ScheduleError::Probe(source) => {
            source.downcast().map_or_else(|source| other(source.to_string()), |it| *it)
        }
        error => other(error.to_string()),
    }
}

/// Maker of probes.
struct Live {
    /// Folder that files of input are relative to.
    input: PathBuf,
    recordings: Recordings,
    /// Files that were made.
    recorded: Arc<Mutex<Vec<Recorded>>>,
    curves: BTreeMap<ComponentId, Curve>,
}

/// Curve of a probe, and what it is of.
#[derive(Default)]
struct Curve {
    curve: Arc<ProbeCurve>,
    span: [f64; 2],
    /// Revision of the rows of a recording.
    revision: Option<u64>,
    /// The probe that feeds.
    of: Option<model::InputProbe>,
}

impl Live {
    /// Folder of the files of output.
    fn folder(&self) -> &Path {
        match &self.recordings {
            Recordings::Files(folder, _) | Recordings::Curves(folder) => folder,
            Recordings::Memory(_) | Recordings::None => Path::new(""),
        }
    }

    fn points(&self, spec: &InputProbeSpec, model: &Model) -> Result<Points, ProbeError> {
        Points::of(spec, model, &self.input)
    }

    /// A probe that records to a file.
    fn to_file(&self, plan: OutputPlan, opening: Opening) -> Result<OutputProbe, ProbeError> {
        let file = self.folder().join(&plan.file);
        let named = |source| ProbeError::File { probe: plan.name.clone(), source };
        let sink = create(&file, &plan.columns, opening).map_err(named)?;
        if matches!(self.recordings, Recordings::Curves(_)) {
            return Ok(plan.probe(sink)?.keeping_rows());
        }
        let (name, columns) = (plan.name.clone(), plan.columns.clone());
        let (sink, ranges) = Watched::new(sink);
        let probe = plan.probe(Box::new(sink))?;
        locked(&self.recorded).push(Recorded { name, file, columns, ranges });
        Ok(probe)
    }
}

/// Fault of the file of a probe that records beside those of all others.
fn file_fault(model: &Model, of: &OutputProbeSpec) -> Option<ProbeError> {
    let all = ProbeSet::of(model).output_probes;
    let own = folded(of);
    let found = check_files(&all).into_iter().find(|(at, _)| folded(&all[*at]) == own);
    found.map(|(_, error)| error)
}

fn gone() -> CallbackError {
    "there is no such probe any more".into()
}

impl ProbeSource for Live {
    fn input(
        &mut self,
        model: &Model,
        of: Handle<model::InputProbe>,
    ) -> Result<InputProbe, CallbackError> {
        let spec = InputProbeSpec::of_handle(model, of).ok_or_else(gone)?;
        Ok(input_probe(&spec, model, &self.input)?)
    }

    fn output(
        &mut self,
        model: &Model,
        of: Handle<model::OutputProbe>,
    ) -> Result<Option<OutputProbe>, CallbackError> {
        let spec = OutputProbeSpec::of_handle(model, of).ok_or_else(gone)?;
        if matches!(self.recordings, Recordings::None) {
            return Ok(None);
        }
        let plan = OutputPlan::of(&spec, model)?;
        if let Recordings::Memory(tables) = &self.recordings {
            let table = MemoryTable::new(plan.columns.clone());
            locked(&tables.0).insert(of.id(), table.clone());
            return Ok(Some(plan.probe(Box::new(table))?));
        }
        if let Some(fault) = file_fault(model, &spec) {
            return Err(fault.into());
        }
        let opening = match &mut self.recordings {
            // Later ones take the place of what is in their way when their first row comes.
            Recordings::Files(_, opening) => *opening,
            _ => Opening::Later,
        };
        Ok(Some(self.to_file(plan, opening)?))
    }

    fn plan(
        &mut self,
        edit: &ProbeEdit,
        run: &mut ProbeRun<'_>,
    ) -> Result<PlannedProbeEdit, CallbackError> {
        let commands = self.commands(edit, run)?;
        Ok(PlannedProbeEdit { commands, told: self.told(edit, run.simulation.model()) })
    }

    fn export(
        &mut self,
        probe: ComponentId,
        file: &Path,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError> {
        let model = run.simulation.model();
        let recording = probe.typed().and_then(|it| OutputProbeSpec::of_handle(model, it));
        if let Some(spec) = recording {
            return self.export_recording(probe, &spec, file, run);
        }
        let spec = probe.typed().and_then(|it| InputProbeSpec::of_handle(model, it));
        let spec = spec.ok_or_else(gone)?;
        if file.extension().is_none_or(|ending| ending != "csv") {
            return Err(
                format!("{}: tables are written as .csv: name it so", file.display()).into()
            );
        }
        Ok(write_whole(file, self.points(&spec, model)?.csv().as_bytes())?)
    }

    fn tracks(&mut self, run: &ProbeRun<'_>) -> Vec<ProbeTrack> {
        let fed = (0..run.lists.inputs().len()).map(|at| (true, at));
        let recorded = (0..run.lists.outputs().len()).map(|at| (false, at));
        fed.chain(recorded)
            .map(|(feeds, at)| match feeds {
                true => self.input_track(at, run),
                false => self.output_track(at, run),
            })
            .collect()
    }
}

impl Live {
    /// Copies what was recorded; the format is that of the recording.
    fn export_recording(
        &self,
        id: ComponentId,
        spec: &OutputProbeSpec,
        file: &Path,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError> {
        run.lists.output_of(id).ok_or_else(gone)?.finish()?;
        let from = self.folder().join(spec.path());
        if from.extension() != file.extension() {
            let (name, ending) = (file.display(), from.extension().unwrap_or_default().display());
            return Err(
                format!("{name}: what was recorded is written as .{ending}: name it so").into()
            );
        }
        let bytes = std::fs::read(&from).map_err(RecordingError::system("read", &from))?;
        Ok(write_whole(file, &bytes)?)
    }
}
