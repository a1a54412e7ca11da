//! `--probe`, `--trace`, `--input` and `--probes`: what they name, as probes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sinew::io::read_file;
use sinew::model::Model;
use sinew_files::MAX_BYTES;
use sinew_recording::properties_of_columns;
use sinew_recording::read;
use sinew_recording::spec::{InputProbeSpec, OutputProbeSpec, ProbeSet};

use super::ModelSource;
use crate::args::RunArgs;
use crate::exit::CliError;
use crate::output::is_file_of_every_run;

/// Where probes without a file record to.
const DEFAULT_FILE: &str = "probes.csv";

/// Why the probes of a command line cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProbeArgError {
    /// The file of `--probes`.
    #[error("{}: {why}", .path.display())]
    Set {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        why: String,
    },
    /// No column of a file is a property.
    #[error(
        "--input '{}': none of its columns ({columns}) is named by a property that can be set: give --input PATH:NAME={}",
        .path.display(), .path.display()
    )]
    Columns {
        /// The file.
        path: PathBuf,
        /// The names.
        columns: String,
    },
    /// All that is wrong with the probes.
    #[error("{}", .0.join("\nerror: "))]
    Wrong(Vec<String>),
}

/// The probes of the model and those that `args` name, checked against the model.
///
/// # Errors
/// Everything that is wrong with them, at once.
pub(crate) fn of(args: &RunArgs, source: &ModelSource) -> Result<ProbeSet, CliError> {
    let (model, mut set) = (&source.model, source.probes.clone());
    if let Some(path) = &args.probes.probes {
        set.extend(read_set(path)?);
    }
    for text in &args.probes.input {
        set.input_probes.push(input(text, model)?);
    }
    set.output_probes.extend(outputs(args));
    let mut wrong: Vec<_> =
        set.check(model, Path::new(".")).iter().map(ToString::to_string).collect();
    let of_every_run =
        |probe: &&OutputProbeSpec| probe.path().to_str().is_some_and(is_file_of_every_run);
    wrong.extend(set.check_step(args.step).iter().map(ToString::to_string));
    wrong.extend(set.outputs().iter().filter(of_every_run).map(|probe| {
        let (name, file) = (&probe.name, probe.path());
        format!("probe '{name}': {} is a file of every run: give it another file", file.display())
    }));
    if wrong.is_empty() { Ok(set) } else { Err(ProbeArgError::Wrong(wrong).into()) }
}

fn read_set(path: &Path) -> Result<ProbeSet, ProbeArgError> {
    let wrong = |why: String| ProbeArgError::Set { path: path.to_owned(), why };
    let text = read_file(path, MAX_BYTES).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))
}

/// `[PATH:NAME,..=]FILE`.
///
/// # Errors
/// A file without a column that is named by a property of the model.
pub(crate) fn input(text: &str, model: &Model) -> Result<InputProbeSpec, CliError> {
    let (paths, file) = match text.rsplit_once('=') {
        Some((paths, file)) if paths.contains(':') => (Some(paths), file),
        _ => (None, text),
    };
    let named =
        InputProbeSpec { name: text.to_owned(), file: Some(file.into()), ..Default::default() };
    if let Some(paths) = paths {
        let properties = parts(paths).into_iter().map(str::to_owned).collect();
        return Ok(InputProbeSpec { properties, ..named });
    }
    let rows = read::open(Path::new(file))?;
    let (found, _) = properties_of_columns(rows.heading(), model);
    if found.properties.is_empty() {
        let columns = rows.heading().columns.join(", ");
        return Err(ProbeArgError::Columns { path: file.into(), columns }.into());
    }
    let InputProbeSpec { properties, columns, .. } = found;
    Ok(InputProbeSpec { properties, columns, ..named })
}

/// Between commas outside quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// One probe, of a property or formula, `PATH:NAME[=FILE]`, every so many seconds.
pub(crate) fn output(text: &str, every: f64) -> OutputProbeSpec {
    let (what, file) = split_file(text);
    let mut probe = OutputProbeSpec {
        name: file.to_owned(),
        file: Some(file.into()),
        every,
        ..OutputProbeSpec::default()
    };
    add(&mut probe, what, false);
    probe
}

fn add(probe: &mut OutputProbeSpec, what: &str, is_point: bool) {
    if what.contains('{') {
        probe.expressions.insert(what.to_owned(), what.to_owned());
    } else if is_point {
        probe.properties.push(format!("{what}:position"));
    } else {
        probe.properties.push(what.to_owned());
    }
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

/// What is recorded, and the file behind the last `=`, if its ending is one of a table.
fn split_file(text: &str) -> (&str, &str) {
    let known = |file: &str| [".csv", ".npy", ".parquet"].iter().any(|end| file.ends_with(end));
    match text.rsplit_once('=') {
        Some((what, file)) if known(file) => (what.trim(), file.trim()),
        _ => (text.trim(), DEFAULT_FILE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_probe_stands_behind_the_last_equals_sign() {
        assert_eq!(split_file("/a:b"), ("/a:b", DEFAULT_FILE));
        assert_eq!(split_file("/a:b=x.npy"), ("/a:b", "x.npy"));
        assert_eq!(split_file("/a=b:c"), ("/a=b:c", DEFAULT_FILE));
        assert_eq!(split_file("{/a:b} == 2 = x.csv"), ("{/a:b} == 2", "x.csv"));
    }

    #[test]
    fn paths_part_at_commas_outside_quotes() {
        assert_eq!(parts("/a:b, /\"c,d\":e"), ["/a:b", "/\"c,d\":e"]);
    }
}
