//! Model files: round trips, errors with their places, bad bytes, the schema, examples.

mod bad_bytes;
mod code;
mod contradictions;
mod declared;
mod document_messages;
mod drafts;
mod drawings;
mod editors;
mod errors;
mod everything;
mod examples;
mod febio;
mod febio_contact;
mod febio_laws;
mod febio_prestrain;
mod febio_sticky;
mod fuzz;
mod includes;
mod inverse;
mod messages;
mod mjcf;
mod mjcf_models;
mod mjcf_reference;
mod osim;
mod osim_classes;
mod osim_dynamics;
mod osim_forces;
mod osim_reference;
mod osim_tracking;
mod osim_write;
mod probes;
mod round_trip;
mod selections;
mod shorthands;
mod solids;
mod units;
mod urdf;
mod validator;
mod words;
mod world_images;
mod worlds;
mod wrapping;

use std::path::{Path, PathBuf};

use sinew_model_files::{LoadOptions, ModelFile, Report, Severity, load};

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path: PathBuf = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// Model file read from a text.
pub(crate) fn read(text: &str) -> Result<ModelFile, Box<Report>> {
    let folder = folder(&[("model.toml", text)]);
    load(&folder.path().join("model.toml"), &LoadOptions::default())
}

/// The errors of a text: `line:column message / help`.
pub(crate) fn errors_of(text: &str) -> Vec<String> {
    match read(text) {
        Ok(_) => Vec::new(),
        Err(report) => errors(&report),
    }
}

pub(crate) fn errors(report: &Report) -> Vec<String> {
    let list = report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
    list.map(|d| {
        let place =
            report.place(d).map_or(String::new(), |(_, line, column)| format!("{line}:{column} "));
        let help = d.help.as_ref().map_or(String::new(), |help| format!(" / {help}"));
        format!("{place}{}{help}", d.message)
    })
    .collect()
}

/// The model in a file, or a panic that tells why there is none.
pub(crate) fn loaded(path: &Path) -> ModelFile {
    load(path, &LoadOptions::default()).unwrap_or_else(|report| panic!("{}", report.render(false)))
}
