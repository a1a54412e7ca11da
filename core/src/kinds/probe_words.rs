//! Choices of probes, and lists of texts in one text.

use serde::{Deserialize, Serialize};

use crate::property::choices;

/// Values between two rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeInterpolation {
    /// Those of the row before; in force from the begin of a step.
    Step,
    /// On the line between the rows.
    #[default]
    Linear,
    /// On a cubic with the slopes of the parabolas through three rows.
    Cubic,
    /// On the natural cubic spline through all rows.
    Spline,
}

choices!(named ProbeInterpolation { Step => "step", Linear => "linear", Cubic => "cubic", Spline => "spline" });

/// Values before the first row of a table and after the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeExtension {
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

choices!(ProbeExtension { None => "none", Hold => "hold", Repeat => "repeat", Linear => "linear" });

/// Cells of a file without a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeGaps {
    /// They end the run with their line.
    #[default]
    Refuse,
    /// On the line between the nearest numbers above and below; the nearest one at the ends of the file.
    Interpolate,
}

choices!(ProbeGaps { Refuse => "refuse", Interpolate => "interpolate" });

/// Samples that do not fall on the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeSampling {
    /// They are interpolated.
    #[default]
    Interpolate,
    /// The step is cut to end there.
    Cut,
}

choices!(ProbeSampling { Interpolate => "interpolate", Cut => "cut" });

/// Several texts in one, a semicolon between two.
pub(crate) mod texts {
    /// The texts in one.
    pub(crate) fn joined(texts: &[String]) -> String {
        texts.join("; ")
    }

    /// The texts of one; none of an empty one.
    pub(crate) fn parted(text: &str) -> Vec<String> {
        let parts = text.split(';').map(|part| part.trim().to_owned());
        parts.filter(|part| !part.is_empty()).collect()
    }
}
