//! From a model to files, bit for bit. What is written is what it takes to make the model anew from blank
//! components: a second model is made on the way, and compared in the end.

mod component;
mod declared;
mod group;
mod mesh;
mod probes;
mod toml;
mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json, json};
use sinew::component::{ComponentId, ROOT};
use sinew::model::{Draft, DraftError, EditError, Model};
use sinew::property::PropertyError;
use sinew_run_files::{RecordingError, write_together};

use crate::inverse::Inverse;
use crate::migrate::VERSION;
use crate::osim::write::Document;
use crate::osim::{self, is_osim};
use crate::solver::Solver;
use crate::source::MAX_BYTES;

/// Errors of saving a model.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// It holds code.
    #[error("{0} is code, which no file has: delete it to save")]
    Code(String),
    /// A value that could not be read again.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A tree that could not be read again.
    #[error(transparent)]
    Tree(#[from] EditError),
    /// A reference to nothing.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// An inertia without the surface that it is to be taken from.
    #[error("{0} has an inertia by density or mass, and no surface: give it one, or the inertia")]
    Inertia(String),
    /// A tree that readers refuse.
    #[error("{path} has more than {most} mechanical models and lists above it")]
    TooDeep {
        /// Path of the component.
        path: String,
        /// Depth that is read at most.
        most: usize,
    },
    /// A file that readers refuse.
    #[error(
        "{path} would have {bytes} bytes, and readers take {MAX_BYTES}: keep meshes in files of their own"
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: usize,
    },
    /// A text that would be read as something else.
    #[error("the file would not be the model again: {0} differs")]
    Differs(String),
    /// A file of an input probe, or of motions to follow, that a reader would not find.
    #[error(
        "{file} is to stand in {folder} or below it, where the model is saved: a model file reads no \
         others; copy it there, and name the copy"
    )]
    ProbeFile {
        /// The file.
        file: PathBuf,
        /// Folder in which the model is saved.
        folder: PathBuf,
    },
    /// A document that does not hold all of a model.
    #[error(
        "{0}: an .osim does not hold all of a model: export it, by sinew save or convert, and keep a .toml or .json"
    )]
    NotWhole(PathBuf),
    /// The disk.
    #[error(transparent)]
    Io(#[from] RecordingError),
}

/// Files of a model that were written for another program.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Parts of the model that they do not have, a sentence each.
    pub notes: Vec<String>,
}

/// Content of a file beside the model.
#[derive(Clone, Debug, Default)]
pub struct SaveOptions {
    /// Settings of its runs.
    pub solver: Option<Solver>,
    /// Motions to follow; [`save`] takes a file of them as from the working directory.
    pub inverse: Inverse,
}

