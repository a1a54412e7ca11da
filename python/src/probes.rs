//! Tables that probes fill.

use numpy::PyArray2;
use pyo3::prelude::*;
use sinew_run_files::MemoryTable;
use sinew_run_files::spec::{
    Extension, InputProbeSpec, Interpolation, OutputProbeSpec, SamplingSpec,
};

use crate::errors::ProbeError;
use crate::numbers::{numbers_of, table};

/// Table of a probe so far.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Table(pub(crate) MemoryTable);

#[pymethods]
impl Table {
    /// Names of the columns after the time.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.columns().to_vec()
    }

    /// Times [s] and values: shape (n, 1 + columns).
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.0.numbers(), self.0.width())
    }
}

/// Times of a probe: interval, start and stop [s], and true if steps end at its samples.
pub(crate) type Times = (f64, f64, Option<f64>, bool);

/// An output probe in memory.
pub(crate) fn output_spec(
    properties: Vec<String>,
    expressions: Vec<(String, String)>,
    (every, start, stop, cut): Times,
) -> OutputProbeSpec {
    OutputProbeSpec {
        name: "probe".to_owned(),
        properties,
        expressions: expressions.into_iter().collect(),
        every,
        start,
        stop,
        sampling: if cut { SamplingSpec::Cut } else { SamplingSpec::Interpolate },
        ..OutputProbeSpec::default()
    }
}

/// An input probe of a table of shape (n, 1 + values).
pub(crate) fn input_spec(
    properties: Vec<String>,
    rows: &Bound<'_, PyAny>,
    [interpolation, extension]: [&str; 2],
) -> PyResult<InputProbeSpec> {
    let refused = |why: &str| ProbeError::new_err(why.to_owned());
    let form = "a table of rows is expected, a time [s] and values in each";
    let mut data: Vec<Vec<f64>> = Vec::new();
    for row in rows.try_iter().map_err(|_| refused(form))? {
        data.push(numbers_of(&row?).ok_or_else(|| refused(form))?);
    }
    let unknown = |name: &'static str| {
        move |error: serde_json::Error| ProbeError::new_err(format!("{name}: {error}"))
    };
    let interpolation: Interpolation =
        serde_json::from_value(interpolation.into()).map_err(unknown("interpolation"))?;
    let extension: Extension =
        serde_json::from_value(extension.into()).map_err(unknown("extension"))?;
    let name = "input".to_owned();
    let interpolation = Some(interpolation);
    Ok(InputProbeSpec { name, properties, data, interpolation, extension, ..Default::default() })
}
