//! Files by their endings: documents of OpenSim, of MuJoCo and of FEBio, and model files.

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::imported;
use crate::read::{self, LoadOptions, ModelFile};
use crate::report::Report;
use crate::solver::Solver;
use crate::{feb, mjcf, osim};

/// Endings of files that are no models, what they are, and what opens them.
const NO_MODELS: [(&str, &str, &str); 2] = [
    (".world.toml", "a world of objects", "`sinew world` runs it, `sinew view` shows it"),
    (".drawing.toml", "a drawing of curves", "`sinew view` shows it"),
];

/// True if a path is that of a model file, by its ending: `.toml`, `.json`, `.osim`, `.xml` or `.urdf`; or a `.feb` with materials,
/// without which it is a mesh.
pub fn is_model_file(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "toml" || it == "json") || is_of_another_program(path)
}

/// True if a path is that of a model of OpenSim, of MuJoCo or of FEBio.
pub(crate) fn is_of_another_program(path: &Path) -> bool {
    osim::is_osim(path) || mjcf::is_mjcf(path) || feb::is_feb(path)
}

/// Reads a model file: a document of OpenSim where the path ends in `.osim`, one of MuJoCo
/// where it ends in `.xml`, a URDF where it ends in `.urdf`, one of FEBio where it ends in `.feb`; else JSON if it ends in `.json` or begins with `{`,
/// TOML otherwise.
///
/// # Errors
/// A [`Report`] with everything that is wrong with it.
pub fn load(path: &Path, options: &LoadOptions) -> Result<ModelFile, Box<Report>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if let Some((_, what, help)) = NO_MODELS.iter().find(|(ending, ..)| name.ends_with(ending)) {
        let message = format!("{} is {what}, and no model", path.display());
        let told = Diagnostic::error(None, message).help(*help);
        return Err(Box::new(imported::only(told, Vec::new())));
    }
    let mut file = if osim::is_osim(path) {
        osim::load(path, options).map_err(Box::new)
    } else if mjcf::is_mjcf(path) {
        mjcf::load(path, options).map_err(Box::new)
    } else if feb::is_feb(path) {
        feb::load(path, options).map_err(Box::new)
    } else {
        read::load(path, options)
    }?;
    file.model.set_code(options.code.clone());
    Ok(file)
}

/// Settings of runs in a model file; nothing where it has none or cannot be read, which [`load`] tells.
pub fn load_solver(path: &Path, options: &LoadOptions) -> Solver {
    if osim::is_osim(path) || mjcf::is_mjcf(path) {
        Solver::default()
    } else if feb::is_feb(path) {
        feb::load_solver(path, options)
    } else {
        read::load_solver(path, options)
    }
}

/// The parameters that a model file declares, each with its default as text.
///
/// # Errors
/// A file that cannot be read.
pub fn declared_parameters(path: &Path) -> Result<Vec<(String, String)>, Report> {
    if osim::is_osim(path) {
        osim::declared_parameters(path)
    } else if mjcf::is_mjcf(path) {
        mjcf::declared_parameters(path)
    } else if feb::is_feb(path) {
        feb::declared_parameters(path)
    } else {
        read::declared_parameters(path)
    }
}
