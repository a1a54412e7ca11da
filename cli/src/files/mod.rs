//! `sinew check` and `sinew save`: model files and documents of OpenSim without a run.

mod args;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use serde_json::json;
use sinew::model::Model;
use sinew_model_files::{Diagnostic, Report, SaveOptions, Severity, is_osim};

use crate::console;
use crate::exit::{CliError, Exit, Failure};
use crate::load::{ModelSource, load_options};
use crate::numbers::counted;

pub(crate) use args::{CheckArgs, SaveArgs};

/// Errors of files by their endings.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EndingError {
    /// A file to look at that is no model.
    #[error(
        "{0} is no model file by its name (.toml, .json, .osim, .xml, .feb): `sinew info` tells of meshes"
    )]
    NoModel(String),
    /// A file to write that would be no model file.
    #[error("{0}: a model is written as .toml, .json or .osim: name it so")]
    Written(String),
}

impl Failure for EndingError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoModel(_) => Exit::Input,
            Self::Written(_) => Exit::Usage,
        }
    }
}

/// Reads and compiles a model file, and prints everything that is wrong with it.
///
/// # Errors
/// Parameters that are none; a file that is no model by its name.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit, CliError> {
    let options = load_options(&args.params, args.root.as_deref())?;
    if args.file.is_file() && !sinew_model_files::is_model_file(&args.file) {
        return Err(EndingError::NoModel(args.file.display().to_string()).into());
    }
    let report = sinew_model_files::check(&args.file, &options);
    if args.json {
        let list: Vec<_> = report.diagnostics().iter().map(|d| as_json(&report, d)).collect();
        let (file, errors) = (args.file.display().to_string(), report.error_count());
        console::print(&format!("{}\n", json!({ "file": file, "errors": errors, "list": list })))?;
    } else {
        console::print_styled(&report.render(std::io::stdout().is_terminal()))?;
        console::print(&format!("{}: {}\n", args.file.display(), verdict(&report)))?;
    }
    Ok(if report.error_count() == 0 { Exit::Done } else { Exit::Input })
}

fn verdict(report: &Report) -> String {
    let warnings = report.diagnostics().iter().filter(|d| d.severity == Severity::Warning).count();
    match (report.error_count(), warnings) {
        (0, 0) => "no error".to_owned(),
        (0, warnings) => format!("no error, {}", counted(warnings, "warning")),
        (errors, _) => counted(errors, "error"),
    }
}

fn as_json(report: &Report, diagnostic: &Diagnostic) -> serde_json::Value {
    let place = report.place(diagnostic);
    json!({
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        "message": diagnostic.message,
        "help": diagnostic.help,
        "file": place.map(|(path, ..)| path.display().to_string()),
        "line": place.map(|(_, line, _)| line),
        "column": place.map(|(.., column)| column),
    })
}

/// Writes a model as a model file, or as a document of OpenSim.
///
/// # Errors
/// A model that cannot be loaded, or not be written.
pub(crate) fn save(args: &SaveArgs) -> Result<Exit, CliError> {
    let source = ModelSource::load(&args.model, &args.edits)?;
    for file in write(&source.model, &args.file, &source.told())? {
        console::print(&format!("{}\n", file.display()))?;
    }
    Ok(Exit::Done)
}

/// Writes a model as its ending says, and tells what the format does not hold of it; the files.
///
/// # Errors
/// A model that the format does not hold, a file that cannot be written.
pub(crate) fn write(
    model: &Model,
    path: &Path,
    options: &SaveOptions,
) -> Result<Vec<PathBuf>, CliError> {
    let ending = path.extension().unwrap_or_default();
    if !is_osim(path) && ending != "toml" && ending != "json" {
        return Err(EndingError::Written(path.display().to_string()).into());
    }
    if !is_osim(path) {
        return Ok(sinew_model_files::save(model, path, options)?);
    }
    let exported = sinew_model_files::export_osim(model, path)?;
    exported.notes.iter().for_each(|note| console::complain(&format!("note: {note}")));
    Ok(exported.files)
}

/// True for a file that models are written to.
pub(crate) fn is_written(path: &Path) -> bool {
    is_osim(path) || path.extension().is_some_and(|it| it == "toml" || it == "json")
}
