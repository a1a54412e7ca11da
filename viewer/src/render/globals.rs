//! The camera, lights and colours of a picture, and how each item is drawn.

use sinew::property::{FaceStyle, Shading};
use sinew::snapshot::{Item, Scene, Shape, Snapshot};

use super::SELECTION;
use super::gather::with_alpha;
use super::grid::grids_of;
use super::layout::{Globals, ItemData};
use super::lights::{Light, key_direction};
use super::selection::{Highlight, Shown};
use super::substances::{optics, substance_of};
use crate::camera::Lens;
use crate::color::linear;
use crate::cuts::Cuts;
use crate::geometry::{length, minus, relative_bounds};
use crate::scene_view::{Background, MOST_PLANES, PictureStyle};
use crate::{Camera, Projection, View};

/// Radius within which neighbours darken a place, over the extent of the model.
const OCCLUSION_RADIUS: f32 = 0.05;

/// Strength of the occlusion: hollows of a tongue are told from its back, and nothing gets black.
const OCCLUSION_STRENGTH: f32 = 0.9;

/// The same in the style of publications, where less light falls into hollows than beside them.
const STRONG_OCCLUSION: f32 = 1.15;

/// Width of outlines [pixel] on a common display.
const OUTLINE_WIDTH: f32 = 1.4;

/// Opacity of a surface around fibres: they are seen, and so is its shape.
const AROUND_FIBRES: f32 = 0.35;

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

/// Uniforms of a camera and of what it sees: a picture, or a shadow map, whose camera is the light.
pub(super) fn seen_by(
    camera: &Camera,
    snapshot: &Snapshot,
    view: &View,
    size: [u32; 2],
) -> Globals {
    let origin = snapshot.scene.origin;
    let bounds = relative_bounds(snapshot);
    let extent = length(minus(bounds[1], bounds[0]));
    let bounds = with_grids(bounds, snapshot, view);
    let lens = Lens::new(camera, size, origin, bounds);
    let perspective = flag(camera.projection == Projection::Perspective) as f32;
    let cuts = Cuts::of(&view.options, origin);
    let mut planes = [[0.0; 4]; MOST_PLANES];
    for (place, (normal, d)) in planes.iter_mut().zip(&cuts.planes) {
        *place = narrow(*normal, *d as f32);
    }
    let [near, far] = lens.depths.map(|x| x as f32);
    Globals {
        view_projection: lens.view_projection.cast::<f32>().into(),
        right: narrow(camera.right(), 0.0),
        up: narrow(camera.up(), 0.0),
        back: narrow(camera.back(), perspective),
        eye: narrow(camera.eye() - origin, 0.0),
        viewport: [size[0] as f32, size[1] as f32, lens.half[0] as f32, lens.half[1] as f32],
        depths: [near, far, OCCLUSION_RADIUS * extent.max(1e-12), 0.0],
        planes,
        flags: [cuts.planes.len().min(MOST_PLANES) as u32, 0, 0, 0],
        ..Globals::default()
    }
}

fn narrow(v: sinew::Vec3, w: f32) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, w]
}

/// A box with the grids of a picture in it, both relative to the origin of the scene [m].
fn with_grids(bounds: [[f32; 3]; 2], snapshot: &Snapshot, view: &View) -> [[f32; 3]; 2] {
    let grids = grids_of(snapshot, view).into_iter().flat_map(|grid| grid.corners());
    let corners = grids.map(|corner| corner - snapshot.scene.origin);
    corners.fold(bounds, |[low, high], corner| {
        let place = |k: usize| corner[k] as f32;
        [
            std::array::from_fn(|k| low[k].min(place(k))),
            std::array::from_fn(|k| high[k].max(place(k))),
        ]
    })
}

fn flag(on: bool) -> u32 {
    u32::from(on)
}

/// Colours at the top and the bottom of a picture, sRGB.
pub(super) fn background(background: Background) -> [[f32; 3]; 2] {
    match background {
        Background::Light => [[0.985; 3], [0.86, 0.875, 0.895]],
        Background::Dark => [[0.20, 0.215, 0.24], [0.10, 0.105, 0.115]],
        Background::White | Background::Transparent => [[1.0; 3]; 2],
    }
}

