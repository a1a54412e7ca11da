//! Elements that an import made nothing of: each kind of element once, with its count and its first place.

use std::collections::BTreeMap;

use super::xml::Element;
use crate::diagnostic::Findings;
use crate::tree::Span;

/// Elements that only say how things are drawn, who made them, or how users group them.
const NO_EFFECT: [&str; 38] = [
    "Appearance",
    "FrameGeometry",
    "GeometrySet",
    "ObjectGroup",
    "SurfaceProperties",
    "VisibleObject",
    "assembly_accuracy",
    "attached_geometry",
    "color",
    "credits",
    "default_color",
    "display",
    "display_preference",
    "fixed",
    "frame_geometry",
    "geometry_files",
    "groups",
    "initial_value",
    "ignore_activation_dynamics_",
    "is_free_to_satisfy_constraints",
    "isFreeToSatisfyConstraints",
    "motion_type",
    "notes",
    "opacity",
    "output_interval",
    "preset_color",
    "preferences",
    "publications",
    "reserves",
    "scale_factors",
    "show_axes",
    "texture_file",
    "tendon_color",
    "use_exact",
    "velocity_tolerance",
    "visible",
    "ModelVisualPreferences",
    "ModelVisualPreferences_",
];

#[derive(Clone, Copy, Debug)]
struct Found {
    count: usize,
    first: Span,
}

/// Names what was not read, below an element that was.
pub(super) fn tell(root: &Element, findings: &mut Findings) {
    let mut kinds: BTreeMap<(&str, &str), Found> = BTreeMap::new();
    collect(root, &mut kinds);
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, found)| found.first.start);
    for ((within, tag), Found { count, first }) in kinds {
        let times = if count == 1 { String::new() } else { format!(", {count} times, first here") };
        let message = format!("<{tag}> in <{within}> is not read{times}");
        match NO_EFFECT.contains(&tag) {
            true => findings.note(first, message + ": it has no effect on motion"),
            false => findings.warn(first, message),
        }
    }
}

fn collect<'e>(at: &'e Element, kinds: &mut BTreeMap<(&'e str, &'e str), Found>) {
    for child in &at.children {
        if child.is_read() {
            collect(child, kinds);
        } else if !child.is_void() {
            let key = (at.tag.as_str(), child.tag.as_str());
            kinds.entry(key).or_insert(Found { count: 0, first: child.span }).count += 1;
        }
    }
}
