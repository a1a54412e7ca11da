//! Arrays of numpy from numbers, and numbers from Python objects that hold some.

use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArrayDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use sinew::Vec3;

/// An array of shape (n,).
pub(crate) fn array(py: Python<'_>, numbers: Vec<f64>) -> Bound<'_, PyArray1<f64>> {
    Array1::from_vec(numbers).into_pyarray(py)
}

/// An array of shape (n, width).
pub(crate) fn table(
    py: Python<'_>,
    numbers: Vec<f64>,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = numbers.len().checked_div(width).unwrap_or(0);
    let shaped = Array2::from_shape_vec((rows, width), numbers);
    let shaped = shaped.map_err(|error| PyTypeError::new_err(error.to_string()))?;
    Ok(shaped.into_pyarray(py))
}

/// An array of shape (n, 3).
pub(crate) fn points(
    py: Python<'_>,
    vectors: impl IntoIterator<Item = Vec3>,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    table(py, vectors.into_iter().flat_map(|v| [v.x, v.y, v.z]).collect(), 3)
}

/// The numbers of an array, row by row, of a number, or of sequences of these; `None` for what holds others.
pub(crate) fn numbers_of(object: &Bound<'_, PyAny>) -> Option<Vec<f64>> {
    if let Ok(array) = object.extract::<PyReadonlyArrayDyn<'_, f64>>() {
        return Some(array.as_array().iter().copied().collect());
    }
    let mut numbers = Vec::new();
    flatten(object, &mut numbers, 0).then_some(numbers)
}

/// Deepest nesting of sequences that hold numbers.
const MAX_DEPTH: usize = 8;

fn flatten(object: &Bound<'_, PyAny>, numbers: &mut Vec<f64>, depth: usize) -> bool {
    if let Ok(number) = object.extract::<f64>() {
        numbers.push(number);
        return true;
    }
    if depth == MAX_DEPTH || object.cast::<PyString>().is_ok() {
        return false;
    }
    let Ok(items) = object.try_iter() else { return false };
    items.into_iter().all(|item| item.is_ok_and(|item| flatten(&item, numbers, depth + 1)))
}

/// Points [m] from an array of shape (n, 3).
pub(crate) fn points_of(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vec3>> {
    let refused = || PyTypeError::new_err(format!("{what}: an array of shape (n, 3) is expected"));
    let numbers = numbers_of(object).filter(|it| it.len() % 3 == 0).ok_or_else(refused)?;
    Ok(numbers.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect())
}
