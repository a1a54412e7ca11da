//! The tables of properties as a page of documentation.

use super::{PropertyInfo, PropertyType, RenderProps, parts};
use crate::component::{Kind, ModelComponent, for_kind};

const HEAD: &str = "# Properties

Everything that can be read or set by name: in code by `Model::property`, on the command line by
`sinew inspect` and `--set`. This page is printed from the tables in `core/src/model/`; after a
change there, `SINEW_BLESS=1 cargo test -p sinew properties_page` prints it anew.

A property stands after the colon of a path (`/models/jaw/axial_springs/lad:material.stiffness`).
*inh*: it can be inherited from an ancestor; *ro*: it can only be read; *sim*: it needs a state of a
simulation. The last column says what is computed anew when it is set.
";

/// The page docs/properties.md.
pub fn markdown() -> String {
    let mut text = HEAD.to_owned();
    for kind in Kind::ALL {
        for_kind!(kind, T => {
            section(&mut text, kind.name(), T::properties().iter().map(|p| &p.info));
        });
    }
    section(&mut text, "Nodes of a tissue", parts::NODE.iter().map(|p| &p.info));
    section(&mut text, "Elements of a tissue", parts::ELEMENT.iter().map(|p| &p.info));
    let shared = RenderProps::table().iter().map(|p| &p.info);
    section(&mut text, "Every component", std::iter::once(&super::NAME).chain(shared));
    text
}

fn section<'p>(text: &mut String, title: &str, lines: impl Iterator<Item = &'p PropertyInfo>) {
    let lines: String = lines.map(line).collect();
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!(
        "\n## {title}\n| name | type | unit | range | default | | meaning | stale |\n"
    ));
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    text.push_str(&lines);
}

fn line(info: &PropertyInfo) -> String {
    let ty = match info.value_type {
        PropertyType::Choice(words) => words.join(", "),
        other => other.name().to_owned(),
    };
    let numeric = !matches!(
        info.value_type,
        PropertyType::Bool | PropertyType::Choice(_) | PropertyType::Text | PropertyType::Path
    );
    let range = if numeric && !info.read_only { info.range.to_string() } else { String::new() };
    let default = if info.read_only { String::new() } else { (info.default)().to_string() };
    let marks = [(info.inheritable, "inh"), (info.read_only, "ro"), (info.simulated, "sim")];
    let marks: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    let stale = if info.read_only { String::new() } else { info.invalidates.describe() };
    format!(
        "| `{}` | {ty} | {} | {range} | {default} | {} | {} | {stale} |\n",
        info.name,
        info.unit,
        marks.join(" "),
        info.doc
    )
}
