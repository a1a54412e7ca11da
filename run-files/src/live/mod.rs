//! Probes of a run that are edited while it runs, and saved as they are then.

mod plan;
mod points;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sinew::model::Model;
use sinew::property::PropertyRef;
use sinew::schedule::{
    CallbackError, ProbeAt, ProbeCurve, ProbeEdit, ProbeRun, ProbeSource, ProbeTrack, Scheduler,
};

use self::plan::{Change, Recording};
use self::points::columns_of;
use crate::attach::input_probe;
use crate::output_files::check_files;
use crate::output_plan::OutputPlan;
use crate::spec::{InputProbeSpec, OutputProbeSpec, ProbeSet};
use crate::write::{Opening, create};
use crate::{ProbeError, RecordingError, write_whole};

/// The probes of a run. Copies are of the same ones: one describes them to the scheduler, another to who saves them.
#[derive(Clone, Default)]
pub struct LiveProbes(Arc<Mutex<Live>>);

#[derive(Default)]
struct Live {
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    /// Folders that files of input and of output are relative to.
    roots: [PathBuf; 2],
    done: Vec<Change>,
    undone: Vec<Change>,
}

struct Input {
    spec: InputProbeSpec,
    /// Its curve, once it was asked for.
    curve: Option<(Arc<ProbeCurve>, [f64; 2])>,
}

struct Output {
    spec: Recording,
    curve: Arc<ProbeCurve>,
    /// Revision of the rows that it is of.
    revision: Option<u64>,
}

impl LiveProbes {
    /// Adds probes to a run, as [`attach`](crate::attach()) does, to be edited. Files of input are relative to the first
    /// folder, those of output, which are made when the first row comes, to the second.
    ///
    /// # Errors
    /// The first probe that cannot be made.
    pub fn attach(
        set: &ProbeSet,
        scheduler: &mut Scheduler,
        [input, output]: [&Path; 2],
    ) -> Result<Self, ProbeError> {
        if let Some((_, error)) = check_files(&set.outputs()).into_iter().next() {
            return Err(error);
        }
        let mut live = Live { roots: [input.to_owned(), output.to_owned()], ..Live::default() };
        for spec in &set.input_probes {
            scheduler.add_input_probe(input_probe(spec, scheduler.simulation().model(), input)?);
            live.inputs.push(Input { spec: spec.clone(), curve: None });
        }
        let plain = set.output_probes.iter().cloned().map(Recording::Plain);
        for spec in plain.chain(set.tracing_probes.iter().cloned().map(Recording::Tracing)) {
            let model = scheduler.simulation().model();
            scheduler.add_output_probe(live.recorder(&spec.output(), model)?);
            live.outputs.push(Output::new(spec));
        }
        let this = Self(Arc::new(Mutex::new(live)));
        scheduler.describe_probes(Box::new(this.clone()));
        Ok(this)
    }

