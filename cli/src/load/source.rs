//! Source of a model: the name of a built-in, or the path of a model file or a volume mesh.

use std::path::{Path, PathBuf};

use sinew::Vec3;
use sinew::component::{did_you_mean, similar};
use sinew::io::{LARGEST_BODY, LARGEST_PART, ReadError, ReadOptions, read_volume};
use sinew::model::{Dirichlet, FemModel, Model};
use sinew::system::{CompileError, CompiledModel};
use sinew_datasets::{BUILTINS, ParamError, Params};
use sinew_model_files::{Inverse, LoadOptions, Report, SaveOptions, Severity, Solver, Stamp};

use super::clamp::{Clamp, ClampError};
use super::mesh_params::{MESH_PARAMS, MeshParams};
use super::set;
use super::watch::Watch;
use crate::exit::{CliError, Exit, Failure};
use crate::numbers::counted;
use crate::options::EditArgs;

/// Errors of loading a model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    /// Neither a built-in nor the path of a file.
    #[error(
        "unknown model '{name}'{}; built in: {known}; or give the path of a mesh",
        did_you_mean(near)
    )]
    UnknownModel {
        /// The name as given.
        name: String,
        /// Built-in models that are spelled like it.
        near: Vec<String>,
        /// All of them.
        known: String,
    },
    /// A parameter.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The parameter `clamp`.
    #[error(transparent)]
    Clamp(#[from] ClampError),
    /// The file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A mesh that is far too large in metres, without a word on its unit.
    #[error(
        "{path} is {extent:.4} m long if its unit is the metre: say its unit, with --param unit=mm for {:.4} m, or unit=m if that is right",
        .extent * 1e-3
    )]
    Unit {
        /// The file.
        path: String,
        /// Its largest extent [m].
        extent: f64,
    },
    /// A model file with errors.
    #[error("{path} is refused, with {}:\n{}", counted(.report.error_count(), "error"), .report.render(false))]
    ModelFile {
        /// The file.
        path: String,
        /// Report on the file.
        report: Box<Report>,
    },
    /// A parameter of a model file without a value.
    #[error("parameter '{0}': expected KEY=VALUE")]
    NoValue(String),
    /// The condition of `clamp` holds for no node, or for all of them.
    #[error(
        "clamp={clamp} fixes {fixed} of the {nodes} nodes; in the unit of the file the mesh extends from {low:?} to {high:?}"
    )]
    ClampExtent {
        /// The condition as given.
        clamp: String,
        /// "none" or "all".
        fixed: &'static str,
        /// Number of nodes.
        nodes: usize,
        /// Smallest coordinates.
        low: [f64; 3],
        /// Largest coordinates.
        high: [f64; 3],
    },
}

impl Failure for SourceError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

impl SourceError {
    /// A model file that was refused.
    pub(crate) fn of_report(path: &str, report: Report) -> Self {
        Self::ModelFile { path: path.to_owned(), report: Box::new(report) }
    }

    /// A name that is neither a built-in model nor a path.
    pub(crate) fn unknown_model(name: &str) -> Self {
        let names = BUILTINS.iter().map(|builtin| builtin.name);
        let (near, known) = (similar(name, names.clone()), names.collect::<Vec<_>>().join(", "));
        Self::UnknownModel { name: name.to_owned(), near, known }
    }
}

/// A model with what is known about its origin.
#[derive(Debug)]
pub(crate) struct ModelSource {
    /// The model.
    pub(crate) model: Model,
    /// Name of the results: that of the built-in, or of the file without its ending.
    pub(crate) name: String,
    /// "built-in", or the path and the format of the file.
    pub(crate) origin: String,
    /// Notes for the user to read before trusting the results.
    pub(crate) notes: Vec<String>,
    /// Distances that are reported unasked.
    pub(crate) watches: Vec<Watch>,
    /// Settings of the run in the model file.
    pub(crate) solver: Solver,
    /// Motions of a model file that `sinew inverse` follows.
    pub(crate) inverse: Inverse,
    /// Stamp of the files that it was read from.
    pub(crate) stamp: Stamp,
    /// The model file that it is of, and how it was read.
    file: Option<(PathBuf, LoadOptions)>,
}

impl ModelSource {
    /// A model that watches nothing, and is run as the command line says.
    pub(crate) fn plain(model: Model, name: String, origin: String, notes: Vec<String>) -> Self {
        let (watches, solver, inverse) = (Vec::new(), Solver::default(), Inverse::default());
        let stamp = Stamp::default();
        Self { model, name, origin, notes, watches, solver, inverse, stamp, file: None }
    }

