//! Commands that gestures on probes come to.

use std::path::PathBuf;

use sinew::component::ComponentId;
use sinew::editing::EditCommand;
use sinew::model::{self, Model};
use sinew::property::Value;
use sinew::schedule::{CallbackError, ProbeEdit, ProbeRun};

use super::points::Points;
use super::{Live, gone};
use crate::ProbeError;
use crate::commands::{free_name, plain};
use crate::spec::{InputProbeSpec, OutputProbeSpec};

/// Commands of an edit.
type Commands = Result<Vec<EditCommand>, CallbackError>;

impl Live {
    pub(super) fn commands(&self, edit: &ProbeEdit, run: &mut ProbeRun<'_>) -> Commands {
        match edit {
            ProbeEdit::Record(property) => {
                let model = run.simulation.model();
                let name = free_name(model, &name_of(property));
                let properties = vec![
                    ("properties".to_owned(), property.clone()),
                    ("start".to_owned(), run.simulation.time().to_string()),
                ];
                let kind = "output_probe".to_owned();
                Ok(vec![EditCommand::Add { kind, path: name, properties }])
            }
            ProbeEdit::Feed(property) => fed(property, run),
            &ProbeEdit::Copy(probe) => self.copy(probe, run.simulation.model()),
            &ProbeEdit::SetSpan { probe, start, end } => {
                self.place(probe, [start, end], run.simulation.model())
            }
            ProbeEdit::SetPoint { probe, point, time, values } => {
                self.edited(*probe, run, |points, _| points.set(*point, *time, values))
            }
            &ProbeEdit::AddPoint { probe, time } => {
                let (input, model) = (self.input.as_path(), run.simulation.model());
                self.edited(probe, run, |points, spec| points.add(time, (spec, model, input)))
            }
            &ProbeEdit::RemovePoint { probe, point } => {
                self.edited(probe, run, |points, _| points.remove(point))
            }
            ProbeEdit::Import { probe, file } => {
                self.import(*probe, file.clone(), run.simulation.model())
            }
        }
    }

    /// In words, what an edit adds.
    pub(super) fn told(&self, edit: &ProbeEdit, model: &Model) -> Option<String> {
        match edit {
            ProbeEdit::Record(property) => {
                let file = format!("{}.csv", free_name(model, &name_of(property)));
                Some(format!("records {property} into {}", self.folder().join(file).display()))
            }
            ProbeEdit::Feed(property) => {
                Some(format!("feeds {property}: edit its curve on the timeline"))
            }
            ProbeEdit::Import { file, .. } => Some(format!("imported {}", file.display())),
            ProbeEdit::Copy(_)
            | ProbeEdit::SetSpan { .. }
            | ProbeEdit::SetPoint { .. }
            | ProbeEdit::AddPoint { .. }
            | ProbeEdit::RemovePoint { .. } => None,
        }
    }

    /// Work on the points of a probe that feeds.
    fn edited(
        &self,
        probe: ComponentId,
        run: &ProbeRun<'_>,
        work: impl FnOnce(&mut Points, &InputProbeSpec) -> Result<(), ProbeError>,
    ) -> Commands {
        let model = run.simulation.model();
        let spec = input_of(model, probe)?;
        let mut points = self.points(&spec, model)?;
        work(&mut points, &spec)?;
        let after = points.into_spec(&spec)?;
        Ok(changes(&model.path(probe), &spec, &after))
    }

    /// The rows of a file in the place of those of a probe; a long table stays in its file.
    fn import(&self, probe: ComponentId, file: PathBuf, model: &Model) -> Commands {
        let spec = input_of(model, probe)?;
        let read = InputProbeSpec {
            file: Some(file),
            data: Vec::new(),
            columns: Vec::new(),
            ..spec.clone()
        };
        let points = self.points(&read, model)?;
        let after = points.into_spec(&read).unwrap_or(read);
        Ok(changes(&model.path(probe), &spec, &after))
    }

    fn copy(&self, probe: ComponentId, model: &Model) -> Commands {
        let path = model.path(probe);
        let duplicate =
            EditCommand::Duplicate { paths: vec![path.clone()], scope: Default::default() };
        let Ok(spec) = input_of(model, probe) else { return Ok(vec![duplicate]) };
        let points = self.points(&spec, model)?;
        let [start, end] = points.span();
        let later = |time: f64| (time + end - start).to_string();
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let copy = format!("{parent}/{}", free_name(model, &spec.name));
        let set = |name: &str, value: String| EditCommand::Set {
            property: format!("{copy}:{name}"),
            value,
        };
        let mut commands = vec![duplicate, set("start", later(points.how.start))];
        if points.how.stop.is_finite() {
            commands.push(set("stop", later(points.how.stop)));
        }
        Ok(commands)
    }