    /// The probes as they are to be saved: with the paths that their properties have now. Those of properties that were
    /// deleted are left out.
    pub fn set(&self, scheduler: &Scheduler) -> ProbeSet {
        let (live, model, mut set) =
            (self.live(), scheduler.simulation().model(), ProbeSet::default());
        for (input, probe) in live.inputs.iter().zip(scheduler.input_probes()) {
            if let Some(properties) = paths(model, probe.properties()) {
                set.input_probes.push(InputProbeSpec { properties, ..input.spec.clone() });
            }
        }
        for (output, probe) in live.outputs.iter().zip(scheduler.output_probes()) {
            let Some(mut properties) = paths(model, probe.properties()) else { continue };
            match output.spec.clone() {
                Recording::Plain(mut spec) => {
                    // Operands of formulas stand behind what is recorded as it is.
                    properties.truncate(spec.properties.len());
                    spec.properties = properties;
                    set.output_probes.push(spec);
                }
                Recording::Tracing(mut spec) => {
                    let point = |it: &String| it.trim_end_matches(":position").to_owned();
                    spec.points = properties.iter().map(point).collect();
                    set.tracing_probes.push(spec);
                }
            }
        }
        set
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Paths of properties; `None` where one of them was deleted.
fn paths(model: &Model, properties: &[PropertyRef]) -> Option<Vec<String>> {
    let path = |it: &PropertyRef| model.has_property(it).then(|| model.property_path(it));
    properties.iter().map(path).collect()
}

impl Output {
    fn new(spec: Recording) -> Self {
        Self { spec, curve: Arc::default(), revision: None }
    }
}

impl Live {
    /// A probe that records into its file, which is made when the first row comes.
    fn recorder(
        &self,
        spec: &OutputProbeSpec,
        model: &Model,
    ) -> Result<sinew::schedule::OutputProbe, ProbeError> {
        let plan = OutputPlan::of(spec, model)?;
        let file = self.roots[1].join(&plan.file);
        let named = |source| ProbeError::File { probe: plan.name.clone(), source };
        let sink = create(&file, &plan.columns, Opening::Later).map_err(named)?;
        Ok(plan.probe(sink)?.keeping_rows())
    }

    /// Does a change, or takes it back.
    fn go(
        &mut self,
        change: &mut Change,
        forward: bool,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError> {
        match change {
            Change::Input { at, before, after } => {
                let [from, to] = if forward { [before, after] } else { [after, before] };
                self.put_input(*at, from.is_some(), to.clone(), run)
            }
            Change::Output { at, before, after, taken } => {
                let at = *at;
                let [from, to] = if forward { [before, after] } else { [after, before] };
                match (from.is_some(), to.clone(), taken.take()) {
                    (true, None, _) => {
                        *taken = Some(Box::new(run.lists.take_output(at)?));
                        self.outputs.remove(at);
                    }
                    (true, Some(spec), _) => self.retime(at, spec, run)?,
                    (false, Some(spec), Some(probe)) => {
                        run.lists.put_output_back(at, *probe);
                        self.outputs.insert(at, Output::new(spec));
                    }
                    (false, Some(spec), None) => self.add_output(spec, run)?,
                    (false, None, _) => {}
                }
                Ok(())
            }
        }
    }

    fn put_input(
        &mut self,
        at: usize,
        is_there: bool,
        spec: Option<InputProbeSpec>,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError> {
        let Some(spec) = spec else {
            run.lists.take_input(at);
            self.inputs.remove(at);
            return Ok(());
        };
        let probe = input_probe(&spec, run.simulation.model(), &self.roots[0])?;
        let input = Input { spec, curve: None };
        if is_there {
            run.lists.replace_input(at, probe);
            self.inputs[at] = input;
        } else {
            run.lists.insert_input(at, probe);
            self.inputs.insert(at, input);
        }
        Ok(())
    }

    fn add_output(&mut self, spec: Recording, run: &mut ProbeRun<'_>) -> Result<(), CallbackError> {
        let mut all: Vec<OutputProbeSpec> =
            self.outputs.iter().map(|it| it.spec.output()).collect();
        all.push(spec.output());
        if let Some((_, error)) = check_files(&all).into_iter().next() {
            return Err(error.into());
        }
        run.lists.add_output(self.recorder(&spec.output(), run.simulation.model())?);
        self.outputs.push(Output::new(spec));
        Ok(())
    }

    /// Other times and another switch for a probe that goes on.
    fn retime(
        &mut self,
        at: usize,
        spec: Recording,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError> {
        let output = spec.output();
        let plan = OutputPlan::of(&output, run.simulation.model())?;
        run.lists.retime_output(at, *plan.times());
        run.lists.outputs_mut()[at].enabled = !output.disabled;
        self.outputs[at].spec = spec;
        Ok(())
    }

    /// Does the last change that was taken back again, or takes the last one back; where that fails it stays where it was.
    fn undo_or_redo(&mut self, forward: bool, run: &mut ProbeRun<'_>) -> Result<(), CallbackError> {
        let from = if forward { &mut self.undone } else { &mut self.done };
        let Some(mut change) = from.pop() else { return Ok(()) };
        let gone = self.go(&mut change, forward, run);
        let is_done = gone.is_ok() == forward;
        let to = if is_done { &mut self.done } else { &mut self.undone };
        to.push(change);
        gone
    }

    /// In words, what an edit added.
    fn told(&self, edit: &ProbeEdit) -> Option<String> {
        match edit {
            ProbeEdit::Record(property) => {
                let file = self.outputs.last()?.spec.output().path();
                Some(format!("records {property} into {}", self.roots[1].join(file).display()))
            }
            ProbeEdit::Feed(property) => {
                Some(format!("feeds {property}: edit its curve on the timeline"))
            }
            ProbeEdit::Import { file, .. } => Some(format!("imported {}", file.display())),
            ProbeEdit::Remove(_)
            | ProbeEdit::Copy(_)
            | ProbeEdit::Mute { .. }
            | ProbeEdit::SetSpan { .. }
            | ProbeEdit::SetPoint { .. }
            | ProbeEdit::AddPoint { .. }
            | ProbeEdit::RemovePoint { .. }
            | ProbeEdit::Interpolate { .. } => None,
        }
    }

    fn input_track(&mut self, at: usize, run: &ProbeRun<'_>) -> ProbeTrack {
        if self.inputs[at].curve.is_none() {
            let spec = &self.inputs[at].spec;
            let made = self.points(spec, run).and_then(|points| {
                let of = (spec, run.simulation.model(), self.roots[0].as_path());
                Ok((Arc::new(points.curve(of)?), points.span()))
            });
            // A property that was deleted, a file that is gone: without a curve.
            self.inputs[at].curve = Some(made.unwrap_or_else(|_| (Arc::default(), [0.0; 2])));
        }
        let Input { spec, curve } = &self.inputs[at];
        let (curve, span) = curve.clone().unwrap_or_default();
        let probe = &run.lists.inputs()[at];
        let known = paths(run.simulation.model(), probe.properties());
        ProbeTrack {
            name: spec.name.clone(),
            feeds: true,
            span,
            enabled: probe.enabled && known.is_some(),
            properties: known.unwrap_or_else(|| spec.properties.clone()),
            interpolation: Some(spec.interpolation.unwrap_or_default().into()),
            file: spec.file.as_ref().map_or_else(String::new, |it| it.display().to_string()),
            curve,
        }
    }

    fn output_track(&mut self, at: usize, run: &ProbeRun<'_>) -> ProbeTrack {
        let probe = &run.lists.outputs()[at];
        let (spec, model) = (self.outputs[at].spec.output(), run.simulation.model());
        let known = paths(model, probe.properties());
        if let Some((revision, times, values, width)) = run.lists.kept_rows(at) {
            let output = &mut self.outputs[at];
            if output.revision != Some(revision) {
                let plain = columns_of(probe.properties(), model).into_iter();
                let plain = plain.take(probe.size() - spec.expressions.len().min(probe.size()));
                let columns = plain.chain(spec.expressions.keys().cloned()).take(width).collect();
                let (times, values) = (times.to_vec(), values.to_vec());
                let curve = ProbeCurve { columns, times, values, ..ProbeCurve::default() };
                (output.curve, output.revision) = (Arc::new(curve), Some(revision));
            }
        }
        ProbeTrack {
            name: spec.name.clone(),
            feeds: false,
            span: [spec.start, spec.stop.unwrap_or(f64::INFINITY)],
            enabled: probe.enabled && known.is_some(),
            properties: known.unwrap_or_default(),
            interpolation: None,
            file: self.roots[1].join(spec.path()).display().to_string(),
            curve: self.outputs[at].curve.clone(),
        }
    }

    /// Copies what was recorded; the format is that of the recording.
    fn export_recording(
        &self,
        at: usize,
        file: &Path,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError> {
        let (outputs, spec) = (run.lists.outputs_mut(), self.outputs.get(at));
        let (Some(probe), Some(spec)) = (outputs.get_mut(at), spec) else {
            return Err("there is no such probe any more".into());
        };
        probe.finish()?;
        let from = self.roots[1].join(spec.spec.output().path());
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

impl ProbeSource for LiveProbes {
    fn edit(
        &mut self,
        edit: &ProbeEdit,
        goes_on: bool,
        run: &mut ProbeRun<'_>,
    ) -> Result<Option<String>, CallbackError> {
        let mut live = self.live();
        let mut change = live.plan(edit, run)?;
        live.go(&mut change, true, run)?;
        match (live.done.last_mut(), change) {
            (Some(Change::Input { at, after, .. }), Change::Input { at: now, after: new, .. })
                if goes_on && *at == now =>
            {
                *after = new;
            }
            (
                Some(Change::Output { at, after, .. }),
                Change::Output { at: now, after: new, taken: None, .. },
            ) if goes_on && *at == now => *after = new,
            (_, change) => live.done.push(change),
        }
        Ok(live.told(edit))
    }

    fn undo(&mut self, run: &mut ProbeRun<'_>) -> Result<(), CallbackError> {
        self.live().undo_or_redo(false, run)
    }

    fn redo(&mut self, run: &mut ProbeRun<'_>) -> Result<(), CallbackError> {
        self.live().undo_or_redo(true, run)
    }

    fn forget_undone(&mut self) {
        self.live().undone.clear();
    }

    fn export(
        &mut self,
        ProbeAt { feeds, at }: ProbeAt,
        file: &Path,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError> {
        let live = self.live();
        if !feeds {
            return live.export_recording(at, file, run);
        }
        if file.extension().is_none_or(|ending| ending != "csv") {
            return Err(
                format!("{}: tables are written as .csv: name it so", file.display()).into()
            );
        }
        let input = live.inputs.get(at).ok_or("there is no such probe any more")?;
        Ok(write_whole(file, live.points(&input.spec, run)?.csv().as_bytes())?)
    }

    fn tracks(&mut self, run: &ProbeRun<'_>) -> Vec<ProbeTrack> {
        let mut live = self.live();
        let mut tracks: Vec<_> =
            (0..live.inputs.len()).map(|at| live.input_track(at, run)).collect();
        tracks.extend((0..live.outputs.len()).map(|at| live.output_track(at, run)));
        tracks
    }
}
