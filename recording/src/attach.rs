//! From the description of probes to probes of a run.

use std::path::{Path, PathBuf};

use sinew::model::Model;
use sinew::property::PropertyRef;
use sinew::schedule::{InputProbe, OutputProbe, SampleTimes, Sampling, Scheduler};

use crate::expression::{Formula, part_names};
use crate::read::{self, MemoryRows, Rows};
use crate::select::Selected;
use crate::spec::{InputProbeSpec, OutputProbeSpec, ProbeSet, SamplingSpec};
use crate::table::{Table, Use};
use crate::write::{SharedRanges, Watched};
use crate::{ProbeError, write};

pub use crate::write::Opening;

/// A probe that records, and the file that it records to.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Name of the probe.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Names of its columns after the time.
    pub columns: Vec<String>,
    /// What was recorded so far.
    pub ranges: SharedRanges,
}

/// Adds probes to a run. Files of input are relative to `input`, those of output to `output`.
///
/// # Errors
/// The first probe that cannot be made; those before it are added then.
pub fn attach(
    probes: &ProbeSet,
    scheduler: &mut Scheduler,
    [input, output]: [&Path; 2],
    opening: Opening,
) -> Result<Vec<Recorded>, ProbeError> {
    for probe in &probes.input_probes {
        let probe = input_probe(probe, scheduler.simulation().model(), input)?;
        scheduler.add_input_probe(probe);
    }
    let mut recorded = Vec::new();
    for probe in &probes.outputs() {
        let plan = OutputPlan::of(probe, scheduler.simulation().model())?;
        let file = output.join(&plan.file);
        let named = |source| ProbeError::File { probe: plan.name.clone(), source };
        let sink = write::create(&file, &plan.columns, opening).map_err(named)?;
        let (name, columns) = (plan.name.clone(), plan.columns.clone());
        let (sink, ranges) = Watched::new(sink);
        scheduler.add_output_probe(plan.probe(Box::new(sink))?);
        recorded.push(Recorded { name, file, columns, ranges });
    }
    Ok(recorded)
}

impl ProbeSet {
    /// What is wrong with the probes for a model, all at once; files of input are looked at.
    pub fn check(&self, model: &Model, input: &Path) -> Vec<ProbeError> {
        let inputs = self.input_probes.iter().map(|it| input_probe(it, model, input).err());
        let outputs = self.outputs();
        let outputs = outputs.iter().map(|it| OutputPlan::of(it, model).err());
        inputs.chain(outputs).flatten().collect()
    }
}

/// The probe that feeds what `spec` describes into properties of `model`; its file is relative to `root`.
///
/// # Errors
/// A property, file, column or field that does not do.
pub fn input_probe(
    spec: &InputProbeSpec,
    model: &Model,
    root: &Path,
) -> Result<InputProbe, ProbeError> {
    let name = spec.name.clone();
    let field = |what: &str| ProbeError::Field { probe: name.clone(), what: what.to_owned() };
    let properties = find(&name, &spec.properties, model)?;
    let (path, rows): (PathBuf, Box<dyn Rows>) = match (&spec.file, spec.data.is_empty()) {
        (Some(file), true) => {
            let path = root.join(file);
            let opened = read::open(&path);
            let named = |source| ProbeError::File { probe: name.clone(), source };
            (path.clone(), opened.map_err(named)?)
        }
        (None, false) => {
            let rows = MemoryRows::new(spec.data.clone());
            let rows = rows.ok_or_else(|| {
                field("data: rows of one length are expected, a finite time and one value at least")
            })?;
            (PathBuf::from("data"), Box::new(rows))
        }
        _ => return Err(field("either 'file' or 'data' is expected")),
    };
    let how = usage(spec, &*rows);
    if [how.start, spec.scale.unwrap_or(1.0)].iter().any(|x| !x.is_finite()) || how.stop.is_nan() {
        return Err(field("start, stop and scale are to be finite"));
    }
    let degrees = rows.heading().degrees;
    let named = |source| ProbeError::File { probe: name.clone(), source };
    let mut selected = Selected::new(&path, rows, &spec.columns).map_err(named)?;
    let (columns, values) = (selected.width(), width(&properties));
    if columns != values {
        return Err(ProbeError::Width { probe: name, columns, values });
    }
    scale(&mut selected, &properties, spec.scale.unwrap_or(1.0), degrees);
    let table = Table::new(selected, how).map_err(named)?;
    InputProbe::new(name.clone(), properties, Box::new(table)).map_err(|property| {
        let property = model.property_path(&property);
        let why = "can only be read, or is no fixed count of numbers";
        ProbeError::Unfit { probe: name, property, why }
    })
}

