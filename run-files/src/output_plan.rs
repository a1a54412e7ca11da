//! Plan of an output probe: its properties, columns and times.

use std::path::PathBuf;

use sinew::formula::{PropertyFormula, part_names};
use sinew::model::Model;
use sinew::property::PropertyRef;
use sinew::schedule::{OutputProbe, SampleTimes, Sampling, Simulation, SimulationError, Sink};

use crate::ProbeError;
use crate::expression::formula;
use crate::lookup::{find, width};
use crate::spec::{OutputProbeSpec, ProbeSet, SamplingSpec};

/// An output probe but for its file.
pub(crate) struct OutputPlan {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) columns: Vec<String>,
    times: SampleTimes,
    properties: Vec<PropertyRef>,
    /// Numbers of the properties that are recorded as they are.
    plain: usize,
    /// Formulas, and where their operands stand among all numbers.
    formulas: Vec<(PropertyFormula, Vec<usize>)>,
    enabled: bool,
}

impl OutputPlan {
    /// That of `spec` for `model`.
    pub(crate) fn of(spec: &OutputProbeSpec, model: &Model) -> Result<Self, ProbeError> {
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
        let mut this = Self {
            name: name.clone(),
            file: spec.path(),
            columns: Vec::new(),
            times: times(spec),
            properties: find(&name, &spec.properties, model)?,
            plain: 0,
            formulas: Vec::new(),
            enabled: !spec.disabled,
        };
        if spec.file.is_none() && spec.name.is_empty() {
            return Err(field("a name or a file is expected"));
        }
        this.name_columns(model)?;
        for (column, text) in &spec.expressions {
            this.add_formula(column, formula(&name, text, model)?);
        }
        Ok(this)
    }

    /// A column a number of each property.
    fn name_columns(&mut self, model: &Model) -> Result<(), ProbeError> {
        for property in &self.properties {
            let path = model.property_path(property);
            let ty = property.info().value_type;
            if ty.numeric_size().is_none() {
                let (probe, why) = (self.name.clone(), "is no fixed count of numbers");
                return Err(ProbeError::Unfit { probe, property: path, why });
            }
            match part_names(ty) {
                [] => self.columns.push(path),
                parts => self.columns.extend(parts.iter().map(|part| format!("{path}.{part}"))),
            }
        }
        self.plain = self.columns.len();
        Ok(())
    }

    /// A column of a formula, whose operands are read behind what is recorded.
    fn add_formula(&mut self, column: &str, formula: PropertyFormula) {
        let mut places = Vec::new();
        for operand in formula.operands() {
            places.push(width(&self.properties) + operand.part);
            self.properties.push(operand.property);
        }
        self.columns.push(column.to_owned());
        self.formulas.push((formula, places));
    }

    /// The probe, recording to `sink`.
    pub(crate) fn probe(self, sink: Box<dyn Sink>) -> Result<OutputProbe, ProbeError> {
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

impl ProbeSet {
    /// Reads once what the probes record from the start on. What has no value there would end a run that has
    /// begun, when the results of a former one are gone.
    ///
    /// # Errors
    /// The first property without a value.
    pub fn try_outputs(&self, simulation: &mut Simulation) -> Result<(), ProbeError> {
        let time = simulation.time();
        for spec in self.outputs().iter().filter(|it| !it.disabled && it.start <= time) {
            let plan = OutputPlan::of(spec, simulation.model())?;
            for property in &plan.properties {
                // A device that is lost is told of by the run.
                if let Err(SimulationError::Property(source)) = simulation.get(property) {
                    return Err(ProbeError::Property {
                        probe: plan.name,
                        source: Box::new(source),
                    });
                }
            }
        }
        Ok(())
    }
}

fn times(spec: &OutputProbeSpec) -> SampleTimes {
    let sampling = match spec.sampling {
        SamplingSpec::Interpolate => Sampling::Interpolate,
        SamplingSpec::Cut => Sampling::Cut,
    };
    let stop = spec.stop.unwrap_or(f64::INFINITY);
    SampleTimes { every: spec.every, start: spec.start, stop, sampling }
}
