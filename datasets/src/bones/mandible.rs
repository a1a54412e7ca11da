//! The mandible [mm]: body, alveolar ridge and crowns along the dental arch, ramus,
//! coronoid and condylar processes. Drawn for this project around the landmarks of `jaw/muscles.rs` and the
//! measures of docs/theory/anatomy.md; no scan of a person went into it.

use super::sdf::{Point, Section, Segment, Solid, Upright, rod, section, tube};
use super::teeth::{Crown, Form, crown, septa};

/// The vertical.
const UP: Point = [0.0, 0.0, 1.0];

/// Basal part of the body from the chin to the angle.
const BODY: [Section; 9] = [
    section([35.6, 0.0, 10.5], 5.3, 8.6),
    section([35.0, 9.0, 10.4], 5.2, 8.6),
    section([30.8, 18.4, 10.8], 5.0, 8.6),
    section([22.0, 24.6, 12.0], 4.9, 9.0),
    section([12.0, 29.0, 14.0], 4.9, 9.2),
    section([-1.0, 33.8, 18.0], 4.7, 9.8),
    section([-13.0, 39.6, 21.0], 4.0, 9.6),
    section([-23.0, 44.8, 22.0], 2.4, 8.0),
    section([-29.0, 46.6, 23.5], 2.6, 5.5),
];

/// Alveolar ridge from the midline to behind the last molar.
const RIDGE: [Section; 7] = [
    section([37.8, 0.0, 22.0], 4.0, 7.0),
    section([36.6, 8.5, 22.0], 4.0, 7.0),
    section([31.5, 16.2, 22.5], 4.2, 7.0),
    section([23.5, 21.4, 24.0], 4.4, 7.0),
    section([14.0, 25.2, 26.0], 4.8, 7.0),
    section([4.0, 29.2, 28.5], 4.8, 6.8),
    section([-5.0, 33.2, 30.0], 3.2, 5.0),
];

/// Lower teeth from the central incisor to the second molar.
pub(super) const CROWNS: [Crown; 7] = [
    crown(Form::Incisor, [[39.9, 2.8, 27.4], [43.9, 2.8, 36.2]], [-0.1, 1.0], [5.5, 6.0]),
    crown(Form::Incisor, [[38.8, 8.3, 27.4], [42.2, 8.7, 36.1]], [-0.4, 1.0], [6.1, 6.2]),
    crown(Form::Canine, [[35.3, 14.0, 27.8], [37.6, 15.1, 38.2]], [-0.9, 1.0], [7.0, 7.4]),
    crown(Form::Premolar, [[30.0, 18.6, 29.6], [31.0, 19.4, 39.8]], [-1.4, 1.0], [7.1, 7.6]),
    crown(Form::Premolar, [[23.6, 21.9, 30.6], [24.2, 22.4, 40.65]], [-2.3, 1.0], [7.2, 8.0]),
    crown(Form::Molar, [[14.6, 25.2, 32.2], [15.6, 25.3, 42.05]], [-2.6, 1.0], [10.8, 10.0]),
    crown(Form::Molar, [[4.0, 29.2, 33.2], [4.8, 29.2, 42.2]], [-2.7, 1.0], [10.4, 9.8]),
];

/// Direction from the front edge of the ramus to the rear one.
const REARWARD: Point = [-0.95, 0.3, 0.0];

/// Plate of the ramus, from below; widths run rearward.
const RAMUS: [Section; 4] = [
    section([-17.0, 42.5, 25.0], 14.0, 2.6),
    section([-19.0, 43.2, 36.0], 15.6, 2.9),
    section([-20.8, 44.3, 47.0], 16.0, 2.8),
    section([-21.4, 45.3, 54.5], 15.4, 2.7),
];

/// Coronoid process.
const CORONOID: [Section; 3] = [
    section([-12.5, 42.8, 51.0], 8.6, 2.8),
    section([-8.0, 45.0, 63.0], 5.6, 2.5),
    section([-4.0, 46.9, 72.6], 2.8, 2.3),
];

/// Neck of the condylar process.
const NECK: [Section; 4] = [
    section([-29.0, 46.0, 45.0], 5.0, 2.6),
    section([-33.0, 47.6, 55.0], 5.4, 3.4),
    section([-35.8, 48.9, 62.5], 4.8, 3.9),
    section([-37.0, 50.0, 69.0], 4.2, 5.6),
];

/// Direction of the condyle's long axis: its lateral pole lies before its medial one.
const CONDYLE_AXIS: Point = [0.17, 1.0, 0.0];

/// Oblique line, from the front edge of the ramus down to the body.
const OBLIQUE: [Section; 4] = [
    rod([-6.5, 41.5, 47.0], 2.4),
    rod([-3.0, 39.6, 37.0], 2.4),
    rod([3.0, 36.2, 28.0], 2.4),
    rod([11.0, 32.6, 20.0], 2.0),
];

/// Chin: middle, and the tubercle beside it.
fn chin() -> [Segment; 2] {
    [
        Segment::ellipsoid([38.2, 0.0, 8.0], [3.8, 6.0, 5.4]),
        Segment::ellipsoid([37.2, 9.0, 5.2], [3.8, 5.0, 3.6]),
    ]
}

/// The mandible.
pub(super) fn mandible() -> Solid {
    let condyle =
        Segment::tilted([-37.4, 50.6, 72.2], [1.0, 0.0, 0.0], CONDYLE_AXIS, [4.35, 8.4, 5.9]);
    let foramen = Segment::ellipsoid([23.5, 30.0, 15.5], [1.9, 2.6, 1.7]);
    let plates = [&RAMUS[..], &CORONOID[..], &NECK[..]];
    let plates = plates.map(|plate| tube(plate, Upright::Width(REARWARD)));
    Solid::new()
        .add([2.5, 0.8], tube(&BODY, Upright::Height(UP)))
        .add([8.0, 0.8], tube(&RIDGE, Upright::Height(UP)))
        .add([5.0, 1.5], plates.into_iter().flatten())
        .add([3.0, 2.0], [condyle])
        .add([4.0, 3.0], chin())
        .add([4.0, 1.0], tube(&OBLIQUE, Upright::Width(UP)))
        .cut([1.0, 0.0], [foramen])
        .add([1.6, 0.6], CROWNS.iter().map(|it| it.root(9.0)))
        .add([1.6, 0.0], septa(&CROWNS))
        .add([0.9, 0.5], CROWNS.iter().flat_map(Crown::segments))
}
