//! The face [mm]: orbits with their margins, cheek bones, nose, upper jaw with palate, alveolar process and teeth,
//! pterygoid plates.

use super::sdf::{Part, Point, Section, Segment, Solid, Upright, rod, section, tube};
use super::teeth::{Crown, Form, crown, septa};

const UP: Point = [0.0, 0.0, 1.0];
const ACROSS: Point = [0.0, 1.0, 0.0];

/// Margin of the orbit: from the root of the nose over the brow, down the side, along the lower edge, up the nose.
const MARGIN: [Section; 12] = [
    rod([40.5, 9.0, 119.0], 4.4),
    rod([43.0, 17.0, 123.6], 4.4),
    rod([41.0, 29.0, 125.8], 3.8),
    rod([35.5, 40.0, 123.6], 3.6),
    rod([28.5, 47.0, 117.4], 3.6),
    rod([24.0, 49.6, 109.0], 3.2),
    rod([22.5, 49.6, 99.0], 3.2),
    rod([25.0, 47.0, 89.5], 3.8),
    rod([32.0, 39.0, 84.6], 3.6),
    rod([37.0, 28.0, 84.6], 3.4),
    rod([39.5, 18.0, 91.0], 3.6),
    rod([40.0, 11.5, 104.0], 4.0),
];

/// Temporal line, from the side of the orbit up to the origin of the temporal muscle.
const TEMPORAL_LINE: [Section; 5] = [
    rod([26.0, 48.4, 115.0], 3.6),
    rod([22.0, 49.5, 123.0], 4.0),
    rod([15.0, 52.0, 131.0], 4.0),
    rod([5.0, 53.6, 138.0], 3.2),
    rod([-8.0, 57.0, 144.0], 2.6),
];

/// Cheek bone and arch, from the body of the maxilla to the suture with the temporal bone.
const ZYGOMA: [Section; 5] = [
    section([26.0, 37.0, 77.0], 7.0, 9.0),
    section([19.5, 46.5, 79.0], 5.4, 10.5),
    section([9.5, 53.8, 77.0], 3.8, 9.2),
    section([-3.0, 59.4, 77.8], 2.6, 6.8),
    section([-13.5, 62.5, 81.5], 2.2, 4.0),
];

/// Crest from the cheek bone to the first molar.
const CREST: [Section; 3] = [
    section([20.0, 42.0, 72.0], 5.0, 5.0),
    section([17.0, 36.0, 64.0], 4.0, 4.5),
    section([14.0, 31.5, 56.0], 4.0, 4.0),
];

/// Frontal process of the maxilla, beside the nasal opening.
const FRONTAL: [Section; 4] = [
    section([37.5, 16.5, 66.0], 4.5, 4.5),
    section([39.5, 16.0, 76.0], 3.6, 4.2),
    section([41.5, 13.0, 90.0], 3.2, 4.2),
    section([42.0, 8.5, 106.0], 3.4, 4.0),
];

/// Bridge of the nose: widths run across, heights forward.
const NASAL: [Section; 3] = [
    section([42.0, 0.0, 119.0], 8.0, 4.5),
    section([45.0, 0.0, 107.0], 6.6, 3.4),
    section([51.0, 0.0, 96.0], 7.4, 2.0),
];

/// Alveolar process of the maxilla from the midline to the tuberosity.
const RIDGE: [Section; 7] = [
    section([41.0, 0.0, 55.0], 4.4, 7.0),
    section([39.2, 9.5, 55.0], 4.4, 7.0),
    section([33.4, 18.0, 55.4], 4.7, 7.2),
    section([25.0, 23.6, 56.0], 4.9, 7.2),
    section([15.0, 27.0, 56.8], 5.6, 7.6),
    section([5.0, 29.4, 57.6], 5.8, 7.8),
    section([-4.0, 30.2, 59.0], 5.4, 7.6),
];

/// Hard palate: widths run to the left, heights are its thickness.
const PALATE: [Section; 3] = [
    section([36.0, 0.0, 60.0], 16.0, 3.4),
    section([18.0, 0.0, 63.5], 24.0, 2.8),
    section([-3.0, 0.0, 63.5], 22.0, 2.6),
];

/// Thickness of the mucosa of the palate (key Song2008).
const MUCOSA: f64 = 3.8;

/// Upper teeth from the central incisor to the second molar. Premolars and molars are as long as lets them meet the lower ones together.
pub(super) const CROWNS: [Crown; 7] = [
    crown(Form::Incisor, [[42.6, 4.2, 48.5], [45.6, 4.2, 36.8]], [-0.15, 1.0], [8.6, 7.2]),
    crown(Form::Incisor, [[40.4, 11.6, 48.3], [43.0, 11.9, 37.6]], [-0.55, 1.0], [7.4, 6.4]),
    crown(Form::Canine, [[36.2, 17.4, 48.8], [38.4, 18.2, 36.2]], [-1.0, 1.0], [8.2, 8.0]),
    crown(Form::Premolar, [[30.2, 21.8, 49.0], [31.2, 22.4, 39.0]], [-1.5, 1.0], [7.4, 9.0]),
    crown(Form::Premolar, [[23.8, 24.8, 49.4], [24.4, 25.4, 40.35]], [-2.6, 1.0], [7.4, 9.0]),
    crown(Form::Molar, [[15.8, 27.2, 50.0], [16.0, 27.8, 41.85]], [-3.2, 1.0], [10.2, 11.0]),
    crown(Form::Molar, [[5.6, 29.8, 50.6], [5.8, 30.4, 42.4]], [-3.6, 1.0], [9.6, 11.0]),
];

