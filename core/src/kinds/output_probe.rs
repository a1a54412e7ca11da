//! Probes that record properties and formulas over time, as components. How files are written and when they act is not
//! here: `sinew-run-files`, `schedule/`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::expression::{self, NamedFormula};
use crate::component::{Address, ComponentId, Reference};
use crate::kinds::ProbeSampling;
use crate::property::{
    CheckError, Components, ModelComponent, NamedProperty, Paths, Problem, Put, Value, paths_of,
    properties, width_of,
};

/// Records properties and formulas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OutputProbe {
    /// Name in paths and reports, and of the file where no file is given.
    pub name: String,
    /// True if it does not record.
    pub disabled: bool,
    /// Properties that it records.
    pub properties: Vec<NamedProperty>,
    /// Formulas that it records, by the names of their columns.
    pub expressions: Vec<NamedFormula>,
    /// File of the recording; `name`.csv where it is empty.
    pub file: String,
    /// Between two samples [s]; 0 for every step.
    pub every: f64,
    /// First sample [s].
    pub start: f64,
    /// Time after which no sample is taken [s]; none where it goes on.
    pub stop: Option<f64>,
    /// Samples between two steps.
    pub sampling: ProbeSampling,
}

impl OutputProbe {
    /// A probe that records these properties after every step.
    pub fn new(properties: Vec<NamedProperty>) -> Self {
        Self { properties, ..Self::default() }
    }

    /// Name of the file of its recording; empty where it has neither a file nor a name.
    pub(crate) fn file_name(&self) -> String {
        match (&self.file[..], &self.name[..]) {
            ("", "") => String::new(),
            ("", name) => format!("{name}.csv"),
            (file, _) => file.to_owned(),
        }
    }

    fn put_properties(&mut self, _: &Value, named: &[NamedProperty]) -> Put {
        self.properties = named.to_vec();
        Ok(())
    }

    fn put_expressions(&mut self, value: &Value, named: &[NamedProperty]) -> Put {
        match value {
            Value::Text(text) => expression::put(&mut self.expressions, text, named),
            _ => Ok(()),
        }
    }

    fn check_recorded(&self, model: &dyn Components) -> Result<(), CheckError> {
        width_of(&self.properties, model)?;
        self.expressions.iter().try_for_each(|it| it.check(model, "expressions"))?;
        if self.properties.is_empty() && self.expressions.is_empty() {
            return Err(Problem::Few { given: 0, least: 1 }.at("properties"));
        }
        Ok(())
    }

    fn check_file(&self, _: &dyn Components) -> Result<(), CheckError> {
        if self.file.is_empty() && self.name.is_empty() {
            return Err(Problem::Property("a name or a file is needed".to_owned()).at("file"));
        }
        let file = self.file_name();
        if file.contains(['/', '\\', ':', '\0']) || matches!(&file[..], "." | "..") {
            let why = format!("'{file}' is no name of a file: give one without a folder");
            return Err(Problem::Property(why).at("file"));
        }
        Ok(())
    }
}

impl ModelComponent for OutputProbe {
    const HOME: Option<&'static str> = Some("probes");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.properties.iter().for_each(|it| visit(it.reference()));
        self.expressions.iter().for_each(|it| it.visit(visit));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.properties.iter_mut().for_each(|it| it.redirect(map));
        self.expressions.iter_mut().for_each(|it| it.redirect(map));
    }

    fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        self.properties.iter_mut().all(|it| keep(&mut it.host))
            && self.expressions.iter_mut().all(|it| it.keep_hosts(keep))
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_recorded(model)?;
        self.check_file(model)
    }

    /// Two probes do not record to one file.
    fn become_copy(&mut self) {
        let ending = Path::new(&self.file).extension().and_then(|it| it.to_str());
        if let Some(ending) = ending.filter(|_| !self.name.is_empty()) {
            self.file = format!("{}.{ending}", self.name);
        }
    }

    properties! { OutputProbe {
        "enabled": bool = true, "", FINITE, NOTHING, "True if it records",
            via (|it: &OutputProbe| Some(!it.disabled), |it: &mut OutputProbe, enabled: bool| -> Put { it.disabled = !enabled; Ok(()) });
        "properties": Paths = Paths::default(), "", FINITE, NOTHING, "Properties that it records, PATH:NAME",
            named (|it, model| Value::Paths(paths_of(&it.properties, model)), |it, value, named| it.put_properties(value, named)), check OutputProbe::check_recorded;
        "expressions": String = String::new(), "", FINITE, NOTHING, "Formulas that it records, NAME = FORMULA with a semicolon between two: {PATH:NAME} is a property, {PATH:NAME.x} a part of one, t the time",
            named (|it, model| Value::Text(expression::text_of(&it.expressions, model)), |it, value, named| it.put_expressions(value, named)), check OutputProbe::check_recorded;
        "file": String = String::new(), "", FINITE, NOTHING, "A .csv, .npy, .parquet, .mot or .sto file in the directory of the results; NAME.csv where it is empty", own (file), check OutputProbe::check_file;
        "every": f64 = 0.0, "s", NOT_NEGATIVE, NOTHING, "Between two samples; 0 for every step", own (every);
        "start": f64 = 0.0, "s", FINITE, NOTHING, "First sample", own (start);
        "stop": f64 = f64::INFINITY, "s", ANY, NOTHING, "Time after which no sample is taken",
            via (|it: &OutputProbe| Some(it.stop.unwrap_or(f64::INFINITY)), |it: &mut OutputProbe, stop: f64| -> Put { it.stop = stop.is_finite().then_some(stop); Ok(()) });
        "sampling": ProbeSampling = ProbeSampling::Interpolate, "", FINITE, NOTHING, "Samples between two steps: interpolated, or steps are cut to end there", own (sampling);
    } }
}
