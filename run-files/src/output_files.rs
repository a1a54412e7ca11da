//! Files that probes may record to: each its own, by a plain name, in the directory of the results.

use std::collections::HashMap;
use std::path::{Component, Path};

use crate::spec::OutputProbeSpec;
use crate::write::format_of;
use crate::{ProbeError, RecordingError};

/// Faults of the files of these probes, with the number of the probe; nothing is opened.
pub fn check_files(outputs: &[OutputProbeSpec]) -> Vec<(usize, ProbeError)> {
    let mut first_of = HashMap::new();
    let errors = |(at, spec): (usize, &OutputProbeSpec)| {
        let first = *first_of.entry(folded(spec)).or_insert(at);
        let error = check_file(spec).or_else(|| {
            (first != at).then(|| ProbeError::SameFile {
                probe: spec.name.clone(),
                file: spec.path(),
                first: outputs[first].name.clone(),
            })
        });
        error.map(|error| (at, error))
    };
    outputs.iter().enumerate().filter_map(errors).collect()
}

/// Name of the file of a probe without case, which does not tell files apart: on some systems both names are one file.
pub(crate) fn folded(spec: &OutputProbeSpec) -> String {
    spec.path().to_string_lossy().to_lowercase()
}

/// A name that leads elsewhere, or an ending without a format.
fn check_file(spec: &OutputProbeSpec) -> Option<ProbeError> {
    if spec.file.is_none() && spec.name.is_empty() {
        // That there is neither is told of the probe itself.
        return None;
    }
    let (probe, file) = (spec.name.clone(), spec.path());
    if !is_plain_name(&file) {
        return Some(ProbeError::NoPlainName { probe, file });
    }
    let source: RecordingError = format_of(&file).err()?;
    Some(ProbeError::File { probe, source })
}

/// True if `file` is the name of a file, without a folder before it.
fn is_plain_name(file: &Path) -> bool {
    let mut steps = file.components();
    let first = matches!(steps.next(), Some(Component::Normal(name)) if name == file.as_os_str());
    // Folders and drives of another system.
    first && steps.next().is_none() && !file.to_string_lossy().contains(['\\', ':', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(name: &str, file: &str) -> OutputProbeSpec {
        let file = (!file.is_empty()).then(|| file.into());
        OutputProbeSpec { name: name.to_owned(), file, ..OutputProbeSpec::default() }
    }

    #[test]
    fn a_file_is_named_without_a_folder() {
        for file in
            ["./a.csv", "../a.csv", "/tmp/a.csv", "a/b.csv", "a\\b.csv", "c:a.csv", "..", "a/"]
        {
            let found = check_files(&[output("p", file)]);
            assert!(
                matches!(found[..], [(0, ProbeError::NoPlainName { .. })]),
                "{file}: {found:?}"
            );
        }
        assert!(check_files(&[output("p", "a.csv"), output("b c", "")]).is_empty());
        assert!(matches!(check_files(&[output("a/b", "")])[..], [(0, _)]));
    }

    #[test]
    fn an_ending_without_a_format_is_told_before_anything_is_opened() {
        let found = check_files(&[output("p", "a.csv"), output("q", "a.xls")]);
        let [(1, error)] = &found[..] else { panic!("{found:?}") };
        assert!(error.to_string().contains("a.xls: no format"), "{error}");
    }

    #[test]
    fn two_names_that_differ_in_case_are_one_file() {
        let found = check_files(&[output("p", "a.csv"), output("A", "")]);
        let [(1, error @ ProbeError::SameFile { .. })] = &found[..] else { panic!("{found:?}") };
        assert!(error.to_string().contains("as probe 'p' does"), "{error}");
    }
}
