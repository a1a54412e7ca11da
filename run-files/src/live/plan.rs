//! Changes of the probes of a run: what an edit makes of their descriptions, before anything is done.

use std::path::PathBuf;

use sinew::schedule::{CallbackError, ProbeAt, ProbeEdit, ProbeRun, TakenOutput};

use super::Live;
use super::points::Points;
use crate::ProbeError;
use crate::spec::{InputProbeSpec, OutputProbeSpec, TracingProbeSpec};

/// A probe that records, of either kind.
#[derive(Clone, Debug)]
pub(super) enum Recording {
    Plain(OutputProbeSpec),
    Tracing(TracingProbeSpec),
}

impl Recording {
    pub(super) fn output(&self) -> OutputProbeSpec {
        match self {
            Self::Plain(spec) => spec.clone(),
            Self::Tracing(spec) => spec.as_output(),
        }
    }

    /// Changes what both kinds have: switch, begin and end.
    fn with(mut self, disabled: Option<bool>, span: Option<[f64; 2]>) -> Self {
        let (off, start, stop) = match &mut self {
            Self::Plain(it) => (&mut it.disabled, &mut it.start, &mut it.stop),
            Self::Tracing(it) => (&mut it.disabled, &mut it.start, &mut it.stop),
        };
        *off = disabled.unwrap_or(*off);
        if let Some([begin, end]) = span {
            (*start, *stop) = (begin, end.is_finite().then_some(end));
        }
        self
    }
}

/// A change of one probe; where there is none before it is added, where there is none after it goes.
pub(super) enum Change {
    Input {
        at: usize,
        before: Option<InputProbeSpec>,
        after: Option<InputProbeSpec>,
    },
    Output {
        at: usize,
        before: Option<Recording>,
        after: Option<Recording>,
        /// The probe while it is out of the run.
        taken: Option<Box<TakenOutput>>,
    },
}

impl Live {
    /// The change that an edit makes.
    pub(super) fn plan(
        &self,
        edit: &ProbeEdit,
        run: &mut ProbeRun<'_>,
    ) -> Result<Change, CallbackError> {
        match edit {
            ProbeEdit::Record(property) => {
                let after = Recording::Plain(OutputProbeSpec {
                    name: self.free_name(&name_of(property)),
                    properties: vec![property.clone()],
                    start: run.simulation.time(),
                    ..OutputProbeSpec::default()
                });
                Ok(added_output(self.outputs.len(), after))
            }
            ProbeEdit::Feed(property) => {
                let (at, after) = (self.inputs.len(), Some(self.fed(property, run)?));
                Ok(Change::Input { at, before: None, after })
            }
            &ProbeEdit::Remove(probe) => self.change(probe, |_| Ok(None), |_| Ok(None)),
            &ProbeEdit::Copy(probe) => self.copy(probe, run),
            &ProbeEdit::Mute { probe, muted: disabled } => self.change(
                probe,
                |spec| Ok(Some(InputProbeSpec { disabled, ..spec })),
                |spec| Ok(Some(spec.with(Some(disabled), None))),
            ),
            &ProbeEdit::SetSpan { probe, start, end } => self.place(probe, [start, end], run),
            other => self.plan_points(other, run),
        }
    }

    /// Edits of the points of a probe that feeds.
    fn plan_points(&self, edit: &ProbeEdit, run: &ProbeRun<'_>) -> Result<Change, CallbackError> {
        let edited = |spec: InputProbeSpec,
                      work: &dyn Fn(&mut Points) -> Result<(), ProbeError>| {
            let mut points = self.points(&spec, run)?;
            work(&mut points)?;
            Ok(Some(points.into_spec(&spec)?))
        };
        match edit {
            ProbeEdit::SetPoint { probe, point, time, values } => self.change(
                *probe,
                |spec| edited(spec, &|points| points.set(*point, *time, values)),
                no_points,
            ),
            &ProbeEdit::AddPoint { probe, time } => self.change(
                probe,
                |spec| {
                    let of = (&spec.clone(), run.simulation.model(), self.roots[0].as_path());
                    edited(spec, &|points| points.add(time, of))
                },
                no_points,
            ),
            &ProbeEdit::RemovePoint { probe, point } => {
                self.change(probe, |spec| edited(spec, &|points| points.remove(point)), no_points)
            }
            &ProbeEdit::Interpolate { probe, interpolation } => self.change(
                probe,
                |spec| {
                    let interpolation = Some(interpolation.into());
                    Ok(Some(InputProbeSpec { interpolation, ..spec }))
                },
                no_points,
            ),
            ProbeEdit::Import { probe, file } => {
                self.change(*probe, |spec| self.import(spec, file.clone(), run), no_points)
            }
            // Planned before.
            ProbeEdit::Record(_)
            | ProbeEdit::Feed(_)
            | ProbeEdit::Remove(_)
            | ProbeEdit::Copy(_)
            | ProbeEdit::Mute { .. }
            | ProbeEdit::SetSpan { .. } => Err("it is no edit of points".into()),
        }
    }

    /// The rows of a file in the place of those of a probe; a long table stays in its file.
    fn import(
        &self,
        spec: InputProbeSpec,
        file: PathBuf,
        run: &ProbeRun<'_>,
    ) -> Result<Option<InputProbeSpec>, CallbackError> {
        let read =
            InputProbeSpec { file: Some(file), data: Vec::new(), columns: Vec::new(), ..spec };
        let points = self.points(&read, run)?;
        Ok(Some(points.into_spec(&read).unwrap_or(read)))
    }

