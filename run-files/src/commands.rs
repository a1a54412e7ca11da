//! Descriptions of probes as commands that add them.

use std::path::Path;

use sinew::editing::EditCommand;
use sinew::model::{InputProbe, Model, OutputProbe};

use crate::spec::{InputProbeSpec, OutputProbeSpec, SamplingSpec};

impl InputProbeSpec {
    /// The command that adds a probe that feeds its file to a model.
    pub fn command(&self, model: &Model) -> EditCommand {
        let file = self.file.as_ref().map_or_else(String::new, |it| it.display().to_string());
        let properties = vec![
            ("properties".to_owned(), self.properties.join(" ")),
            ("file".to_owned(), file),
            ("columns".to_owned(), self.columns.join("; ")),
        ];
        let path = free_name(model, &name_of_file(self.file.as_deref(), &self.name));
        EditCommand::Add { kind: "input_probe".to_owned(), path, properties }
    }
}

impl OutputProbeSpec {
    /// The command that adds a probe that records this to a model.
    pub fn command(&self, model: &Model) -> EditCommand {
        let formula = |(name, text): (&String, &String)| {
            format!("\"{}\" = {text}", name.replace('"', "\"\""))
        };
        let formulas: Vec<String> = self.expressions.iter().map(formula).collect();
        let sampling = match self.sampling {
            SamplingSpec::Interpolate => "interpolate",
            SamplingSpec::Cut => "cut",
        };
        let properties = [
            ("properties", self.properties.join(" ")),
            ("expressions", formulas.join("; ")),
            ("file", self.path().display().to_string()),
            ("every", self.every.to_string()),
            ("sampling", sampling.to_owned()),
        ];
        let properties = properties.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let path = free_name(model, &name_of_file(self.file.as_deref(), &self.name));
        EditCommand::Add { kind: "output_probe".to_owned(), path, properties }
    }
}

/// Name of the probe of a file, without signs that paths have.
fn name_of_file(file: Option<&Path>, name: &str) -> String {
    let stem = file.and_then(Path::file_stem).map(|it| it.to_string_lossy().into_owned());
    plain(&stem.unwrap_or_else(|| name.to_owned()))
}

/// A name without signs that files and paths have.
pub(crate) fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

/// A name that no probe has: `name`, `name_2`, ..
pub(crate) fn free_name(model: &Model, name: &str) -> String {
    let fed = model.iter::<InputProbe>().map(|(_, it)| &it.name);
    let recorded = model.iter::<OutputProbe>().map(|(_, it)| &it.name);
    let known: Vec<&String> = fed.chain(recorded).collect();
    let is_free = |name: &String| !known.contains(&name);
    let mut names = std::iter::once(name.to_owned()).chain((2u64..).map(|k| format!("{name}_{k}")));
    names.find(is_free).unwrap_or_default()
}