/// Axis of the orbit: middle of its entrance, and its end.
const ORBIT: [Point; 2] = [[38.0, 31.5, 105.2], [-2.0, 15.0, 102.0]];

/// The orbit, a hollow cone, grown by some millimetres.
pub(super) fn orbit(grown: f64) -> [Segment; 2] {
    let radii =
        |width: f64, height: f64| [width.min(height) + grown, width + grown, height + grown];
    let entrance = [48.0, 37.0, 104.8];
    [
        Segment::new(ORBIT, UP, ACROSS, [radii(19.2, 16.6), radii(4.0, 4.0)]),
        Segment::new([entrance, ORBIT[0]], UP, ACROSS, [radii(21.0, 16.8), radii(19.2, 16.6)]),
    ]
}

/// Middle of the face: walls of the orbits, bodies of maxilla and sphenoid, wings.
fn core() -> Vec<Segment> {
    let [wall, _] = orbit(3.6);
    let ethmoid = Segment::new(
        [[34.0, 0.0, 100.0], [-14.0, 0.0, 92.0]],
        UP,
        ACROSS,
        [[6.0, 12.0, 18.0], [6.0, 16.0, 14.0]],
    );
    let maxilla = Segment::new(
        [[22.0, 23.0, 60.0], [20.0, 26.0, 80.0]],
        UP,
        ACROSS,
        [[8.0, 9.0, 17.0], [5.0, 14.0, 14.0]],
    );
    let back =
        Segment::new([[6.0, 0.0, 74.0], [8.0, 14.0, 76.0]], UP, ACROSS, [[8.0, 9.0, 10.0]; 2]);
    let tuberosity = Segment::new(
        [[6.0, 27.0, 60.0], [2.0, 23.0, 82.0]],
        UP,
        ACROSS,
        [[5.0, 6.5, 9.0], [5.0, 10.0, 8.0]],
    );
    let wing = Segment::new(
        [[2.0, 26.0, 96.0], [-14.0, 30.0, 88.0]],
        UP,
        ACROSS,
        [[8.0, 14.0, 10.0], [8.0, 12.0, 5.0]],
    );
    vec![wall, ethmoid, maxilla, back, tuberosity, wing]
}

/// Pterygoid plates.
fn pterygoid() -> Vec<Segment> {
    let lateral = Segment::new(
        [[-8.0, 20.0, 84.0], [-8.5, 21.6, 60.0]],
        UP,
        [0.93, -0.36, 0.0],
        [[3.0, 7.0, 2.4], [3.0, 6.0, 2.0]],
    );
    let medial = Segment::new(
        [[-6.0, 12.0, 84.0], [-5.5, 12.5, 60.0]],
        UP,
        [1.0, 0.0, 0.0],
        [[3.0, 5.5, 2.2], [2.0, 3.0, 1.8]],
    );
    vec![lateral, medial]
}

/// Mucosa of the hard palate: as wide as that, and lower by its thickness.
pub(super) fn mucosa() -> Vec<Segment> {
    tube(&PALATE.map(|it| it.raised(-MUCOSA)), Upright::Width(ACROSS))
}

/// Adds the face to the braincase.
pub(super) fn with_face(skull: Solid) -> Solid {
    let margins = tube(&MARGIN, Upright::Height([1.0, 0.0, 0.0]));
    let bars = [
        tube(&ZYGOMA, Upright::Height(UP)),
        tube(&CREST, Upright::Width([1.0, 0.0, 0.0])),
        tube(&FRONTAL, Upright::Width(ACROSS)),
    ];
    let spine = Segment::cone([[40.0, 0.0, 62.0], [47.5, 0.0, 63.0]], [3.4, 1.0]);
    skull
        .add([14.0, 5.0], core())
        .add([10.0, 2.0], margins)
        .add([10.0, 2.0], tube(&TEMPORAL_LINE, Upright::Width(UP)))
        .add([6.0, 3.0], bars.into_iter().flatten())
        .add([4.0, 0.0], tube(&NASAL, Upright::Width(ACROSS)))
        .add([5.0, 1.0], tube(&RIDGE, Upright::Height(UP)))
        .add([3.0, 1.0], tube(&PALATE, Upright::Width(ACROSS)))
        .add([2.5, 2.0], pterygoid())
        .cut([9.6, 4.0], orbit(0.0))
        .cut([2.5, 2.5], nose())
        .add([2.5, 0.0], [spine])
        .add([2.0, 0.0], septum())
        .add([1.6, 0.6], CROWNS.iter().map(|it| it.root(10.0)))
        .add([1.6, 0.0], septa(&CROWNS))
        .add([0.9, 0.5], CROWNS.iter().flat_map(Crown::segments))
}

/// The nasal opening and cavity.
fn nose() -> Vec<Part> {
    let lower = Segment::new(
        [[62.0, 5.0, 72.0], [20.0, 5.5, 73.0]],
        UP,
        ACROSS,
        [[8.0, 7.2, 8.6], [5.0, 6.0, 8.0]],
    );
    let upper = Segment::new(
        [[62.0, 1.0, 88.0], [22.0, 2.0, 86.0]],
        UP,
        ACROSS,
        [[8.0, 6.2, 7.5], [5.0, 5.0, 7.0]],
    );
    vec![lower.into(), upper.into()]
}

/// Septum of the nose.
fn septum() -> Vec<Segment> {
    vec![Segment::new([[26.0, 0.0, 66.0], [20.0, 0.0, 92.0]], UP, ACROSS, [[8.0, 1.3, 9.0]; 2])]
}
