//! `sinew models`: the built-in models, and the parameters of each and of a mesh file.

use std::fmt::Write;

use sinew_datasets::{BUILTINS, ParamInfo};

use crate::args::DEFAULT_MODEL;
use crate::run::MESH_PARAMS;

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