    /// The model, compiled.
    ///
    /// # Errors
    /// A model that cannot be simulated: of a model file with the lines that are to blame.
    pub(crate) fn compile(&self) -> Result<CompiledModel, CliError> {
        self.model.compile().map_err(|error| self.blamed(error))
    }

    fn blamed(&self, error: CompileError) -> CliError {
        let Some((path, options)) = &self.file else { return error.into() };
        let report = sinew_model_files::check(path, options);
        match report.error_count() {
            // What the command line has changed is to blame.
            0 => error.into(),
            _ => SourceError::of_report(&path.display().to_string(), report).into(),
        }
    }

    /// Contents of its model file beside the model.
    pub(crate) fn told(&self) -> SaveOptions {
        SaveOptions { solver: Some(self.solver), inverse: self.inverse.clone() }
    }

    /// Loads the model `name`, changed by `edits`.
    ///
    /// # Errors
    /// As [`load`]; a property that is not there, or does not take the value.
    pub(crate) fn load(name: &str, edits: &EditArgs) -> Result<Self, CliError> {
        let EditArgs { params, sets, root } = edits;
        let mut source = match is_whole_model(name, params) {
            true => from_model_file(Path::new(name), &load_options(params, root.as_deref())?)?,
            false => load(name, params)?,
        };
        set::apply(&mut source.model, sets)?;
        Ok(source)
    }
}

/// Loads the model `name` with parameters `key=value`.
///
/// # Errors
/// An unknown name, a file that cannot be read as a mesh, a parameter out of its range.
fn load(name: &str, params: &[String]) -> Result<ModelSource, SourceError> {
    let mut params = Params::parse(params)?;
    if let Some(builtin) = sinew_datasets::find(name) {
        let model = (builtin.build)(&mut params)?;
        let (name, origin) = (name.to_owned(), "built-in".to_owned());
        let watches = Watch::of_builtin(&name);
        let notes = Vec::new();
        return Ok(ModelSource { watches, ..ModelSource::plain(model, name, origin, notes) });
    }
    if !looks_like_a_path(name) {
        return Err(SourceError::unknown_model(name));
    }
    from_mesh(Path::new(name), &MeshParams::read(params)?)
}

/// True if `name` means a file: it has a separator or an ending, or there is such a file.
pub(crate) fn looks_like_a_path(name: &str) -> bool {
    name.contains(['/', '\\', '.']) || Path::new(name).exists()
}

/// The mesh at `path` under gravity, fixed where `params` say.
fn from_mesh(path: &Path, params: &MeshParams) -> Result<ModelSource, SourceError> {
    let stamp = Stamp::of(&[path.to_owned()]);
    let mut file = read_volume(path, &ReadOptions { unit: params.unit.unwrap_or_default() })?;
    if is_febio(path) {
        file.notes.push("the mesh alone is taken, with the material of --param; without parameters of meshes the whole document is read".into());
    }
    let extent = file.mesh.bounding_box().map_or(0.0, |[low, high]| (high - low).amax());
    if params.unit.is_none() && extent > LARGEST_BODY {
        return Err(SourceError::Unit { path: path.display().to_string(), extent });
    }
    if params.unit.is_none() && extent > LARGEST_PART {
        file.notes.push(format!(
            "it is {extent:.4} m long if its unit is the metre: --param unit=mm makes it {:.4} m, unit=m ends this note",
            extent * 1e-3
        ));
    }
    let name = results_name(path);
    let origin = format!("{} ({})", path.display(), file.format);

    let mut fem = FemModel::new(name.clone(), file.mesh, params.density, params.material);
    fem.mass_damping = params.mass_damping;
    fem.stiffness_damping = params.stiffness_damping;
    fix(&mut fem, params)?;

    let mut model = Model::new(name.clone());
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    model.add(fem);
    Ok(ModelSource { stamp, ..ModelSource::plain(model, name, origin, file.notes) })
}

/// True if a path is that of a document of FEBio: a model, or a mesh alone.
pub(crate) fn is_febio(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("feb"))
}

