//! All that dialogs are told: built-in models, parameters of meshes, files of the user, readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::interactive::WorldFiles;
use sinew::snapshot::Snapshot;

use super::request::Request;
use crate::app::curves::{ReadDrawing, WriteDrawing};

/// Built-in models, parameters of meshes, what reads a mesh for its preview, where recent files are listed.
#[derive(Clone, Default)]
pub struct Library {
    /// Name and summary of each built-in model.
    pub builtins: Vec<(String, String)>,
    /// Parameters that a mesh is imported with.
    pub parameters: Vec<Parameter>,
    /// Reads a mesh with parameters `KEY=VALUE`.
    pub preview: Option<ReadPreview>,
    /// The file that lists what was opened last; `None` to forget it with the window.
    pub recent: Option<PathBuf>,
    /// The file that keeps theme, panes and display options; `None` to forget them with the window.
    pub preferences: Option<PathBuf>,
    /// Reads and writes drawings of curves.
    pub drawings: Option<(ReadDrawing, WriteDrawing)>,
    /// Reads and writes worlds.
    pub worlds: Option<WorldFiles>,
}

/// Endings of names of model files; any other file is imported as a mesh.
const MODEL_ENDINGS: [&str; 6] = ["toml", "json", "osim", "xml", "urdf", "feb"];

impl Library {
    pub(super) fn request_for(&self, path: PathBuf) -> Request {
        // What has no ending is the name of a built-in model.
        let ending = path.extension().and_then(|it| it.to_str());
        let is_model = ending.is_none_or(|it| MODEL_ENDINGS.contains(&it));
        if is_model { Request::Open { path, params: Vec::new() } } else { Request::Import(path) }
    }
}

/// Reads a file for its preview; it is called in a thread of its own.
pub type ReadPreview = Arc<dyn Fn(&Path, &[String]) -> Result<Preview, String> + Send + Sync>;

/// A parameter of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameter {
    /// Its key.
    pub key: String,
    /// Its value where none is given, in words.
    pub default: String,
    /// Its unit; `-` for none.
    pub unit: String,
    /// Description.
    pub doc: String,
    /// The values that it can have; empty where it is typed.
    pub choices: Vec<String>,
}

/// Content of a file, before it is opened.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// Its picture.
    pub snapshot: Snapshot,
    /// Counts, sizes and warnings, a line each.
    pub facts: Vec<String>,
}
