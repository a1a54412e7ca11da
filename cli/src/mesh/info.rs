//! `sinew info`: reads a mesh file and tells all that is found about it.

use std::fmt::Write;

use serde_json::Value;
use sinew::geometry::{SurfaceReport, boundary, volume_report};
use sinew::io::{AnyMesh, ReadOptions, SurfaceFile, read_mesh};

use super::args::InfoArgs;
use super::{describe, warnings};
use crate::console;
use crate::exit::{CliError, Exit, Failure};
use crate::load::{SourceError, is_febio, is_model_file};

/// Errors of a file that is looked at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InfoError {
    /// A model.
    #[error(
        "{0} is a model, not a mesh: `sinew check {0}` tells of it, `sinew inspect {0}` shows it"
    )]
    Model(String),
}

impl Failure for InfoError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// Shows what the file of `args` holds.
///
/// # Errors
/// A file that cannot be read as a mesh.
pub(crate) fn run(args: &InfoArgs) -> Result<Exit, CliError> {
    let name = args.file.display().to_string();
    if is_model_file(&name) && !is_febio(&args.file) {
        return Err(InfoError::Model(name).into());
    }
    let options = ReadOptions { unit: args.unit };
    let mesh = read_mesh(&args.file, &options).map_err(SourceError::Read)?;
    let mut object = match &mesh {
        AnyMesh::Volume(file) => {
            let report = volume_report(&file.mesh);
            let mut all = warnings::of_reading(&file.notes);
            all.extend(warnings::of_boundary(&report.surface));
            all.extend(warnings::of_size(report.bounding_box));
            describe::volume(&args.file, args.unit, file, &report, &all)
        }
        AnyMesh::Surface(file) => {
            let report = surface_report(file)?;
            let mut all = file.notes.clone();
            all.extend(report.warnings());
            all.extend(warnings::of_size(file.surface.bounding_box()));
            describe::surface(&args.file, args.unit, file, &report, &all)
        }
    };
    if let (Some(angle), Value::Object(keys)) = (args.patches, &mut object) {
        let surface = match &mesh {
            AnyMesh::Volume(file) => boundary(&file.mesh).mesh,
            AnyMesh::Surface(file) => file.surface.mesh().unwrap_or_default(),
        };
        let warnings = keys.remove("warnings");
        keys.insert("patches".into(), describe::patches(&surface, angle));
        keys.insert("warnings".into(), warnings.unwrap_or_default());
    }
    let text = if args.json { format!("{object:#}\n") } else { text(&object) };
    console::print(&text)?;
    Ok(Exit::Done)
}

/// The report of the triangles of a file, with points that lines use counted as used.
fn surface_report(file: &SurfaceFile) -> Result<SurfaceReport, CliError> {
    // Files that were read have indices in range.
    let mesh = file.surface.mesh().unwrap_or_default();
    Ok(SurfaceReport { unused_vertices: describe::unused(file), ..mesh.report() })
}

/// The keys with their values, one a line, the warnings last.
fn text(object: &Value) -> String {
    let mut text = String::new();
    let Value::Object(keys) = object else { return text };
    for (key, value) in keys.iter().filter(|(key, value)| *key != "warnings" && is_told(value)) {
        // Writing to a string cannot fail.
        let _ = match value {
            Value::Object(parts) => {
                parts.iter().filter(|(_, part)| is_told(part)).try_for_each(|(part, value)| {
                    writeln!(text, "{:<26} {}", format!("{key}.{part}"), plain(value))
                })
            }
            value => writeln!(text, "{key:<26} {}", plain(value)),
        };
    }
    for warning in keys["warnings"].as_array().into_iter().flatten() {
        let _ = writeln!(text, "warning: {}", plain(warning));
    }
    text
}

/// True if there is something to tell.
fn is_told(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(values) => !values.is_empty(),
        Value::Object(values) => !values.is_empty(),
        _ => true,
    }
}

/// A value in one line, without quotes.
fn plain(value: &Value) -> String {
    /// Longer lists are cut: `--json` has them whole.
    const SHOWN: usize = 12;
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) if values.len() > SHOWN => {
            let shown: Vec<String> = values[..SHOWN].iter().map(plain).collect();
            format!("{} and {} more", shown.join(" "), values.len() - SHOWN)
        }
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Object(parts) => {
            let part = |(key, value): (&String, &Value)| format!("{key} {}", plain(value));
            parts.iter().map(part).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
