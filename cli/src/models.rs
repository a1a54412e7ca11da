//! `sinew models`: the built-in models, and the parameters of each, of a mesh file and of a model file.

use std::fmt::Write;
use std::path::Path;

use sinew_datasets::{BUILTINS, ParamInfo};

use crate::exit::CliError;
use crate::load::{MESH_PARAMS, SourceError, is_model_file};
use crate::options::DEFAULT_MODEL;

/// The listing.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for builtin in BUILTINS {
        let mark = if builtin.name == DEFAULT_MODEL { " (the default)" } else { "" };
        add(&mut text, &format!("{}{mark}: {}", builtin.name, builtin.summary), builtin.params);
    }
    add(&mut text, "PATH: a volume mesh, under gravity", MESH_PARAMS);
    text += "Set them with --param KEY=VALUE,KEY=VALUE,..\n";
    text
}

/// The parameters of a model file; of a mesh file those of all meshes.
///
/// # Errors
/// A model file that cannot be read.
pub(crate) fn of_file(path: &Path) -> Result<String, CliError> {
    let (name, mut text) = (path.display().to_string(), String::new());
    if !is_model_file(&name) {
        add(&mut text, &format!("{name}: a volume mesh, under gravity"), MESH_PARAMS);
        return Ok(text);
    }
    let declared = sinew_model_files::declared_parameters(path);
    let declared = declared.map_err(|report| SourceError::of_report(&name, report))?;
    if declared.is_empty() {
        return Ok(format!("{name} declares no parameters: see [parameters] of model files\n"));
    }
    let width = declared.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, default) in declared {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{key:width$}  {default}");
    }
    text += "Set them with --param KEY=VALUE,KEY=VALUE,..\n";
    Ok(text)
}

/// Appends a heading and a table of parameters.
fn add(text: &mut String, heading: &str, params: &[ParamInfo]) {
    let key_width = params.iter().map(|p| p.key.len()).max().unwrap_or(0);
    let default_width = params.iter().map(|p| p.default.chars().count()).max().unwrap_or(0);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{heading}");
    for ParamInfo { key, default, unit, doc } in params {
        let unit = if *unit == "-" { String::new() } else { format!(" [{unit}]") };
        let _ = writeln!(text, "  {key:key_width$}  {default:default_width$}  {doc}{unit}");
    }
    text.push('\n');
}