    fn place(&self, probe: ComponentId, [start, end]: [f64; 2], model: &Model) -> Commands {
        if !start.is_finite() || end.is_nan() || end < start {
            return Err(format!("a probe begins before it ends, got {start} s to {end} s").into());
        }
        let path = model.path(probe);
        let set = |name: &str, value: f64| EditCommand::Set {
            property: format!("{path}:{name}"),
            value: value.to_string(),
        };
        if probe.typed::<model::OutputProbe>().is_some_and(|it| model.get(it).is_some()) {
            return Ok(vec![set("start", start), set("stop", end)]);
        }
        let spec = input_of(model, probe)?;
        let points = self.points(&spec, model)?;
        let (how, [first, last]) = (points.how, points.data_span());
        let length = last - first;
        let stretch = if length > 0.0 { (end - start) / length } else { how.stretch };
        let began = how.start + first * how.stretch;
        let stop = start + (how.stop - began) * stretch / how.stretch;
        let after = InputProbeSpec {
            start: Some(start - first * stretch),
            stretch: (stretch != 1.0 || spec.stretch.is_some()).then_some(stretch),
            stop: stop.is_finite().then_some(stop),
            ..spec.clone()
        };
        Ok(changes(&path, &spec, &after))
    }
}

fn input_of(model: &Model, probe: ComponentId) -> Result<InputProbeSpec, CallbackError> {
    let recording = probe.typed().and_then(|it| OutputProbeSpec::of_handle(model, it));
    if recording.is_some() {
        return Err("a probe that records has no points to edit".into());
    }
    let spec = probe.typed().and_then(|it| InputProbeSpec::of_handle(model, it));
    spec.ok_or_else(gone)
}

/// Settings that lead from one description of a probe that feeds to another.
fn changes(path: &str, before: &InputProbeSpec, after: &InputProbeSpec) -> Vec<EditCommand> {
    let given = |number: Option<f64>| number.map_or("inherited".to_owned(), |x| x.to_string());
    let words = |spec: &InputProbeSpec| {
        let interpolation = spec.interpolation.map(|it| model::ProbeInterpolation::from(it).name());
        let gaps = if spec.gaps == crate::spec::Gaps::Refuse { "refuse" } else { "interpolate" };
        let rows: Vec<f64> = spec.data.concat();
        [
            ("file", spec.file.as_ref().map_or_else(String::new, |it| it.display().to_string())),
            ("columns", spec.columns.join("; ")),
            ("data", Value::List(rows).to_string()),
            ("interpolation", interpolation.unwrap_or("inherited").to_owned()),
            ("gaps", gaps.to_owned()),
            ("scale", given(spec.scale)),
            ("start", given(spec.start)),
            ("stretch", given(spec.stretch)),
            ("stop", given(spec.stop)),
        ]
    };
    // A file and rows take the place of each other.
    let has_rows = !after.data.is_empty();
    let implied = |name: &str| match name {
        "file" | "columns" => has_rows,
        "data" => !has_rows,
        _ => false,
    };
    let pairs = words(before).into_iter().zip(words(after));
    let differ = pairs.filter(|(before, after)| before != after && !implied(after.0));
    differ
        .map(|(_, (name, value))| EditCommand::Set { property: format!("{path}:{name}"), value })
        .collect()
}

/// A curve of what a property is now.
fn fed(property: &str, run: &mut ProbeRun<'_>) -> Commands {
    let found = run.simulation.model().property(property)?;
    let value = run.simulation.get(&found)?;
    let values: Vec<f64> = value.numbers().collect();
    if values.is_empty() {
        return Err(format!("{property} has no numbers: it cannot be fed over time").into());
    }
    let row = |time: f64| std::iter::once(time).chain(values.iter().copied());
    let data = Value::List(row(0.0).chain(row(1.0)).collect());
    let name = free_name(run.simulation.model(), &name_of(property));
    let properties = [
        ("properties", property.to_owned()),
        ("data", data.to_string()),
        ("start", run.simulation.time().to_string()),
    ];
    let properties = properties.map(|(name, value)| (name.to_owned(), value)).to_vec();
    Ok(vec![EditCommand::Add { kind: "input_probe".to_owned(), path: name, properties }])
}

/// Name of the probe of a property: that of its component and its own, without signs that files have not.
fn name_of(property: &str) -> String {
    let name = property.rsplit('/').next().unwrap_or(property);
    plain(name)
}