/// Data with which an item is drawn.
pub(super) fn item_data((place, item, tone): (usize, &Item, usize), shown: Shown<'_>) -> ItemData {
    let Shown { snapshot, view, .. } = shown;
    let style = &item.style;
    let frame = match &item.shape {
        Shape::Rigid { frame, .. } => snapshot.frames.get(*frame as usize).copied(),
        _ => None,
    };
    let rigid = flag(matches!(item.shape, Shape::Rigid { .. })) as f32;
    let frame = frame.unwrap_or_default();
    let [x, y, z] = frame.position;
    let shading = match (style.shading, view.options.smooth) {
        (Shading::None, _) => 2,
        (_, Some(smooth)) => flag(smooth),
        (Shading::Flat, None) => 0,
        (Shading::Smooth, None) => 1,
    };
    let sides = match style.face_style {
        FaceStyle::Front => 1,
        FaceStyle::Back => 2,
        FaceStyle::FrontAndBack => 3,
        FaceStyle::None => 0,
    };
    let tinted = shown.highlight(place) == Highlight::Tint;
    // In print all bones have one colour, and all tissues another.
    let tone = if view.options.style == PictureStyle::Publication { 0 } else { tone };
    let [r, g, b] = linear(style.specular);
    let optics = optics(substance_of(item));
    let [wr, wg, wb] = optics.wrap;
    ItemData {
        rotation: frame.rotation,
        position: [x, y, z, rigid],
        face: with_alpha(face_color(item, tone), opacity(item, view)),
        back: with_alpha(style.back_color, 1.0),
        specular: [r, g, b, style.shininess],
        flags: [shading, sides, flag(shown.is_colored(&item.shape)), flag(tinted)],
        scatter: [wr, wg, wb, optics.path],
        finish: [optics.gloss, optics.shininess, optics.mottle, optics.fibres],
    }
}

/// Colours of bodies that nobody gave one: those of bone, told apart where one lies before another.
const BONES: [[f32; 3]; 6] = [
    [0.90, 0.86, 0.76],
    [0.89, 0.79, 0.62],
    [0.84, 0.86, 0.84],
    [0.93, 0.82, 0.74],
    [0.83, 0.85, 0.72],
    [0.85, 0.81, 0.90],
];

/// Colours of tissues that nobody gave one: those of flesh.
const FLESH: [[f32; 3]; 4] =
    [[0.83, 0.48, 0.44], [0.78, 0.58, 0.40], [0.70, 0.45, 0.56], [0.86, 0.62, 0.58]];

/// Tone of each item among the colours of its kind: another one than the item of that kind before
/// it.
pub(crate) fn tones(scene: &Scene) -> impl Iterator<Item = usize> {
    let (mut bodies, mut tissues) = (0, 0);
    scene.items.iter().map(move |item| {
        let count = match &item.shape {
            Shape::Rigid { .. } => &mut bodies,
            Shape::Tissue { .. } => &mut tissues,
            Shape::Points(_) | Shape::Lines(_) | Shape::Fibres { .. } | Shape::Frame { .. } => {
                return 0;
            }
        };
        *count += 1;
        *count - 1
    })
}

/// Colour of faces: where nobody gave one, that of bone or of muscle, in one of its tones.
pub(crate) fn face_color(item: &Item, tone: usize) -> [f32; 3] {
    let guess = match &item.shape {
        Shape::Rigid { .. } => BONES[tone % BONES.len()],
        Shape::Tissue { .. } => FLESH[tone % FLESH.len()],
        Shape::Points(_) | Shape::Lines(_) | Shape::Fibres { .. } | Shape::Frame { .. } => [0.5; 3],
    };
    item.style.face_color.unwrap_or(guess)
}

/// Opacity of the surface of an item: fibres are seen through that of a tissue, and so are elements that are
/// marked as broken.
pub(crate) fn opacity(item: &Item, view: &View) -> f32 {
    let opacity = (item.style.alpha * view.options.opacity).clamp(0.0, 1.0);
    match &item.shape {
        Shape::Tissue { threaded, faulty, .. }
            if (view.options.fibres && *threaded) || !faulty.is_empty() =>
        {
            opacity.min(AROUND_FIBRES)
        }
        _ => opacity,
    }
}
