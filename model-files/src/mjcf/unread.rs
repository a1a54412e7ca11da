//! Elements and attributes of MuJoCo that an import made nothing of.

use super::xml::Element;
use crate::diagnostic::Findings;
use crate::unread::{Effect, Unread, first_names};

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

/// Names what was not read, below an element that was.
pub(super) fn tell(root: &Element, findings: &mut Findings) {
    tell_sensors(root, findings);
    let mut unread = Unread::default();
    collect(root, &mut unread);
    unread.tell(findings);
}

/// One warning for all sensors, by name.
fn tell_sensors(root: &Element, findings: &mut Findings) {
    let lists: Vec<&Element> = root.all("sensor").collect();
    let sensors: Vec<&Element> = lists.iter().flat_map(|it| &it.children).collect();
    lists.iter().for_each(|it| it.mark_all());
    let Some(first) = sensors.first() else { return };
    let names: Vec<String> = sensors.iter().map(|it| it.label()).collect();
    let names = first_names(names.iter().map(String::as_str));
    findings.warn(first.span, format!("{} sensors are not read: {names}", sensors.len()));
}

fn collect(at: &Element, unread: &mut Unread) {
    let effect = |drawn: bool| if drawn { Effect::None } else { Effect::Possible };
    for attribute in at.attributes.iter().filter(|it| !it.is_read()) {
        let is_drawn = NO_EFFECT_ATTRIBUTES.contains(&attribute.name.as_str());
        let kind = format!("{} of <{}>", attribute.name, at.tag);
        unread.add(kind, attribute.span, effect(is_drawn));
    }
    for child in at.children.iter().filter(|it| !it.is_read()) {
        let is_drawn = NO_EFFECT.contains(&child.tag.as_str());
        unread.add(format!("<{}> in <{}>", child.tag, at.tag), child.span, effect(is_drawn));
    }
    at.children.iter().filter(|it| it.is_read()).for_each(|it| collect(it, unread));
}
