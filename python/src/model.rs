//! Models: made, loaded, edited and saved.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use sinew::component::{Address, Kind, did_you_mean, similar};
use sinew::material::MaterialSpec;
use sinew::model::{Dirichlet, Edit, FemModel, History, MechModel, RigidBody};
use sinew_datasets::{BUILTINS, Params};
use sinew_model_files::{LoadOptions, SaveOptions, is_model_file};

use crate::control::registered;
use crate::errors::{EditError, FileError, Raised, poisoned, raise};
use crate::mesh::Mesh;
use crate::values::{Changes, changes_of, command_of, object_of};

/// A property: name, type, unit, range, default, doc, read-only, inheritable, of a running model
/// alone.
pub(crate) type PropertyRow =
    (&'static str, String, &'static str, String, String, &'static str, bool, bool, bool);

/// A model and what is kept beside it.
#[derive(Clone)]
pub(crate) struct Edited {
    pub(crate) model: sinew::model::Model,
    pub(crate) history: History,
    /// Contents of the model file beside the model: solver, motions to follow.
    pub(crate) told: SaveOptions,
}

impl Edited {
    fn plain(mut model: sinew::model::Model) -> Self {
        model.set_code(registered());
        Self { model, history: History::default(), told: SaveOptions::default() }
    }

    fn from_file(path: &Path, options: &LoadOptions) -> PyResult<Self> {
        let file = raise(sinew_model_files::load(path, options))?;
        let (solver, inverse) = (Some(file.solver), file.inverse);
        let told = SaveOptions { solver, inverse };
        Ok(Self { told, ..Self::plain(file.model) })
    }

    fn from_builtin(name: &str, parameters: &[(String, String)]) -> PyResult<Self> {
        let Some(builtin) = sinew_datasets::find(name) else {
            let names: Vec<_> = BUILTINS.iter().map(|it| it.name).collect();
            let near = did_you_mean(&similar(name, names.iter().copied()));
            return Err(FileError::new_err(format!(
                "unknown model '{name}'{near}; built in: {}; or give the path of a model file",
                names.join(", ")
            )));
        };
        let pairs = parameters.iter().map(|(key, value)| format!("{key}={value}"));
        let mut params = raise(Params::parse(pairs))?;
        Ok(Self::plain(raise((builtin.build)(&mut params))?))
    }

    /// Adds a component to the first mechanical model; its path.
    fn add(&mut self, component: impl Into<sinew::model::Component>) -> PyResult<String> {
        let home = self.model.first::<MechModel>().map_or(sinew::component::ROOT, |it| it.id());
        let change = raise(self.history.apply(&mut self.model, Edit::add(home, component)))?;
        let added = change.added().first().copied();
        added.map(|id| self.model.path(id)).ok_or_else(|| EditError::new_err("nothing was added"))
    }
}

/// A model that can be edited.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Model(Mutex<Edited>);

impl Model {
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Edited>> {
        self.0.lock_py_attached(py).map_err(|_| poisoned())
    }

    pub(crate) fn of(edited: Edited) -> Self {
        Self(Mutex::new(edited))
    }
}

/// Kinds and paths of what is at a path.
pub(crate) fn found(model: &sinew::model::Model, path: &str) -> PyResult<(String, &'static str)> {
    let at = raise(model.find(path))?;
    let kind = match at {
        Address::Component(id) => id.kind().name(),
        Address::Part(..) => "Parts",
        Address::Node(..) => "Node",
        Address::Element(..) => "Element",
        Address::Region(..) => "Region",
        Address::Support(..) => "Support",
    };
    Ok((model.path(at), kind))
}

/// Paths of all components of a kind, in the order of the tree.
pub(crate) fn of_kind(model: &sinew::model::Model, kind: &str) -> PyResult<Vec<String>> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let kind =
        Kind::ALL.into_iter().find(|it| plain(it.name()) == plain(kind)).ok_or_else(|| {
            let names: Vec<_> = Kind::ALL.into_iter().map(Kind::name).collect();
            EditError::new_err(format!("there is no kind '{kind}'; there are {}", names.join(", ")))
        })?;
    let (mut found, mut open) = (Vec::new(), vec![sinew::component::ROOT]);
    while let Some(id) = open.pop() {
        if id.kind() == kind {
            found.push(model.path(id));
        }
        let below: Vec<_> = model.children(id).collect();
        open.extend(below.into_iter().rev());
    }
    Ok(found)
}

/// Paths of what is below a path.
pub(crate) fn children(model: &sinew::model::Model, path: &str) -> PyResult<Vec<String>> {
    let id = raise(model.find(path))?.component();
    Ok(model.children(id).map(|child| model.path(child)).collect())
}

