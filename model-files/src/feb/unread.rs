//! Elements and attributes that an import made nothing of: each kind once, with its count and its first place; settings
//! of FEBio's solver and of its output in one line a section.

use std::collections::BTreeMap;

use crate::diagnostic::Findings;
use crate::tree::Span;
use crate::xml_tree::Element;

/// Sections whose parts are told together: settings of the numerics of FEBio, and contents of its results.
const TOGETHER: [&str; 2] = ["Control", "Output"];
/// Sections that the reader of the mesh reads.
const OF_THE_MESH: [&str; 3] = ["Geometry", "Mesh", "MeshData"];
/// Attributes that only name or number.
const NAMES: [&str; 4] = ["name", "id", "type", "version"];
/// Most parts that are named.
const MOST_NAMES: usize = 12;

#[derive(Clone, Copy, Debug)]
struct Found {
    count: usize,
    first: Span,
}

/// Names what was not read, below an element that was.
pub(super) fn tell(root: &Element, findings: &mut Findings) {
    let mut kinds: BTreeMap<String, Found> = BTreeMap::new();
    let mut together: BTreeMap<&str, Vec<&Element>> = BTreeMap::new();
    collect(root, &mut kinds, &mut together);
    for (section, parts) in together {
        let mut names: Vec<&str> = Vec::new();
        for part in &parts {
            if !names.contains(&part.tag.as_str()) {
                names.push(&part.tag);
            }
        }
        let more = if names.len() > MOST_NAMES { ", .." } else { "" };
        names.truncate(MOST_NAMES);
        let message = format!("settings in <{section}> are not read: {}{more}", names.join(", "));
        findings.warn(parts[0].span, message);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, found)| (found.first.file, found.first.start));
    for (what, Found { count, first }) in kinds {
        let times = if count == 1 { String::new() } else { format!(", {count} times, first here") };
        findings.warn(first, format!("{what} is not read{times}"));
    }
}

fn collect<'e>(
    at: &'e Element,
    kinds: &mut BTreeMap<String, Found>,
    together: &mut BTreeMap<&'e str, Vec<&'e Element>>,
) {
    for attribute in at.attributes.iter().filter(|it| !it.is_read()) {
        if !NAMES.contains(&attribute.name.as_str()) {
            count(kinds, format!("{} of <{}>", attribute.name, at.tag), attribute.span);
        }
    }
    if TOGETHER.contains(&at.tag.as_str()) {
        let parts: Vec<&Element> = at.children.iter().filter(|it| !it.is_read()).collect();
        if !parts.is_empty() {
            together.entry(&at.tag).or_default().extend(parts);
        }
        return;
    }
    for child in at.children.iter().filter(|it| !OF_THE_MESH.contains(&it.tag.as_str())) {
        if child.is_read() || TOGETHER.contains(&child.tag.as_str()) {
            collect(child, kinds, together);
        } else if says_anything(child) {
            count(kinds, label(child, at), child.span);
        }
    }
}

fn count(kinds: &mut BTreeMap<String, Found>, what: String, first: Span) {
    kinds.entry(what).or_insert(Found { count: 0, first }).count += 1;
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
