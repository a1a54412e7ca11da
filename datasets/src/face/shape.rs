//! The outside of the head where the face is [mm], drawn over the skull of `bones` at the published depths of soft tissue
//! (docs/theory/anatomy.md). No scan of a person and no
//! mesh of another model went into it.

use crate::bones::sdf::{Point, Segment, Solid, Upright, rod, section, tube};
use crate::bones::{self, Bone};

const UP: Point = [0.0, 0.0, 1.0];
const ACROSS: Point = [0.0, 1.0, 0.0];
const FORWARD: Point = [1.0, 0.0, 0.0];

/// Centre of the left eyeball, and its radius: an axial length of 24 mm.
pub(super) const EYE: Point = [26.5, 31.0, 104.5];
pub(super) const EYE_RADIUS: f64 = 12.0;
/// Thickness of a lid.
const LID: f64 = 3.2;
/// Thickness of the soft tissue on the vault.
const SCALP: f64 = 5.5;

/// Brow, from the root of the nose to the side of the orbit.
const BROW: [bones::sdf::Section; 6] = [
    rod([38.5, 0.0, 121.0], 10.5),
    rod([38.5, 10.0, 122.0], 10.5),
    rod([38.0, 20.0, 124.5], 9.6),
    rod([35.5, 30.0, 125.5], 9.2),
    rod([30.0, 39.5, 123.0], 9.0),
    rod([23.0, 46.5, 116.0], 9.0),
];

/// Lower edge of the orbit and its side, down from the brow.
const UNDER_EYE: [bones::sdf::Section; 6] = [
    rod([19.0, 47.5, 108.0], 8.6),
    rod([17.5, 47.0, 99.0], 9.0),
    rod([21.0, 43.5, 90.0], 10.5),
    rod([27.0, 36.0, 84.0], 11.5),
    rod([31.0, 26.0, 83.5], 11.0),
    rod([34.0, 16.0, 90.0], 9.5),
];

/// Cheek bone and arch with what lies on them.
const CHEEKBONE: [bones::sdf::Section; 5] = [
    section([20.0, 38.0, 77.0], 13.0, 14.0),
    section([12.0, 47.0, 77.0], 12.0, 14.0),
    section([1.0, 53.5, 76.0], 11.0, 14.0),
    section([-12.0, 57.0, 78.0], 11.0, 14.0),
    section([-34.0, 58.5, 84.0], 11.0, 13.0),
];

/// Masseter and parotid gland over the ramus.
const RAMUS: [bones::sdf::Section; 3] = [
    section([-8.0, 47.0, 66.0], 16.0, 14.0),
    section([-14.0, 44.5, 46.0], 17.0, 15.0),
    section([-18.0, 43.5, 28.0], 16.0, 14.0),
];

/// Lower border of the mandible from the chin to the angle.
const JAWLINE: [bones::sdf::Section; 5] = [
    section([34.0, 0.0, 11.0], 14.0, 13.0),
    section([31.0, 12.0, 10.5], 14.0, 13.0),
    section([20.0, 24.0, 13.0], 14.0, 13.5),
    section([0.0, 34.5, 18.0], 14.0, 14.0),
    section([-20.0, 43.0, 25.0], 13.0, 15.0),
];

/// Upper lip from the middle to the corner of the mouth; widths run across it, heights up.
const UPPER_LIP: [bones::sdf::Section; 5] = [
    section([50.4, 0.0, 47.6], 8.2, 8.6),
    section([50.0, 6.0, 47.4], 8.2, 8.6),
    section([46.2, 13.5, 46.2], 8.0, 7.4),
    section([40.8, 20.0, 43.4], 7.6, 5.6),
    section([35.0, 26.0, 40.6], 7.0, 4.6),
];

/// Lower lip from the middle to the corner of the mouth.
const LOWER_LIP: [bones::sdf::Section; 5] = [
    section([48.0, 0.0, 32.0], 8.8, 8.2),
    section([47.2, 6.0, 32.0], 8.8, 8.2),
    section([43.4, 13.5, 32.8], 8.4, 7.4),
    section([38.6, 20.0, 35.4], 7.6, 5.6),
    section([34.0, 26.0, 38.4], 7.0, 4.6),
];

/// Bridge and tip of the nose; widths run across, heights forward.
const NOSE: [bones::sdf::Section; 5] = [
    section([43.5, 0.0, 116.0], 9.0, 8.0),
    section([45.0, 0.0, 106.0], 8.0, 8.6),
    section([51.0, 0.0, 94.0], 8.0, 8.0),
    section([57.5, 0.0, 83.0], 8.0, 8.0),
    section([64.5, 0.0, 73.5], 8.0, 8.6),
];