/// Rows of the properties of the component at a path.
pub(crate) fn properties(model: &sinew::model::Model, path: &str) -> PyResult<Vec<PropertyRow>> {
    let at = raise(model.find(path))?;
    let row = |property: sinew::property::PropertyRef| {
        let info = property.info();
        let range = info.range.describe(info.value_type);
        let kind = match info.value_type {
            sinew::property::PropertyType::Choice(words) => words.join(" | "),
            other => other.name().to_owned(),
        };
        let default = info.default.to_string();
        let flags = (info.read_only, info.inheritable, info.simulated);
        (info.name, kind, info.unit, range, default, info.doc, flags.0, flags.1, flags.2)
    };
    Ok(model.properties(at).into_iter().map(row).collect())
}

#[pymethods]
impl Model {
    #[new]
    fn new(name: String) -> Self {
        let mut model = sinew::model::Model::new(name);
        // What is added by name goes there.
        model.main();
        Self::of(Edited::plain(model))
    }

    /// Loads a model file, or a built-in model by its name.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        source: String,
        parameters: Vec<(String, String)>,
        root: Option<PathBuf>,
    ) -> PyResult<Self> {
        let path = PathBuf::from(&source);
        let loaded = py.detach(|| match is_model_file(&path) {
            true => Edited::from_file(&path, &LoadOptions { root, parameters, code: registered() }),
            false => Edited::from_builtin(&source, &parameters),
        });
        loaded.map(Self::of)
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self::of(self.lock(py)?.clone()))
    }

    /// Writes model files; their paths.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<PathBuf>> {
        let edited = self.lock(py)?;
        raise(sinew_model_files::save(&edited.model, &path, &edited.told))
    }

    /// Writes a document of OpenSim; its files, and what it does not have of the model.
    fn export_osim(&self, py: Python<'_>, path: PathBuf) -> PyResult<(Vec<PathBuf>, Vec<String>)> {
        let exported = raise(sinew_model_files::export_osim(&self.lock(py)?.model, &path))?;
        Ok((exported.files, exported.notes))
    }

    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let edited = self.lock(py)?;
        raise(sinew_model_files::to_json(&edited.model, &edited.told))
    }

    /// Does a command, which can be undone.
    fn apply(&self, py: Python<'_>, command: &Bound<'_, PyAny>) -> PyResult<Changes> {
        let command = command_of(command)?;
        let Edited { model, history, .. } = &mut *self.lock(py)?;
        model.set_code(registered());
        raise(command.apply(model, history)).map(changes_of)
    }

    fn find(&self, py: Python<'_>, path: &str) -> PyResult<(String, &'static str)> {
        found(&self.lock(py)?.model, path)
    }

    fn of_kind(&self, py: Python<'_>, kind: &str) -> PyResult<Vec<String>> {
        of_kind(&self.lock(py)?.model, kind)
    }

    fn children(&self, py: Python<'_>, path: &str) -> PyResult<Vec<String>> {
        children(&self.lock(py)?.model, path)
    }

    fn properties(&self, py: Python<'_>, path: &str) -> PyResult<Vec<PropertyRow>> {
        properties(&self.lock(py)?.model, path)
    }

    fn get<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = {
            let model = &self.lock(py)?.model;
            raise(model.property(path).and_then(|property| model.get_property(&property)))?
        };
        object_of(py, &value)
    }

    /// The mesh of a tissue, or the surface of a body or of what is only drawn.
    fn mesh(&self, py: Python<'_>, path: &str) -> PyResult<Mesh> {
        Mesh::of_component(&self.lock(py)?.model, path)
    }

    /// Adds a tissue; its path.
    fn add_tissue(
        &self,
        py: Python<'_>,
        name: String,
        mesh: &Mesh,
        material: &str,
        density: f64,
        fixed: Vec<u32>,
    ) -> PyResult<String> {
        let law = MaterialSpec::from_name(material).ok_or_else(|| {
            let why = format!("there is no material '{material}': see docs/reference/materials.md");
            EditError::new_err(why)
        })?;
        let mut tissue = FemModel::new(name, mesh.volume()?, density, law);
        if !fixed.is_empty() {
            tissue.dirichlet.push(Dirichlet::fix(fixed));
        }
        self.lock(py)?.add(tissue)
    }

    /// Adds a rigid body of a surface; its path.
    fn add_body(
        &self,
        py: Python<'_>,
        name: String,
        mesh: &Mesh,
        density: f64,
    ) -> PyResult<String> {
        self.lock(py)?.add(RigidBody::from_mesh(name, mesh.surface()?, density))
    }
}

impl Raised for std::io::Error {
    fn raised(self) -> PyErr {
        FileError::new_err(self.to_string())
    }
}
