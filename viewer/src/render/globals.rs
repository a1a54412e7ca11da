//! The camera, lights and colours of a picture.

use sinew::snapshot::Snapshot;

use super::colors::{SELECTION, background, with_alpha};
use super::eye::{narrow, seen_by};
use super::layout::Globals;
use super::lights::{Light, key_direction};
use crate::View;
use crate::scene_view::{Background, PictureStyle};

/// Strength of the occlusion: hollows of a tongue are told from its back, and nothing gets black.
const OCCLUSION_STRENGTH: f32 = 0.9;

/// The same in the style of publications, where less light falls into hollows than beside them.
const STRONG_OCCLUSION: f32 = 1.15;

/// Width of outlines [pixel] on a common display.
const OUTLINE_WIDTH: f32 = 1.4;

/// Uniforms that all programs of a picture share; `light` is the key light where shadows fall.
pub(super) fn globals(
    snapshot: &Snapshot,
    view: &View,
    size: [u32; 2],
    (encode, translucent): (bool, bool),
    light: Option<&Light>,
) -> Globals {
    let options = &view.options;
    let published = options.style == PictureStyle::Publication;
    let strength = match () {
        () if !options.ambient_occlusion => 0.0,
        () if published => STRONG_OCCLUSION,
        () => OCCLUSION_STRENGTH,
    };
    let [top, bottom] = background(options.background);
    let sections = options.sections_alone();
    let outline = if options.outlines { OUTLINE_WIDTH * options.pixel_scale } else { 0.0 };
    let mut globals = Globals {
        top: with_alpha(top, 1.0),
        bottom: with_alpha(bottom, 1.0),
        selection: with_alpha(SELECTION, 1.0),
        ..seen_by(&view.camera, snapshot, view, size)
    };
    globals.depths[3] = strength;
    globals.flags[1..].copy_from_slice(&[
        flag(encode),
        flag(options.background == Background::Transparent),
        flag(translucent),
    ]);
    let sections = flag(globals.flags[0] > 0 && sections) as f32;
    globals.scales = [options.pixel_scale, sections, flag(published) as f32, outline];
    globals.light = narrow(key_direction(view), light.map_or(0.0, |light| light.texel));
    if let Some(light) = light {
        (globals.light_projection, globals.shadow) = (light.projection, light.shadow);
    }
    globals
}

fn flag(on: bool) -> u32 {
    u32::from(on)
}
