//! Recordings as Python has them: the path of a file, or names of columns and a table of numbers.

use std::path::PathBuf;

use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_run_files::Recording;

/// A recording from the path of a file, or from names of columns and an array of shape (n, 1 + columns), times [s] first.
pub(crate) fn recording_of(object: &Bound<'_, PyAny>) -> PyResult<Recording> {
    if let Ok(path) = object.extract::<PathBuf>() {
        return Ok(Recording::File(path));
    }
    let (columns, table): (Vec<String>, PyReadonlyArray2<'_, f64>) =
        object.extract().map_err(|_| {
            PyTypeError::new_err("a path is expected, or names of columns and a table of numbers")
        })?;
    let rows = table.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    Ok(Recording::Memory { columns, rows })
}
