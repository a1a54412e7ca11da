//! Elements and attributes that an import made nothing of: each kind once, with its count and its first place.

use std::collections::BTreeMap;

use super::xml::Element;
use crate::diagnostic::Findings;
use crate::tree::Span;

/// Elements that only say how things are drawn, who made them, or how much memory MuJoCo takes.
const NO_EFFECT: [&str; 13] = [
    "camera",
    "custom",
    "headlight",
    "hfield",
    "light",
    "material",
    "numeric",
    "size",
    "skin",
    "statistic",
    "text",
    "texture",
    "visual",
];

/// The same of attributes.
const NO_EFFECT_ATTRIBUTES: [&str; 25] = [
    "assetdir",
    "class",
    "content_type",
    "discardvisual",
    "fitscale",
    "fusestatic",
    "group",
    "hfield",
    "inertia",
    "material",
    "maxhullvert",
    "model",
    "name",
    "nuser_actuator",
    "nuser_geom",
    "nuser_jnt",
    "rgba",
    "smoothnormal",
    "texturedir",
    "user",
    "usethread",
    "width",
    "size",
    "texcoord",
    "alignfree",
];

#[derive(Clone, Copy, Debug)]
struct Found {
    count: usize,
    first: Span,
    is_drawn: bool,
}

/// Names what was not read, below an element that was.
pub(super) fn tell(root: &Element, findings: &mut Findings) {
    tell_sensors(root, findings);
    let mut kinds: BTreeMap<String, Found> = BTreeMap::new();
    collect(root, &mut kinds);
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, found)| (found.first.file, found.first.start));
    for (what, Found { count, first, is_drawn }) in kinds {
        let times = if count == 1 { String::new() } else { format!(", {count} times, first here") };
        let message = format!("{what} is not read{times}");
        match is_drawn {
            true => findings.note(first, message + ": it has no effect on motion"),
            false => findings.warn(first, message),
        }
    }
}

/// One warning for all sensors, by name.
fn tell_sensors(root: &Element, findings: &mut Findings) {
    let lists: Vec<&Element> = root.all("sensor").collect();
    let sensors: Vec<&Element> = lists.iter().flat_map(|it| &it.children).collect();
    lists.iter().for_each(|it| it.mark_all());
    let Some(first) = sensors.first() else { return };
    let mut names: Vec<String> = sensors.iter().take(MOST_NAMES).map(|it| it.label()).collect();
    if sensors.len() > MOST_NAMES {
        names.push("..".to_owned());
    }
    let message = format!("{} sensors are not read: {}", sensors.len(), names.join(", "));
    findings.warn(first.span, message);
}

/// Most sensors that are named.
const MOST_NAMES: usize = 12;

fn collect(at: &Element, kinds: &mut BTreeMap<String, Found>) {
    let mut count = |what: String, first: Span, is_drawn: bool| {
        kinds.entry(what).or_insert(Found { count: 0, first, is_drawn }).count += 1;
    };
    for attribute in at.attributes.iter().filter(|it| !it.is_read()) {
        let is_drawn = NO_EFFECT_ATTRIBUTES.contains(&attribute.name.as_str());
        count(format!("{} of <{}>", attribute.name, at.tag), attribute.span, is_drawn);
    }
    for child in &at.children {
        if !child.is_read() {
            let is_drawn = NO_EFFECT.contains(&child.tag.as_str());
            count(format!("<{}> in <{}>", child.tag, at.tag), child.span, is_drawn);
        }
    }
    at.children.iter().filter(|it| it.is_read()).for_each(|it| collect(it, kinds));
}
