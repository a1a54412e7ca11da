//! Probes as a timeline shows them.

use std::sync::Arc;

use crate::component::ComponentId;
use crate::kinds::ProbeInterpolation;

/// A probe on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeTrack {
    /// The component that describes it; the root where it was added by code.
    pub component: ComponentId,
    /// Its path; empty where it was added by code.
    pub path: String,
    /// Its name.
    pub name: String,
    /// True if it feeds the model, rather than recording it.
    pub feeds: bool,
    /// Times of its begin and end [s]; infinite where it has none.
    pub span: [f64; 2],
    /// True if it is on.
    pub enabled: bool,
    /// Paths of the properties that it feeds or records.
    pub properties: Vec<String>,
    /// Values between points; `None` where they cannot be chosen.
    pub interpolation: Option<ProbeInterpolation>,
    /// File that it reads or records to; empty where it has none.
    pub file: String,
    /// Its curve.
    pub curve: Arc<ProbeCurve>,
}

impl ProbeTrack {
    /// An empty track of a component.
    pub fn of(component: ComponentId) -> Self {
        Self {
            component,
            path: String::new(),
            name: String::new(),
            feeds: false,
            span: [0.0; 2],
            enabled: false,
            properties: Vec::new(),
            interpolation: None,
            file: String::new(),
            curve: Arc::default(),
        }
    }
}

/// Curve of a probe over the time of the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeCurve {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Times of the points [s], rising.
    pub times: Vec<f64>,
    /// Values of the points in SI units, row after row.
    pub values: Vec<f64>,
    /// Times of the line through them [s]; empty where it goes straight from point to point.
    pub line_times: Vec<f64>,
    /// Values of the line, row after row.
    pub line_values: Vec<f64>,
    /// True if the points can be moved.
    pub editable: bool,
}

impl ProbeCurve {
    /// Number of columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Values of a point.
    pub fn point(&self, at: usize) -> &[f64] {
        &self.values[at * self.width()..(at + 1) * self.width()]
    }

    /// The line of a column: times [s] and values.
    pub fn line(&self, column: usize) -> impl Iterator<Item = (f64, f64)> + Clone {
        let (times, values) = match self.line_times.is_empty() {
            true => (&self.times, &self.values),
            false => (&self.line_times, &self.line_values),
        };
        let values = values.iter().skip(column).step_by(self.width().max(1));
        times.iter().copied().zip(values.copied())
    }

    /// Least and greatest value of a column; `None` where there is none.
    pub fn range(&self, column: usize) -> Option<[f64; 2]> {
        let wider = |range: Option<[f64; 2]>, (_, x): (f64, f64)| {
            Some(range.map_or([x, x], |[low, high]| [low.min(x), high.max(x)]))
        };
        self.line(column).filter(|(_, x)| x.is_finite()).fold(None, wider)
    }
}
