//! The probes that `--probe`, `--trace`, `--input` and `--probes` name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sinew::io::read_file;
use sinew_model_files::MAX_BYTES;
use sinew_run_files::spec::{OutputProbeSpec, ProbeSet};

use super::args::RunArgs;
use crate::exit::{CliError, Exit, Failure};
use crate::load::probe_text::{add, split_file};
use crate::load::{ModelSource, read_input};
use crate::output::is_file_of_every_run;

/// Errors of the probes of a command line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProbeArgError {
    /// The file of `--probes`.
    #[error("{}: {why}", .path.display())]
    Set {
        /// The file.
        path: PathBuf,
        /// Reason for which it cannot be read.
        why: String,
    },
    /// All that is wrong with the probes.
    #[error("{}", .0.join("\nerror: "))]
    Wrong(Vec<String>),
}

impl Failure for ProbeArgError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// Adds the probes that `args` name to the model. Returns all that it has then, checked against the model and the length of a
/// step [s].
///
/// # Errors
/// Everything that is wrong with them, at once.
pub(crate) fn add_named(
    args: &RunArgs,
    source: &mut ModelSource,
    step: f64,
) -> Result<ProbeSet, CliError> {
    let (model, mut named) = (&source.model, ProbeSet::default());
    if let Some(path) = &args.probes.probes {
        named.extend(read_set(path)?);
    }
    for text in &args.probes.input {
        named.input_probes.push(read_input(text, model)?);
    }
    named.output_probes.extend(outputs(args));
    let mut set = ProbeSet::of(model);
    set.extend(named.clone());
    let mut wrong: Vec<_> =
        set.check(model, Path::new(".")).iter().map(ToString::to_string).collect();
    let of_every_run =
        |probe: &&OutputProbeSpec| probe.path().to_str().is_some_and(is_file_of_every_run);
    wrong.extend(set.check_step(step).iter().map(ToString::to_string));
    wrong.extend(set.outputs().iter().filter(of_every_run).map(|probe| {
        let (name, file) = (&probe.name, probe.path());
        format!("probe '{name}': {} is a file of every run: give it another file", file.display())
    }));
    if !wrong.is_empty() {
        return Err(ProbeArgError::Wrong(wrong).into());
    }
    named.add_to(&mut source.model)?;
    Ok(ProbeSet::of(&source.model))
}

fn read_set(path: &Path) -> Result<ProbeSet, ProbeArgError> {
    let wrong = |why: String| ProbeArgError::Set { path: path.to_owned(), why };
    let text = read_file(path, MAX_BYTES).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))
}

/// A probe for each file that is named.
fn outputs(args: &RunArgs) -> Vec<OutputProbeSpec> {
    let mut files: BTreeMap<&str, OutputProbeSpec> = BTreeMap::new();
    let probes = args.probes.probe.iter().map(|text| (text, false));
    for (text, is_point) in probes.chain(args.probes.trace.iter().map(|text| (text, true))) {
        let (what, file) = split_file(text);
        let probe = files.entry(file).or_insert_with(|| OutputProbeSpec {
            name: file.to_owned(),
            file: Some(file.into()),
            every: args.every,
            ..OutputProbeSpec::default()
        });
        add(probe, what, is_point);
    }
    files.into_values().collect()
}