/// True if `name` is the path of a model file that is read as such: of a document of FEBio the mesh alone is taken where a
/// parameter is one of meshes.
pub(crate) fn is_whole_model(name: &str, params: &[String]) -> bool {
    let key = |param: &String| param.split('=').next().unwrap_or_default().trim().to_owned();
    let of_meshes = |param: &String| MESH_PARAMS.iter().any(|info| info.key == key(param));
    is_model_file(name) && !(is_febio(Path::new(name)) && params.iter().any(of_meshes))
}

/// True if `name` is the path of a model file.
pub(crate) fn is_model_file(name: &str) -> bool {
    sinew_model_files::is_model_file(Path::new(name))
}

/// Options for reading a model file: parameters `key=value`, and the folder that it may not leave.
///
/// # Errors
/// A parameter without a value.
pub(crate) fn load_options(
    params: &[String],
    root: Option<&Path>,
) -> Result<LoadOptions, SourceError> {
    let pair = |param: &String| {
        let pair = param.split_once('=').ok_or_else(|| SourceError::NoValue(param.clone()));
        pair.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
    };
    let parameters = params.iter().map(pair).collect::<Result<_, _>>()?;
    Ok(LoadOptions { root: root.map(Path::to_owned), parameters, ..LoadOptions::default() })
}

/// The model in a model file, with its warnings and notes.
fn from_model_file(path: &Path, options: &LoadOptions) -> Result<ModelSource, SourceError> {
    let refused = |report| SourceError::ModelFile { path: path.display().to_string(), report };
    let file = sinew_model_files::load(path, options).map_err(refused)?;
    let told = file.report.diagnostics().iter().filter(|d| d.severity != Severity::Error);
    let notes = told.map(|d| file.report.line(d).trim_end().to_owned()).collect();
    let origin = format!("{} (model file)", path.display());
    let plain = ModelSource::plain(file.model, results_name(path), origin, notes);
    let (solver, inverse) = (file.solver, file.inverse);
    let stamp = Stamp::of(&file.files);
    let file = Some((path.to_owned(), options.clone()));
    Ok(ModelSource { solver, inverse, stamp, file, ..plain })
}

/// The name of the file without its ending. A TetGen mesh may be named without ending, as in
/// `tongue.1`: that name is taken whole.
fn results_name(path: &Path) -> String {
    let name = if path.is_file() { path.file_stem() } else { path.file_name() };
    name.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Holds the nodes that the clamp of `params` names.
fn fix(fem: &mut FemModel, params: &MeshParams) -> Result<(), SourceError> {
    let unit = params.unit.unwrap_or_default().factor();
    let fixed = params.clamp.nodes(&fem.mesh, unit)?;
    let nodes = fem.mesh.nodes.len();
    let refused = match fixed.len() {
        // An empty mesh is refused for that, and `clamp=none` means what it says.
        0 if nodes > 0 && params.clamp != Clamp::None => Some("none"),
        count if nodes > 0 && count == nodes => Some("all"),
        _ => None,
    };
    if let (Some(fixed), Some([low, high])) = (refused, fem.mesh.bounding_box()) {
        let clamp = params.clamp.to_string();
        let [low, high] = [low, high].map(|corner| (corner / unit).into());
        return Err(SourceError::ClampExtent { clamp, fixed, nodes, low, high });
    }
    if !fixed.is_empty() {
        fem.dirichlet.push(Dirichlet::fix(fixed));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_lists_what_there_is() {
        let message = load("tonge", &[]).unwrap_err().to_string();
        assert!(
            message.contains("'tonge'") && message.contains("did you mean 'tongue'"),
            "{message}"
        );
        assert!(message.contains("beam"), "{message}");
    }

    #[test]
    fn a_mesh_larger_than_a_person_is_noted_until_its_unit_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("liver.vtk");
        let text = "# vtk DataFile Version 3.0\nl\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n\
                    0 0 0  6.5 0 0  0 6.5 0  0 0 6.5\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
        std::fs::write(&path, text).unwrap();
        let notes = |params: &[String]| -> Vec<String> {
            let notes = load(path.to_str().unwrap(), params).unwrap().notes;
            notes.into_iter().filter(|it| it.contains("unit=mm")).collect()
        };
        let told = notes(&[]);
        assert!(told.len() == 1 && told[0].contains("it is 6.5000 m long"), "{told:?}");
        assert!(notes(&["unit=m".to_owned()]).is_empty());
    }

    #[test]
    fn a_name_with_a_separator_or_an_ending_is_a_path() {
        assert!(looks_like_a_path("liver.vtu") && looks_like_a_path("./beam"));
        assert!(!looks_like_a_path("liver"));
    }
}
