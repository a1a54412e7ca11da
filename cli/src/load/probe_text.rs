//! Probes as options and commands write them: `PATH:NAME[=FILE]`, `[PATH:NAME,..=]FILE`.

use std::path::{Path, PathBuf};

use sinew::model::Model;
use sinew_run_files::spec::{InputProbeSpec, OutputProbeSpec};
use sinew_run_files::write::has_ending;
use sinew_run_files::{properties_of_columns, read};

use crate::exit::{CliError, Exit, Failure};

/// File for probes without one.
const DEFAULT_FILE: &str = "probes.csv";

/// No column of a file is a property.
#[derive(Debug, thiserror::Error)]
#[error(
    "--input '{}': none of its columns ({columns}) is named by a property that can be set: give --input PATH:NAME={}",
    .path.display(), .path.display()
)]
pub(crate) struct ColumnsError {
    /// The file.
    path: PathBuf,
    /// The names.
    columns: String,
}

impl Failure for ColumnsError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// `[PATH:NAME,..=]FILE`.
///
/// # Errors
/// A file without a column that is named by a property of the model.
pub(crate) fn read_input(text: &str, model: &Model) -> Result<InputProbeSpec, CliError> {
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
        return Err(ColumnsError { path: file.into(), columns }.into());
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
pub(crate) fn read_output(text: &str, every: f64) -> OutputProbeSpec {
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

/// Adds what is recorded to a probe.
pub(crate) fn add(probe: &mut OutputProbeSpec, what: &str, is_point: bool) {
    if what.contains('{') {
        probe.expressions.insert(what.to_owned(), what.to_owned());
    } else if is_point {
        probe.properties.push(format!("{what}:position"));
    } else {
        probe.properties.push(what.to_owned());
    }
}

/// Properties to record, and the file behind the last `=`, if its ending is one of a table.
pub(crate) fn split_file(text: &str) -> (&str, &str) {
    let known = |file: &str| has_ending(Path::new(file.trim()));
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