/// The outside of the head.
pub(super) fn outside() -> Solid {
    let cheeks = [
        Segment::ellipsoid([-10.0, 0.0, 47.0], [58.0, 55.0, 60.0]),
        Segment::ellipsoid([14.0, 27.0, 54.0], [29.0, 27.0, 30.0]),
        Segment::ellipsoid([-15.0, 0.0, 20.0], [50.0, 52.0, 28.0]),
        Segment::ellipsoid([-18.0, 20.0, 100.0], [44.0, 46.0, 44.0]),
    ];
    let chin = [
        Segment::ellipsoid([36.0, 0.0, 9.5], [15.5, 15.0, 12.5]),
        Segment::ellipsoid([35.0, 7.0, 8.5], [14.5, 11.0, 11.5]),
    ];
    let philtrum = Segment::new(
        [[47.5, 0.0, 62.0], [50.0, 0.0, 50.0]],
        UP,
        ACROSS,
        [[8.0, 12.0, 9.0], [6.0, 11.0, 7.5]],
    );
    let eye = Segment::ellipsoid(EYE, [EYE_RADIUS + LID; 3]);
    let [sidewall, wing, columella] = sides_of_the_nose();
    let bars = [tube(&CHEEKBONE, Upright::Height(UP)), tube(&RAMUS, Upright::Width(FORWARD))];
    Solid::new()
        .add([0.0, 30.0], bones::vault_ellipsoids(SCALP))
        .add([26.0, 18.0], cheeks)
        .add([16.0, 10.0], bars.into_iter().flatten())
        .add([14.0, 6.0], tube(&JAWLINE, Upright::Height(UP)))
        .add([12.0, 6.0], tube(&BROW, Upright::Height(FORWARD)))
        .add([12.0, 6.0], tube(&UNDER_EYE, Upright::Height(FORWARD)))
        .add([10.0, 14.0], chin)
        .add([10.0, 0.0], [philtrum])
        .add([7.0, 3.0], tube(&UPPER_LIP, Upright::Height(UP)))
        .add([2.5, 3.0], tube(&LOWER_LIP, Upright::Height(UP)))
        .add([9.0, 4.0], tube(&NOSE, Upright::Width(ACROSS)))
        .add([9.0, 0.0], [sidewall])
        .add([5.0, 0.0], [wing])
        .add([5.0, 0.0], [columella])
        .add([5.0, 0.0], [eye])
}

/// Sidewall, wing and columella of the nose.
fn sides_of_the_nose() -> [Segment; 3] {
    let sidewall = Segment::new(
        [[46.0, 5.0, 94.0], [54.0, 8.0, 74.0]],
        FORWARD,
        ACROSS,
        [[7.0, 7.0, 7.0], [9.0, 8.0, 9.0]],
    );
    let wing = Segment::tilted([56.5, 11.5, 69.8], [1.0, 0.25, 0.0], ACROSS, [9.5, 6.6, 7.0]);
    let columella = Segment::cone([[66.0, 0.0, 69.0], [52.0, 0.0, 64.5]], [4.6, 5.4]);
    [sidewall, wing, columella]
}

/// Bones and eyeballs, on which soft tissue of the face lies.
pub(super) struct Ground {
    skull: Solid,
    mandible: Solid,
    maxilla: bones::Shape,
    cranium: bones::Shape,
}

/// The bone at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Under {
    /// The braincase.
    Cranium,
    /// The upper jaw with what is fused to it.
    Maxilla,
    /// The lower jaw.
    Mandible,
}

impl Under {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Cranium, Self::Maxilla, Self::Mandible];
}

impl Ground {
    /// Of the generated skull and mandible, and the eyeballs.
    pub(super) fn new() -> Self {
        Self {
            skull: bones::whole_skull(),
            mandible: bones::mandible_solid(),
            maxilla: Bone::Maxilla.shape(),
            cranium: Bone::Cranium.shape(),
        }
    }

    /// Approximate distance from bone or eyeball [mm].
    pub(super) fn value(&self, p: Point) -> f64 {
        self.skull.value(p).min(self.mandible.value(p)).min(eyeball(p))
    }

    /// The bone nearest to a point; `None` where that is the eyeball.
    pub(super) fn under(&self, p: Point) -> Option<Under> {
        let metres = p.map(|x| x * MM);
        let at = [
            (eyeball(p), None),
            (self.mandible.value(p), Some(Under::Mandible)),
            (self.maxilla.signed_value(metres) / MM, Some(Under::Maxilla)),
            (self.cranium.signed_value(metres) / MM, Some(Under::Cranium)),
        ];
        at.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).and_then(|(_, under)| under)
    }
}

/// Millimetres to metres.
const MM: f64 = 1e-3;

/// Distance from the eyeball of the side [mm].
pub(super) fn eyeball([x, y, z]: Point) -> f64 {
    let d = [x - EYE[0], y.abs() - EYE[1], z - EYE[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() - EYE_RADIUS
}
