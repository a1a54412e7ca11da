//! Probes in a document: values that differ from defaults, and files as they are named from the
//! folder of the document.

use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value as Json};
use sinew_run_files::spec::ProbeSet;

use super::SaveError;
use crate::inverse::Inverse;

/// The lists of probes that are not empty.
pub(super) fn tables(probes: &ProbeSet) -> Map<String, Json> {
    let lists = [
        ("input_probes", list(&probes.input_probes)),
        ("output_probes", list(&probes.output_probes)),
        ("tracing_probes", list(&probes.tracing_probes)),
    ];
    let filled = lists.into_iter().filter(|(_, list)| !list.is_empty());
    filled.map(|(key, list)| (key.to_owned(), Json::Array(list))).collect()
}

fn list<T: Serialize + Default>(probes: &[T]) -> Vec<Json> {
    let usual = serde_json::to_value(T::default()).unwrap_or_default();
    let table = |probe: &T| {
        let mut table = serde_json::to_value(probe).unwrap_or_default();
        if let Json::Object(entries) = &mut table {
            entries.retain(|key, value| !value.is_null() && usual.get(key) != Some(value));
        }
        table
    };
    probes.iter().map(table).collect()
}

/// The probes of a file in `folder`, to which files that are read are relative.
///
/// # Errors
/// A file that is not there, or not below the folder: readers would refuse it.
pub(super) fn relative(probes: &ProbeSet, folder: &Path) -> Result<ProbeSet, SaveError> {
    let mut probes = probes.clone();
    for file in probes.input_probes.iter_mut().filter_map(|probe| probe.file.as_mut()) {
        *file = below(file, folder)?;
    }
    Ok(probes)
}

/// The same of the file of motions to follow.
///
/// # Errors
/// As [`relative`].
pub(super) fn relative_targets(inverse: &Inverse, folder: &Path) -> Result<Inverse, SaveError> {
    let targets = inverse.targets.as_deref().map(|file| below(file, folder)).transpose()?;
    Ok(Inverse { targets, ..inverse.clone() })
}

/// A file as from a folder that it is in or below.
fn below(file: &Path, folder: &Path) -> Result<PathBuf, SaveError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let elsewhere = || SaveError::ProbeFile { file: file.to_owned(), folder: folder.to_owned() };
    let (Ok(path), Ok(root)) = (file.canonicalize(), folder.canonicalize()) else {
        return Err(elsewhere());
    };
    let below = path.strip_prefix(root).map_err(|_| elsewhere())?;
    let steps = below.components().filter_map(|step| match step {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Ok(PathBuf::from(steps.collect::<Vec<_>>().join("/")))
}
