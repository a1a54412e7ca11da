//! Data with which items are drawn, and their colours where nobody gave any.

use sinew::property::{FaceStyle, Shading};
use sinew::snapshot::{Item, Scene, Shape};

use super::colors::{MARKED, with_alpha};
use super::layout::ItemData;
use super::selection::{Highlight, Shown, opacity};
use super::substances::{optics, substance_of};
use crate::color::linear;
use crate::scene_view::PictureStyle;

fn flag(on: bool) -> u32 {
    u32::from(on)
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

/// Data with which marked faces are drawn: those of their tissue in another colour.
pub(super) fn marked_data(items: &[ItemData], shown: Shown<'_>) -> ItemData {
    let owner = shown.view.options.marked.owner;
    let mut scene = shown.snapshot.scene.items.iter();
    let place = scene
        .position(|item| Some(item.owner) == owner && matches!(item.shape, Shape::Tissue { .. }));
    let of_tissue = place.and_then(|place| items.get(place)).copied().unwrap_or_default();
    let color = with_alpha(MARKED, 1.0);
    let flags = [of_tissue.flags[0], 3, 0, 0];
    ItemData { face: color, back: color, flags, ..of_tissue }
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
