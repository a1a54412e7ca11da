//! `sinew models`: the built-in models, and the parameters of each, of a mesh file and of a model file.

use std::fmt::Write;
use std::path::Path;

use sinew_datasets::{BUILTINS, Builtin, ParamInfo};

use crate::exit::CliError;
use crate::load::{MESH_PARAMS, SourceError, is_model_file, looks_like_a_path};
use crate::options::DEFAULT_MODEL;

/// Last line of each list.
const HOW: &str = "Set them with --param KEY=VALUE,KEY=VALUE,..\n";

/// The listing.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for builtin in BUILTINS {
        add_builtin(&mut text, builtin);
    }
    add(&mut text, "PATH: a volume mesh, under gravity", MESH_PARAMS);
    text += HOW;
    text
}

/// The parameters of a built-in model or of a model file; of a mesh file those of all meshes.
///
/// # Errors
/// A name that is neither, a model file that cannot be read.
pub(crate) fn of_model(name: &str) -> Result<String, CliError> {
    let mut text = String::new();
    if let Some(builtin) = sinew_datasets::find(name) {
        add_builtin(&mut text, builtin);
        return Ok(text + HOW);
    }
    if !looks_like_a_path(name) {
        return Err(SourceError::unknown_model(name).into());
    }
    if !is_model_file(name) {
        add(&mut text, &format!("{name}: a volume mesh, under gravity"), MESH_PARAMS);
        return Ok(text + HOW);
    }
    let declared = sinew_model_files::declared_parameters(Path::new(name));
    let declared = declared.map_err(|report| SourceError::of_report(name, report))?;
    if declared.is_empty() {
        return Ok(format!("{name} declares no parameters: see [parameters] of model files\n"));
    }
    let width = declared.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, default) in declared {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{key:width$}  {default}");
    }
    Ok(text + HOW)
}

fn add_builtin(text: &mut String, builtin: &Builtin) {
    let mark = if builtin.name == DEFAULT_MODEL { " (the default)" } else { "" };
    add(text, &format!("{}{mark}: {}", builtin.name, builtin.summary), builtin.params);
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
