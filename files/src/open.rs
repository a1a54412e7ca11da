//! Files by their endings: documents of OpenSim, and model files.

use std::path::Path;

use crate::osim;
use crate::read::{self, LoadOptions, ModelFile};
use crate::report::Report;
use crate::solver::Solver;

/// True if a path is that of a model file, by its ending: `.toml`, `.json` or `.osim`.
pub fn is_model_file(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "toml" || it == "json" || it == "osim")
}

/// Reads a model file: a document of OpenSim where the path ends in `.osim`; else JSON if it begins with `{`,
/// TOML otherwise.
///
/// # Errors
/// A [`Report`] with everything that is wrong with it.
pub fn load(path: &Path, options: &LoadOptions) -> Result<ModelFile, Box<Report>> {
    match osim::is_osim(path) {
        true => osim::load(path, options).map_err(Box::new),
        false => read::load(path, options),
    }
}

/// Settings of runs in a model file; nothing where it has none or cannot be read, which [`load`] tells.
pub fn load_solver(path: &Path, options: &LoadOptions) -> Solver {
    match osim::is_osim(path) {
        true => Solver::default(),
        false => read::load_solver(path, options),
    }
}

/// The parameters that a model file declares, each with its default as text.
///
/// # Errors
/// A file that cannot be read.
pub fn declared_parameters(path: &Path) -> Result<Vec<(String, String)>, Report> {
    match osim::is_osim(path) {
        true => Ok(Vec::new()),
        false => read::declared_parameters(path),
    }
}