    pub(super) fn points(
        &self,
        spec: &InputProbeSpec,
        run: &ProbeRun<'_>,
    ) -> Result<Points, ProbeError> {
        Points::of(spec, run.simulation.model(), &self.roots[0])
    }

    /// A change of a probe of either list.
    fn change(
        &self,
        ProbeAt { feeds, at }: ProbeAt,
        input: impl FnOnce(InputProbeSpec) -> Result<Option<InputProbeSpec>, CallbackError>,
        output: impl FnOnce(Recording) -> Result<Option<Recording>, CallbackError>,
    ) -> Result<Change, CallbackError> {
        if feeds {
            let spec = &self.inputs.get(at).ok_or_else(gone)?.spec;
            let (before, after) = (Some(spec.clone()), input(spec.clone())?);
            return Ok(Change::Input { at, before, after });
        }
        let spec = &self.outputs.get(at).ok_or_else(gone)?.spec;
        let (before, after) = (Some(spec.clone()), output(spec.clone())?);
        Ok(Change::Output { at, before, after, taken: None })
    }

    fn copy(&self, probe: ProbeAt, run: &ProbeRun<'_>) -> Result<Change, CallbackError> {
        if !probe.feeds {
            let mut copy = self.outputs.get(probe.at).ok_or_else(gone)?.spec.clone();
            let (name, file) = match &mut copy {
                Recording::Plain(it) => (&mut it.name, &mut it.file),
                Recording::Tracing(it) => (&mut it.name, &mut it.file),
            };
            *name = self.free_name(name);
            if let Some(file) = file {
                let ending = file.extension().and_then(|it| it.to_str()).unwrap_or("csv");
                *file = format!("{name}.{ending}").into();
            }
            return Ok(added_output(self.outputs.len(), copy));
        }
        let mut copy = self.inputs.get(probe.at).ok_or_else(gone)?.spec.clone();
        let points = self.points(&copy, run)?;
        let [start, end] = points.span();
        copy.start = Some(points.how.start + end - start);
        copy.stop = points.how.stop.is_finite().then_some(points.how.stop + end - start);
        copy.name = self.free_name(&copy.name);
        Ok(Change::Input { at: self.inputs.len(), before: None, after: Some(copy) })
    }

    fn place(
        &self,
        probe: ProbeAt,
        [start, end]: [f64; 2],
        run: &ProbeRun<'_>,
    ) -> Result<Change, CallbackError> {
        if !start.is_finite() || end.is_nan() || end < start {
            return Err(format!("a probe begins before it ends, got {start} s to {end} s").into());
        }
        let stretched = |spec: InputProbeSpec| {
            let points = self.points(&spec, run)?;
            let (how, [first, last]) = (points.how, points.data_span());
            let length = last - first;
            let stretch = if length > 0.0 { (end - start) / length } else { how.stretch };
            let began = how.start + first * how.stretch;
            let stop = start + (how.stop - began) * stretch / how.stretch;
            Ok(Some(InputProbeSpec {
                start: Some(start - first * stretch),
                stretch: (stretch != 1.0 || spec.stretch.is_some()).then_some(stretch),
                stop: stop.is_finite().then_some(stop),
                ..spec
            }))
        };
        self.change(probe, stretched, |spec| Ok(Some(spec.with(None, Some([start, end])))))
    }

    /// A curve of what a property is now.
    fn fed(&self, property: &str, run: &mut ProbeRun<'_>) -> Result<InputProbeSpec, CallbackError> {
        let found = run.simulation.model().property(property)?;
        let value = run.simulation.get(&found)?;
        let values: Vec<f64> = value.numbers().collect();
        if values.is_empty() {
            return Err(format!("{property} has no numbers: it cannot be fed over time").into());
        }
        let row = |time: f64| std::iter::once(time).chain(values.iter().copied()).collect();
        Ok(InputProbeSpec {
            name: self.free_name(&name_of(property)),
            properties: vec![property.to_owned()],
            data: vec![row(0.0), row(1.0)],
            start: Some(run.simulation.time()),
            ..InputProbeSpec::default()
        })
    }

    /// A name that no probe has.
    fn free_name(&self, name: &str) -> String {
        let is_known = |name: &str| {
            self.inputs.iter().any(|it| it.spec.name == name)
                || self.outputs.iter().any(|it| it.spec.output().name == name)
        };
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let base = base.strip_suffix('_').filter(|it| !it.is_empty()).unwrap_or(name);
        let mut names = (2u64..).map(|k| format!("{base}_{k}"));
        if is_known(name) { names.find(|it| !is_known(it)) } else { None }
            .unwrap_or_else(|| name.to_owned())
    }
}

fn added_output(at: usize, spec: Recording) -> Change {
    Change::Output { at, before: None, after: Some(spec), taken: None }
}

fn gone() -> CallbackError {
    "there is no such probe any more".into()
}

fn no_points(_: Recording) -> Result<Option<Recording>, CallbackError> {
    Err("a probe that records has no points to edit".into())
}

/// Name of the probe of a property: that of its component and its own, without signs that files have not.
fn name_of(property: &str) -> String {
    let name = property.rsplit('/').next().unwrap_or(property);
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}
