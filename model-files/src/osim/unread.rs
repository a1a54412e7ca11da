//! Elements of OpenSim that an import made nothing of.

use super::xml::Element;
use crate::diagnostic::Findings;
use crate::unread::{Effect, Unread};

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

/// Names what was not read, below an element that was.
pub(super) fn tell(root: &Element, findings: &mut Findings) {
    let mut unread = Unread::default();
    collect(root, &mut unread);
    unread.tell(findings);
}

fn collect(at: &Element, unread: &mut Unread) {
    for child in &at.children {
        if child.is_read() {
            collect(child, unread);
        } else if !child.is_void() {
            let is_drawn = NO_EFFECT.contains(&child.tag.as_str());
            let effect = if is_drawn { Effect::None } else { Effect::Possible };
            unread.add(format!("<{}> in <{}>", child.tag, at.tag), child.span, effect);
        }
    }
}
