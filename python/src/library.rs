//! Tables of the library: built-in models, kinds of components and of elements.

use pyo3::prelude::*;
use sinew::component::Kind;
use sinew::fem::ElementKind;
use sinew::io::vtk_order;

/// A built-in model: name, summary, and parameters as (key, default, unit, doc).
type BuiltinRow = (&'static str, &'static str, Vec<[&'static str; 4]>);

/// Built-in models: (name, summary, [(key, default, unit, doc), ..]).
#[pyfunction]
pub(crate) fn builtins() -> Vec<BuiltinRow> {
    let params = |it: &sinew_datasets::ParamInfo| [it.key, it.default, it.unit, it.doc];
    let row = |it: &sinew_datasets::Builtin| {
        (it.name, it.summary, it.params.iter().map(params).collect())
    };
    sinew_datasets::BUILTINS.iter().map(row).collect()
}

/// Names of all kinds of components.
#[pyfunction]
pub(crate) fn kinds() -> Vec<&'static str> {
    Kind::ALL.into_iter().map(Kind::name).collect()
}

/// Kinds of elements: (name, place in VTK's order of each of Sinew's nodes).
#[pyfunction]
pub(crate) fn element_kinds() -> Vec<(&'static str, Vec<usize>)> {
    let order = |kind| vtk_order(kind).iter().map(|&place| place.into()).collect();
    ElementKind::ALL.into_iter().map(|kind| (kind.name(), order(kind))).collect()
}