/// What is not said is what the file says.
fn usage(spec: &InputProbeSpec, rows: &dyn Rows) -> Use {
    let heading = rows.heading();
    let [begin, end, stretch] = heading.interval.unwrap_or([0.0, f64::INFINITY, 1.0]);
    Use {
        interpolation: spec.interpolation.or(heading.interpolation).unwrap_or_default(),
        extension: spec.extension,
        start: spec.start.unwrap_or(begin),
        stop: spec.stop.unwrap_or(end),
        stretch,
        cut: spec.sampling == SamplingSpec::Cut,
    }
}

/// Factors of the values: that of the probe, and of angles of files in degrees.
fn scale(selected: &mut Selected, properties: &[PropertyRef], factor: f64, degrees: bool) {
    let mut at = 0;
    for property in properties {
        let info = property.info();
        let turn = if degrees && info.unit.starts_with("rad") { 1_f64.to_radians() } else { 1.0 };
        for _ in 0..info.value_type.numeric_size().unwrap_or(0) {
            selected.scale(at, factor * turn);
            at += 1;
        }
    }
}

fn width(properties: &[PropertyRef]) -> usize {
    properties.iter().filter_map(|it| it.info().value_type.numeric_size()).sum()
}

fn find(probe: &str, paths: &[String], model: &Model) -> Result<Vec<PropertyRef>, ProbeError> {
    let property = |path: &String| {
        model.property(path).map_err(|source| ProbeError::Property {
            probe: probe.to_owned(),
            source: Box::new(source),
        })
    };
    paths.iter().map(property).collect()
}

/// An output probe but for its file.
struct OutputPlan {
    name: String,
    file: PathBuf,
    columns: Vec<String>,
    times: SampleTimes,
    properties: Vec<PropertyRef>,
    /// Numbers of the properties that are recorded as they are.
    plain: usize,
    /// Formulas, and where their operands stand among all numbers.
    formulas: Vec<(Formula, Vec<usize>)>,
    enabled: bool,
}

impl OutputPlan {
    fn of(spec: &OutputProbeSpec, model: &Model) -> Result<Self, ProbeError> {
        let name = spec.name.clone();
        let field = |what: &str| ProbeError::Field { probe: name.clone(), what: what.to_owned() };
        let stop = spec.stop.unwrap_or(f64::INFINITY);
        if !(spec.every >= 0.0 && spec.every.is_finite() && spec.start.is_finite()) || stop.is_nan()
        {
            return Err(field("every, start and stop are to be times, 'every' 0 or above"));
        }
        if spec.properties.is_empty() && spec.expressions.is_empty() {
            return Err(field("it records nothing: give it properties or expressions"));
        }
        let mut properties = find(&name, &spec.properties, model)?;
        let mut columns = Vec::new();
        for property in &properties {
            let path = model.property_path(property);
            let ty = property.info().value_type;
            if ty.numeric_size().is_none() {
                let why = "is no fixed count of numbers";
                return Err(ProbeError::Unfit { probe: name, property: path, why });
            }
            match part_names(ty) {
                [] => columns.push(path),
                parts => columns.extend(parts.iter().map(|part| format!("{path}.{part}"))),
            }
        }
        let (plain, mut formulas) = (columns.len(), Vec::new());
        for (column, text) in &spec.expressions {
            let formula = Formula::parse(&name, text, model)?;
            let mut places = Vec::new();
            for operand in formula.operands() {
                places.push(width(&properties) + operand.part);
                properties.push(operand.property);
            }
            columns.push(column.clone());
            formulas.push((formula, places));
        }
        let default = || PathBuf::from(format!("{}.csv", spec.name));
        let file = spec.file.clone().unwrap_or_else(default);
        if spec.file.is_none() && spec.name.is_empty() {
            return Err(field("a name or a file is expected"));
        }
        let sampling = match spec.sampling {
            SamplingSpec::Interpolate => Sampling::Interpolate,
            SamplingSpec::Cut => Sampling::Cut,
        };
        let times = SampleTimes { every: spec.every, start: spec.start, stop, sampling };
        let enabled = !spec.disabled;
        Ok(Self { name, file, columns, times, properties, plain, formulas, enabled })
    }

    fn probe(self, sink: Box<dyn sinew::schedule::Sink>) -> Result<OutputProbe, ProbeError> {
        let Self { name, columns, times, properties, plain, mut formulas, enabled, .. } = self;
        let made = OutputProbe::new(name.clone(), times, properties, sink);
        let mut probe = made.map_err(|_| ProbeError::Unfit {
            probe: name,
            property: "a property".to_owned(),
            why: "is no fixed count of numbers",
        })?;
        probe.enabled = enabled;
        if formulas.is_empty() {
            return Ok(probe);
        }
        let derive = move |time: f64, read: &[f64], out: &mut [f64]| {
            out[..plain].copy_from_slice(&read[..plain]);
            for ((formula, places), out) in formulas.iter_mut().zip(&mut out[plain..]) {
                *out = formula.eval(time, |k| read[places[k]]);
            }
        };
        Ok(probe.deriving(columns.len(), Box::new(derive)))
    }
}
