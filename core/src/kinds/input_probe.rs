//! Probes that feed values over time into properties, as components. How files are read and when they act is not here:
//! `sinew-run-files`, `schedule/`.

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Reference};
use crate::kinds::{ProbeExtension, ProbeGaps, ProbeInterpolation, ProbeSampling, texts};
use crate::property::{
    CheckError, Components, ModelComponent, NamedProperty, Paths, Problem, Put, Refusal, Value,
    paths_of, properties, width_of,
};

/// Feeds the numbers of a file, or of rows that it has itself, into properties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputProbe {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// True if it does not feed.
    pub disabled: bool,
    /// Properties that it feeds; their numbers in a row are the columns.
    pub properties: Vec<NamedProperty>,
    /// File of the table; empty where it has rows itself.
    pub file: String,
    /// Names of columns of the file, one a number; all columns where none are named.
    pub columns: Vec<String>,
    /// In place of a file: times [s] and values, row after row.
    pub data: Vec<f64>,
    /// Values between two rows; what the file says, or else linear, where it is not given.
    pub interpolation: Option<ProbeInterpolation>,
    /// Values before the first row and after the last.
    pub extension: ProbeExtension,
    /// Cells of a file without a number.
    pub gaps: ProbeGaps,
    /// Factor of the values [-]; 1 where it is not given.
    pub scale: Option<f64>,
    /// Time at which the data begins [s]; what the file says, or else 0, where it is not given.
    pub start: Option<f64>,
    /// Length of a second of the data [s]; what the file says, or else 1, where it is not given.
    pub stretch: Option<f64>,
    /// Time after which it leaves the properties alone [s]; what the file says, or else never, where it is not given.
    pub stop: Option<f64>,
    /// Rows between two steps.
    pub sampling: ProbeSampling,
}

impl InputProbe {
    /// A probe that feeds rows of a time [s] and the numbers of `properties`.
    pub fn of_rows(properties: Vec<NamedProperty>, rows: &[Vec<f64>]) -> Self {
        Self { properties, data: rows.concat(), ..Self::default() }
    }

    /// A probe that feeds the columns of a file into `properties`.
    pub fn of_file(properties: Vec<NamedProperty>, file: impl Into<String>) -> Self {
        Self { properties, file: file.into(), ..Self::default() }
    }

    fn put_properties(&mut self, _: &Value, named: &[NamedProperty]) -> Put {
        self.properties = named.to_vec();
        Ok(())
    }

    /// A file takes the place of rows.
    fn put_file(&mut self, file: String) -> Put {
        if !file.is_empty() {
            self.data = Vec::new();
        }
        self.file = file;
        Ok(())
    }

    /// Rows take the place of a file.
    fn put_data(&mut self, data: Vec<f64>) -> Put {
        if data.iter().any(|x| !x.is_finite()) {
            return Err(Refusal::Value("it must be finite times and values in turn"));
        }
        if !data.is_empty() {
            (self.file, self.columns) = (String::new(), Vec::new());
        }
        self.data = data;
        Ok(())
    }

    fn check_rows(&self, model: &dyn Components) -> Result<(), CheckError> {
        let refused = |what: String| Problem::Property(what);
        let width = width_of(&self.properties, model)?;
        for property in &self.properties {
            if property.info(model, "properties")?.read_only {
                let why = format!("{} can only be read", property.path(model));
                return Err(refused(why).at("properties"));
            }
        }
        if self.properties.is_empty() {
            return Err(Problem::Few { given: 0, least: 1 }.at("properties"));
        }
        if self.file.is_empty() && self.data.is_empty() {
            return Err(refused("either a file or data is needed".to_owned()).at("data"));
        }
        let rows = self.data.chunks(width + 1);
        if rows.clone().any(|row| row.len() != width + 1) {
            let given = self.data.len();
            let what =
                format!("rows of a time and {width} values are needed, it has {given} numbers");
            return Err(refused(what).at("data"));
        }
        let mut before = f64::NEG_INFINITY;
        for time in rows.map(|row| row[0]) {
            if time <= before {
                let must = "above that of the row before";
                return Err(Problem::Entry { what: "time", value: time, must }.at("data"));
            }
            before = time;
        }
        Ok(())
    }
}

impl ModelComponent for InputProbe {
    const HOME: Option<&'static str> = Some("probes");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.properties.iter().for_each(|it| visit(it.reference()));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.properties.iter_mut().for_each(|it| it.redirect(map));
    }

    fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        self.properties.iter_mut().all(|it| keep(&mut it.host))
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_rows(model)
    }

    properties! { InputProbe {
        "enabled": bool = true, "", FINITE, NOTHING, "True if it feeds",
            via (|it: &InputProbe| Some(!it.disabled), |it: &mut InputProbe, enabled: bool| -> Put { it.disabled = !enabled; Ok(()) });
        "properties": Paths = Paths::default(), "", FINITE, NOTHING, "Properties that it feeds, PATH:NAME; their numbers in a row are the columns",
            named (|it, model| Value::Paths(paths_of(&it.properties, model)), |it, value, named| it.put_properties(value, named)), check InputProbe::check_rows;
        "file": String = String::new(), "", FINITE, NOTHING, "A .csv, .trc, .mot, .sto or .txt (ArtiSynth) file; it takes the place of data",
            replacing (|it: &InputProbe| Some(it.file.clone()), |it: &mut InputProbe, file: String| it.put_file(file)), check InputProbe::check_rows;
        "columns": String = String::new(), "", FINITE, NOTHING, "Names of columns of the file with a semicolon between two, one a number; all columns where none are named",
            via (|it: &InputProbe| Some(texts::joined(&it.columns)), |it: &mut InputProbe, text: String| -> Put { it.columns = texts::parted(&text); Ok(()) });
        "data": Vec<f64> = Vec::new(), "by property", FINITE, NOTHING, "Times [s] and values in turn, row after row; they take the place of a file",
            replacing (|it: &InputProbe| Some(it.data.clone()), |it: &mut InputProbe, data: Vec<f64>| it.put_data(data)), check InputProbe::check_rows;
        "interpolation": ProbeInterpolation = ProbeInterpolation::Linear, "", FINITE, NOTHING, "Values between two rows; what the file says, or else linear, where it is inherited", inheritable (interpolation);
        "extension": ProbeExtension = ProbeExtension::Hold, "", FINITE, NOTHING, "Values before the first row and after the last", own (extension);
        "gaps": ProbeGaps = ProbeGaps::Refuse, "", FINITE, NOTHING, "Cells of a file that are empty, or hold NaN", own (gaps);
        "scale": f64 = 1.0, "-", FINITE, NOTHING, "Factor of the values", inheritable (scale);
        "start": f64 = 0.0, "s", FINITE, NOTHING, "Time at which the data begins; what the file says, or else 0, where it is inherited", inheritable (start);
        "stretch": f64 = 1.0, "-", POSITIVE, NOTHING, "Length of a second of the data; what the file says, or else 1, where it is inherited", inheritable (stretch);
        "stop": f64 = f64::INFINITY, "s", ANY, NOTHING, "Time after which the properties are left alone; what the file says, or else never, where it is inherited", inheritable (stop);
        "sampling": ProbeSampling = ProbeSampling::Interpolate, "", FINITE, NOTHING, "Rows between two steps: interpolated, or steps are cut to end there", own (sampling);
    } }
}
