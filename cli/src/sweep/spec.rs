//! A sweep as a file says it: a model, options, and factors with their levels.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use sinew::io::read_file;

use super::error::SweepError;

/// Largest file of a sweep, and of a list of cases, that is read [byte].
const MAX_BYTES: u64 = 64 << 20;

/// A sweep.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    /// As on the command line of `sinew run`: a name or a file.
    pub(super) model: String,
    /// Options of `sinew run` for all cases.
    #[serde(default)]
    pub(super) options: Vec<String>,
    /// Design by which levels make cases.
    #[serde(default)]
    pub(super) design: Design,
    /// Number of cases of a design that draws.
    pub(super) samples: Option<usize>,
    /// Seed of the draws of such a design.
    pub(super) seed: Option<u64>,
    /// A CSV file whose headings are names of factors and whose rows are cases.
    pub(super) list: Option<PathBuf>,
    /// Factors that are varied.
    #[serde(default)]
    pub(super) factor: Vec<Factor>,
}

/// Design by which levels make cases.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Design {
    /// Every level of each factor with every level of the others; the last factor changes fastest.
    #[default]
    Grid,
    /// Levels drawn independently.
    Random,
    /// Levels drawn so that each of as many equal parts of a range as there are samples has one (McKay1979).
    LatinHypercube,
    /// The rows of a table.
    List,
}

/// A factor that is varied.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Factor {
    /// A parameter, `PATH:property`, or an option with its dashes.
    pub(super) name: String,
    /// Its levels.
    pub(super) values: Option<Vec<toml::Value>>,
    /// Its least and its largest level.
    pub(super) range: Option<[f64; 2]>,
    /// Number of levels between these, for a grid.
    pub(super) levels: Option<usize>,
    /// Scale on which they lie between these.
    pub(super) scale: Option<Scale>,
}

/// Scale of the levels in a range.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Scale {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios.
    Log,
}

impl Spec {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that is not there, or no sweep: with line and column.
    pub(super) fn read(path: &Path) -> Result<Self, SweepError> {
        let text = text_of(path)?;
        toml::from_str(&text).map_err(|error| SweepError::Syntax {
            path: path.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })
    }
}

/// The text of a file.
pub(super) fn text_of(path: &Path) -> Result<String, SweepError> {
    let read = |source| SweepError::Read { path: path.to_owned(), source };
    let bytes = read_file(path, MAX_BYTES).map_err(std::io::Error::other).map_err(read)?;
    String::from_utf8(bytes).map_err(|error| SweepError::Syntax {
        path: path.to_owned(),
        message: format!("it is no UTF-8: {error}"),
    })
}

/// A level as it stands on a command line.
pub(super) fn as_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(list) => list.iter().map(as_text).collect::<Vec<_>>().join(" "),
        toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_)
        | toml::Value::Table(_) => value.to_string(),
    }
}