/// Writes a model: as JSON where the path ends in `.json`, all in one file; otherwise as TOML, with its
/// meshes, if it has some, in a file `NAME.meshes.json` beside. Both are written aside and renamed. Returns
/// the files.
///
/// # Errors
/// [`SaveError`]; what stood under the names is then as it was.
pub fn save(model: &Model, path: &Path, options: &SaveOptions) -> Result<Vec<PathBuf>, SaveError> {
    if is_osim(path) {
        return Err(SaveError::NotWhole(path.to_owned()));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let inverse = probes::relative_targets(&options.inverse, folder)?;
    let options = &SaveOptions { inverse, ..options.clone() };
    if path.extension().is_some_and(|ending| ending == "json") {
        put(&[(path, &json_in(model, options, Some(folder))?)])?;
        return Ok(vec![path.to_owned()]);
    }
    let beside = path.with_extension("meshes.json");
    let name = beside.file_name().map(|name| name.to_string_lossy().into_owned());
    let (text, meshes) = toml_in(model, options, (&name.unwrap_or_default(), Some(folder)))?;
    let mut files = vec![(path, text.as_str())];
    files.extend(meshes.as_deref().map(|meshes| (beside.as_path(), meshes)));
    put(&files)?;
    Ok(files.into_iter().map(|(path, _)| path.to_owned()).collect())
}

/// Writes a model as a document of OpenSim 4, with its surfaces as `NAME_BODY.obj` beside it. All files are written aside
/// and renamed.
///
/// # Errors
/// [`SaveError::TooLarge`], [`SaveError::Io`]; what stood under the names is then as it was.
pub fn export_osim(model: &Model, path: &Path) -> Result<Exported, SaveError> {
    let stem =
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let Document { text, surfaces, notes } = osim::write::document(model, &stem);
    let beside = |name: &str| path.with_file_name(name);
    let surfaces: Vec<_> = surfaces.iter().map(|(name, text)| (beside(name), text)).collect();
    let mut files = vec![(path, text.as_str())];
    files.extend(surfaces.iter().map(|(path, text)| (path.as_path(), text.as_str())));
    put(&files)?;
    Ok(Exported { files: files.into_iter().map(|it| it.0.to_owned()).collect(), notes })
}

/// A model as one JSON text.
///
/// # Errors
/// [`SaveError`].
pub fn to_json(model: &Model, options: &SaveOptions) -> Result<String, SaveError> {
    json_in(model, options, None)
}

/// The same of a file in a folder, to which files that it names are relative.
fn json_in(
    model: &Model,
    options: &SaveOptions,
    folder: Option<&Path>,
) -> Result<String, SaveError> {
    let (document, _) = Writer::new(model, None, folder).document(options)?;
    Ok(pretty(&document))
}

/// A model as TOML, and its meshes, if it has some, as a collection that the TOML calls `meshes`.
///
/// # Errors
/// [`SaveError`].
pub fn to_toml(
    model: &Model,
    options: &SaveOptions,
    meshes: &str,
) -> Result<(String, Option<String>), SaveError> {
    toml_in(model, options, (meshes, None))
}

/// The same of a file in a folder, to which files that it names are relative.
fn toml_in(
    model: &Model,
    options: &SaveOptions,
    (meshes, folder): (&str, Option<&Path>),
) -> Result<(String, Option<String>), SaveError> {
    let (document, collection) = Writer::new(model, Some(meshes), folder).document(options)?;
    let collection = (!collection.is_empty()).then(|| pretty(&json!({ "meshes": collection })));
    Ok((toml::text(&document), collection))
}

fn pretty(document: &Json) -> String {
    // Keys are text, so nothing can fail.
    serde_json::to_string(document).unwrap_or_default() + "\n"
}

/// Writes files aside and renames them, all or none.
fn put(files: &[(&Path, &str)]) -> Result<(), SaveError> {
    if let Some((path, text)) = files.iter().find(|(_, text)| text.len() as u64 > MAX_BYTES) {
        return Err(SaveError::TooLarge { path: path.to_path_buf(), bytes: text.len() });
    }
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    Ok(write_together(&files)?)
}

/// A model being written.
struct Writer<'m> {
    model: &'m Model,
    /// Draft of the model that a reader would have by now.
    draft: Draft,
    /// The components there.
    twins: BTreeMap<ComponentId, ComponentId>,
    /// Numbers that a reader would not give by itself.
    numbers: BTreeMap<ComponentId, u32>,
    /// Name of the collection that meshes go to; `None`: they stand where they belong.
    beside: Option<String>,
    /// Folder of the file, to which files of probes are relative.
    folder: Option<PathBuf>,
    meshes: Map<String, Json>,
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model, beside: Option<&str>, folder: Option<&Path>) -> Self {
        let mut draft = Draft::new(model.name());
        draft.set_code(model.code().clone());
        let twins = BTreeMap::from([(ROOT, ROOT)]);
        let (numbers, meshes) = (BTreeMap::new(), Map::new());
        let (beside, folder) = (beside.map(str::to_owned), folder.map(Path::to_owned));
        Self { model, draft, twins, numbers, beside, folder, meshes }
    }

    fn document(mut self, options: &SaveOptions) -> Result<(Json, Map<String, Json>), SaveError> {
        self.twins_below(ROOT, 0)?;
        let mut top = Map::new();
        top.insert("version".into(), VERSION.into());
        top.insert("name".into(), self.model.name().into());
        let solver = options.solver.filter(|solver| *solver != Solver::default());
        if let Some(Ok(solver)) = solver.map(serde_json::to_value) {
            top.insert("solver".into(), solver);
        }
        let inverse = Some(&options.inverse).filter(|it| **it != Inverse::default());
        if let Some(Ok(inverse)) = inverse.map(serde_json::to_value) {
            top.insert("inverse".into(), inverse);
        }
        self.tree(&mut top)?;
        let made = self.draft.finish()?;
        differs(self.model, &made).map_or(Ok(()), |path| Err(SaveError::Differs(path)))?;
        Ok((Json::Object(top), self.meshes))
    }
}

/// The first component of a model that another one does not have to the bit.
fn differs(model: &Model, other: &Model) -> Option<String> {
    let ids = |model: &Model| {
        let mut all: Vec<ComponentId> = vec![ROOT];
        let mut next = 0;
        while let Some(&id) = all.get(next) {
            all.extend(model.children(id));
            next += 1;
        }
        all
    };
    let (ours, theirs) = (ids(model), ids(other));
    if ours.len() != theirs.len() {
        return Some("the number of components".to_owned());
    }
    let differ = |&(&a, &b): &(&ComponentId, &ComponentId)| {
        let place = |model: &Model, id: ComponentId| (model.path(id), model.number(id), id.kind());
        place(model, a) != place(other, b) || !value::same_properties((model, a), (other, b))
    };
    let found = ours.iter().zip(&theirs).find(differ);
    found.map(|(&id, _)| model.path(id))
}
