//! Probes as a model file and the command line describe them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All probes of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProbeSet {
    /// Probes that feed properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub input_probes: Vec<InputProbeSpec>,
    /// Probes that record properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub output_probes: Vec<OutputProbeSpec>,
    /// Probes that record the paths of points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tracing_probes: Vec<TracingProbeSpec>,
}

/// Feeds the numbers of a file, or of `data`, into properties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InputProbeSpec {
    /// Stands in messages.
    pub name: String,
    /// Paths of properties; their numbers in a row are the columns.
    pub properties: Vec<String>,
    /// A .csv, .trc, .mot, .sto or .txt (ArtiSynth) file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Names of columns of the file, one a number; all columns where none are named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// In place of a file: rows of a time [s] and values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Vec<f64>>,
    /// Between two rows; what the file says, or else linear, where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<Interpolation>,
    /// Before the first row and after the last.
    pub extension: Extension,
    /// Cells of a file that are empty, or hold `NaN`: what a camera did not see.
    pub gaps: Gaps,
    /// Factor of the values [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Time of the simulation at which the data begins [s]; before it the properties are left alone.
    /// What the file says, or else 0, where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Length of a second of the data [s]; what the file says, or else 1, where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch: Option<f64>,
    /// After this time of the simulation the properties are left alone [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<f64>,
    /// Sampling: a step ends at each row, or goes over it.
    pub sampling: SamplingSpec,
    /// True if it is switched off.
    pub disabled: bool,
}

/// Values between two rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Those of the row before; in force from the begin of a step.
    Step,
    /// On the line between the rows.
    #[default]
    Linear,
    /// On a cubic with the slopes of the parabolas through three rows.
    Cubic,
    /// On the natural cubic spline through all rows, which are held in memory.
    Spline,
}

/// Values before the first row and after the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extension {
    /// None: the properties are left alone.
    None,
    /// Those of the nearest row.
    #[default]
    Hold,
    /// All rows again.
    Repeat,
    /// On the line through the two nearest rows.
    Linear,
}

/// Cells of a file without a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gaps {
    /// They end the run with their line.
    #[default]
    Refuse,
    /// On the line between the nearest numbers above and below; the nearest one at the ends of the file.
    Interpolate,
}

/// Samples that do not fall on the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SamplingSpec {
    /// They are interpolated.
    #[default]
    Interpolate,
    /// The step is cut to end there.
    Cut,
}

/// Records properties and formulas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OutputProbeSpec {
    /// Stands in messages, and names the file where no file is given.
    pub name: String,
    /// Paths of properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    /// Formulas by the names of their columns; `{PATH:NAME}` is a property, `{PATH:NAME.x}` a part of
    /// one, `t` the time.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub expressions: BTreeMap<String, String>,
    /// A .csv, .npy, .parquet, .mot or .sto file in the directory of the results; `name`.csv where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Between two samples [s]; 0 for every step.
    pub every: f64,
    /// First sample [s].
    pub start: f64,
    /// No sample after this time [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<f64>,
    /// Sampling: steps end at samples, or go over them.
    pub sampling: SamplingSpec,
    /// True if it is switched off.
    pub disabled: bool,
}

/// Records the ways of points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TracingProbeSpec {
    /// Stands in messages, and names the file where no file is given.
    pub name: String,
    /// Paths of particles, markers, nodes or bodies.
    pub points: Vec<String>,
    /// As of an output probe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Between two samples [s]; 0 for every step.
    pub every: f64,
    /// First sample [s].
    pub start: f64,
    /// No sample after this time [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<f64>,
    /// Sampling: steps end at samples, or go over them.
    pub sampling: SamplingSpec,
    /// True if it is switched off.
    pub disabled: bool,
}

impl TracingProbeSpec {
    /// As a probe of the positions of its points.
    pub fn as_output(&self) -> OutputProbeSpec {
        OutputProbeSpec {
            name: self.name.clone(),
            properties: self.points.iter().map(|point| format!("{point}:position")).collect(),
            expressions: BTreeMap::new(),
            file: self.file.clone(),
            every: self.every,
            start: self.start,
            stop: self.stop,
            sampling: self.sampling,
            disabled: self.disabled,
        }
    }
}

impl OutputProbeSpec {
    /// The file that it records to, relative to the directory of the results.
    pub fn path(&self) -> PathBuf {
        self.file.clone().unwrap_or_else(|| format!("{}.csv", self.name).into())
    }
}

impl ProbeSet {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds those of another set behind these.
    pub fn extend(&mut self, other: Self) {
        self.input_probes.extend(other.input_probes);
        self.output_probes.extend(other.output_probes);
        self.tracing_probes.extend(other.tracing_probes);
    }

    /// The probes that record, tracing ones among them.
    pub fn outputs(&self) -> Vec<OutputProbeSpec> {
        let traced = self.tracing_probes.iter().map(TracingProbeSpec::as_output);
        self.output_probes.iter().cloned().chain(traced).collect()
    }
}
