//! Elements and attributes of FEBio that an import made nothing of; settings
//! of its solver and of its output in one line a section.

use std::collections::BTreeMap;

use crate::diagnostic::Findings;
use crate::unread::{Effect, Unread, first_names};
use crate::xml_tree::Element;

/// Sections whose parts are told together: settings of the numerics of FEBio, and contents of its results.
const TOGETHER: [&str; 2] = ["Control", "Output"];
/// Elements of which the same is done once something is made of them: of interfaces and connectors.
const TOGETHER_IN: [&str; 3] = ["contact", "constraint", "rigid_connector"];
/// Sections that the reader of the mesh reads.
const OF_THE_MESH: [&str; 3] = ["Geometry", "Mesh", "MeshData"];
/// Attributes that only name or number.
const NAMES: [&str; 4] = ["name", "id", "type", "version"];

/// Names what was not read, below an element that was.
pub(super) fn tell(root: &Element, findings: &mut Findings) {
    let mut unread = Unread::default();
    let mut together: BTreeMap<&str, Vec<&Element>> = BTreeMap::new();
    collect(root, &mut unread, &mut together);
    for (section, parts) in together {
        let mut names: Vec<&str> = Vec::new();
        for part in &parts {
            if !names.contains(&part.tag.as_str()) {
                names.push(&part.tag);
            }
        }
        let message = format!("settings in <{section}> are not read: {}", first_names(names));
        findings.warn(parts[0].span, message);
    }
    unread.tell(findings);
}

fn collect<'e>(
    at: &'e Element,
    unread: &mut Unread,
    together: &mut BTreeMap<&'e str, Vec<&'e Element>>,
) {
    for attribute in at.attributes.iter().filter(|it| !it.is_read()) {
        if !NAMES.contains(&attribute.name.as_str()) {
            let kind = format!("{} of <{}>", attribute.name, at.tag);
            unread.add(kind, attribute.span, Effect::Possible);
        }
    }
    if TOGETHER.iter().chain(&TOGETHER_IN).any(|tag| *tag == at.tag) {
        let parts: Vec<&Element> =
            at.children.iter().filter(|it| !it.is_read() && says_anything(it)).collect();
        if !parts.is_empty() {
            together.entry(&at.tag).or_default().extend(parts);
        }
        return;
    }
    for child in at.children.iter().filter(|it| !OF_THE_MESH.contains(&it.tag.as_str())) {
        if child.is_read() || TOGETHER.contains(&child.tag.as_str()) {
            collect(child, unread, together);
        } else if says_anything(child) {
            unread.add(label(child, at), child.span, Effect::Possible);
        }
    }
}

/// Tag and kind of an element, and where it is.
fn label(element: &Element, within: &Element) -> String {
    let kind = match element.kind() {
        "" => String::new(),
        kind => format!(" of type '{kind}'"),
    };
    format!("<{}>{kind} in <{}>", element.tag, within.tag)
}

/// False for a number 0 alone, which is what FEBio Studio writes of what is not set, and for an empty section.
fn says_anything(element: &Element) -> bool {
    let zero = element.text.is_empty() || element.text.split(',').all(|it| it.trim() == "0");
    !(zero && element.children.is_empty() && element.attributes.is_empty())
}
