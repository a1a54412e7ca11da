//! Probes and panels in a document: values that differ from defaults, and files as they are named from the
//! folder of the document.

use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value as Json};
use sinew::component::ComponentId;
use sinew::model::{ControlPanel, InputProbe, OutputProbe};
use sinew_run_files::spec::{InputProbeSpec, OutputProbeSpec};

use super::{SaveError, Writer};
use crate::fields::DECLARED;
use crate::inverse::Inverse;
use crate::panels::Panel;

impl Writer<'_> {
    /// The description of a probe or a panel, and what it has as all components have.
    pub(super) fn section_into(
        &mut self,
        id: ComponentId,
        start: ComponentId,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let mut shared = Map::new();
        self.properties_into(id, start, &mut shared)?;
        shared.retain(|key, _| key == DECLARED || key == "render");
        let input = id.typed::<InputProbe>().and_then(|it| self.model.get(it));
        let output = id.typed::<OutputProbe>().and_then(|it| self.model.get(it));
        if let Some(probe) = input {
            let mut spec = InputProbeSpec::of(self.model, probe);
            if let (Some(file), Some(folder)) = (&spec.file, &self.folder) {
                spec.file = Some(below(file, folder)?);
            }
            table.extend(described(&spec));
        }
        if let Some(probe) = output {
            table.extend(described(&OutputProbeSpec::of(self.model, probe)));
        }
        if let Some(panel) = id.typed::<ControlPanel>().and_then(|it| self.model.get(it)) {
            table.extend(described(&Panel::of(panel, self.model)));
        }
        table.extend(shared);
        Ok(())
    }
}

/// The values of a description that differ from its defaults.
fn described<T: Serialize + Default>(probe: &T) -> Map<String, Json> {
    let usual = serde_json::to_value(T::default()).unwrap_or_default();
    let Ok(Json::Object(mut table)) = serde_json::to_value(probe) else { return Map::new() };
    table.retain(|key, value| !value.is_null() && usual.get(key) != Some(value));
    table
}

/// The file of motions to follow of a model file in `folder`, to which it is relative.
///
/// # Errors
/// A file that is not there, or not below the folder: readers would refuse it.
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
