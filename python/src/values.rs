//! Values of properties as objects of Python, and back; edits as text or dictionaries.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};
use sinew::editing::{EditCommand, EditReport};
use sinew::property::{PropertyType, Value};

use crate::errors::{EditError, raise};
use crate::numbers::{array, numbers_of, table};

/// A value: bool, int, float, str, a list of str, or an array.
pub(crate) fn object_of<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Bool(it) => PyBool::new(py, *it).to_owned().into_any(),
        Value::Int(it) => it.into_pyobject(py)?.into_any(),
        Value::Real(it) => it.into_pyobject(py)?.into_any(),
        Value::Choice(word) => word.into_pyobject(py)?.into_any(),
        Value::Text(text) | Value::Path(text) => text.into_pyobject(py)?.into_any(),
        Value::Paths(paths) => PyList::new(py, paths)?.into_any(),
        Value::Matrix(_) => table(py, value.numbers().collect(), 3)?.into_any(),
        Value::Vector(_) | Value::Pose(_) | Value::Colour(_) | Value::List(_) => {
            array(py, value.numbers().collect()).into_any()
        }
    })
}

/// The text of an object: itself, or its path where it is a component.
fn text_of(object: &Bound<'_, PyAny>) -> Option<String> {
    let path = || object.getattr("path").ok()?.extract().ok();
    object.extract().ok().or_else(path)
}

/// The value of a type that an object stands for; text is read as the command line reads it.
pub(crate) fn value_of(ty: PropertyType, object: &Bound<'_, PyAny>) -> Option<Value> {
    match ty {
        PropertyType::Text => text_of(object).map(Value::Text),
        PropertyType::Path => text_of(object).map(Value::Path),
        PropertyType::Choice(_) => Value::parse(ty, &text_of(object)?),
        PropertyType::Paths => match text_of(object) {
            Some(text) => Value::parse(ty, &text),
            None => {
                let items = object.try_iter().ok()?;
                let paths: Option<_> = items.into_iter().map(|it| text_of(&it.ok()?)).collect();
                paths.map(Value::Paths)
            }
        },
        PropertyType::Bool
        | PropertyType::Int
        | PropertyType::Real
        | PropertyType::Vector
        | PropertyType::Matrix
        | PropertyType::Pose
        | PropertyType::Colour
        | PropertyType::List => match object.extract::<String>() {
            Ok(text) => Value::parse(ty, &text),
            Err(_) => Value::from_numbers(ty, &numbers_of(object)?),
        },
    }
}

/// An object as JSON: dictionaries, sequences and arrays, text, numbers, components by their paths.
fn json_of(object: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    use serde_json::Value as Json;
    if object.is_none() {
        return Ok(Json::Null);
    }
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Json::Bool(flag.is_true()));
    }
    if let Some(text) = text_of(object) {
        return Ok(Json::String(text));
    }
    if let Ok(number) = object.extract::<i64>() {
        return Ok(number.into());
    }
    if let Ok(number) = object.extract::<f64>() {
        let refused = || EditError::new_err(format!("{number} is no finite number"));
        return Ok(Json::Number(serde_json::Number::from_f64(number).ok_or_else(refused)?));
    }
    if let Ok(pairs) = object.cast::<PyDict>() {
        let pair = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.extract::<String>()?, json_of(&value)?))
        };
        return Ok(Json::Object(pairs.iter().map(pair).collect::<PyResult<_>>()?));
    }
    let items = object.try_iter()?;
    Ok(Json::Array(items.into_iter().map(|item| json_of(&item?)).collect::<PyResult<_>>()?))
}

/// A command from its text, or from a dictionary.
pub(crate) fn command_of(object: &Bound<'_, PyAny>) -> PyResult<EditCommand> {
    if let Ok(line) = object.extract::<String>() {
        return raise(line.parse());
    }
    if object.cast::<PyDict>().is_err() {
        return Err(PyTypeError::new_err("a command is a text or a dictionary"));
    }
    serde_json::from_value(json_of(object)?).map_err(|error| EditError::new_err(error.to_string()))
}

/// Paths of what was added, deleted and changed, and warnings.
pub(crate) type Changes = (Vec<String>, Vec<String>, Vec<String>, Vec<String>);

/// A report as lists.
pub(crate) fn changes_of(report: EditReport) -> Changes {
    (report.added, report.deleted, report.changed, report.warnings)
}
