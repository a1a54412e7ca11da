//! Bones of a left knee [mm], drawn for this project from the dimensions of docs/theory/anatomy.md. x is forward, y to the left
//! (lateral), z up; the origin lies between both condyles on the axis about which the knee flexes. The shank is straight here.

use crate::bones::sdf::{HalfSpace, Point, Section, Segment, Solid, Upright, rod, section, tube};

const UP: Point = [0.0, 0.0, 1.0];
const ACROSS: Point = [0.0, 1.0, 0.0];
const FORWARD: Point = [1.0, 0.0, 0.0];

/// Radius of the condyles with their cartilage, in the sagittal and in the frontal plane, and distance of their middle planes
/// from that of the knee.
pub(super) const CONDYLE: [f64; 2] = [22.0, 18.0];
pub(super) const ASIDE: f64 = 24.0;
/// Axis of the trochlea and radius of its groove with cartilage.
pub(super) const TROCHLEA: Point = [19.3, 0.0, 8.2];
pub(super) const GROOVE: f64 = 23.0;
/// Balls of the trochlea with cartilage: lateral and medial radius, and distance from the groove.
pub(super) const FLANKS: [f64; 2] = [29.0, 28.0];
const FLANK_ASIDE: f64 = 17.0;
/// Thickness of the cartilage of femur, tibia and patella.
pub(super) const FEMORAL: f64 = 2.2;
pub(super) const TIBIAL: f64 = 2.5;
pub(super) const PATELLAR: f64 = 2.8;
/// Half axes of the hollows of the plateaus with cartilage, medial and lateral.
const HOLLOWS: [Point; 2] = [[60.0, 40.0, 40.0], [80.0, 42.0, 40.0]];
/// Half axes of the patella.
const PATELLA: Point = [10.0, 22.0, 20.0];

/// Shaft of the femur from above the origins of the vasti, bent forward, down to the condyles.
const FEMUR: [Section; 7] = [
    section([3.0, 0.0, 232.0], 14.0, 14.5),
    section([2.0, 0.0, 180.0], 14.0, 14.5),
    section([0.0, 0.0, 130.0], 14.0, 14.5),
    section([0.0, 0.0, 80.0], 16.0, 16.0),
    section([3.0, 0.0, 48.0], 25.0, 18.0),
    section([5.0, 0.0, 22.0], 35.0, 20.0),
    section([6.0, 0.0, 6.0], 36.0, 20.0),
];

/// Tibia below the plateaus.
const TIBIA: [Section; 5] = [
    section([0.0, 0.0, -33.0], 35.0, 22.0),
    section([3.0, 0.0, -48.0], 25.0, 20.0),
    section([4.0, -2.0, -70.0], 17.0, 17.0),
    section([4.0, -3.0, -100.0], 14.0, 15.0),
    section([4.0, -3.0, -140.0], 12.5, 14.0),
];

/// Tuberosity and crest of the tibia.
const TUBEROSITY: [Section; 4] = [
    rod([20.0, 2.0, -38.0], 7.0),
    rod([25.5, 3.0, -50.0], 7.0),
    rod([18.0, 1.0, -66.0], 6.0),
    rod([12.0, 0.0, -100.0], 5.0),
];

/// Fibula.
const FIBULA: [Section; 4] = [
    rod([-17.0, 34.0, -44.0], 8.5),
    rod([-16.0, 34.0, -58.0], 6.5),
    rod([-14.0, 32.0, -90.0], 5.0),
    rod([-13.0, 31.0, -140.0], 5.0),
];

/// Articular surfaces of the femur without the notch between the condyles, moved outwards from the bone.
pub(super) fn femoral_joint(outwards: f64) -> Solid {
    let grown = outwards - FEMORAL;
    let [long, wide] = CONDYLE.map(|radius| radius + grown);
    let condyles = [ASIDE, -ASIDE].map(|y| Segment::ellipsoid([0.0, y, 0.0], [long, wide, long]));
    let flank = |radius: f64, y: f64| {
        Segment::ellipsoid([TROCHLEA[0], y, TROCHLEA[2]], [radius + grown; 3])
    };
    let flanks = [flank(FLANKS[0], FLANK_ASIDE), flank(FLANKS[1], -FLANK_ASIDE)];
    Solid::new().one_sided().add([0.0, 4.0], condyles).add([6.0, 3.0], flanks)
}

/// The lower end of the femur.
pub(super) fn femur() -> Solid {
    let epicondyles = [37.0, -37.0].map(|y| Segment::ellipsoid([1.0, y, 4.0], [8.0, 6.0, 9.0]));
    let notch = Segment::new(
        [[-40.0, 0.0, -13.0], [2.0, 0.0, -13.0]],
        UP,
        ACROSS,
        [[9.0, 10.5, 15.0], [6.0, 8.0, 9.0]],
    );
    femoral_joint(0.0)
        .add([8.0, 2.0], tube(&FEMUR, Upright::Width(ACROSS)))
        .add([5.0, 0.0], epicondyles)
        .cut([3.0, 0.0], [notch])
}

/// Both plateaus on the shaft, hollowed: what cartilage lies on.
pub(super) fn plateaus() -> Solid {
    let plateau = |x: [f64; 2], y: f64, width: f64| {
        let ends = x.map(|x| [x, y, -26.0]);
        Segment::new(ends, FORWARD, ACROSS, [[12.0, width, 10.0]; 2])
    };
    let plateaus = [plateau([-15.0, 13.0], -21.0, 18.0), plateau([-13.0, 11.0], 21.0, 18.0)];
    let hollow = |[a, b, c]: Point, y: f64| {
        let radii = [a, b, c].map(|radius| radius + TIBIAL);
        Segment::ellipsoid([0.0, y, c - CONDYLE[0]], radii)
    };
    let hollows = [hollow(HOLLOWS[0], -ASIDE), hollow(HOLLOWS[1], ASIDE)];
    Solid::new()
        .one_sided()
        .add([0.0, 4.0], plateaus)
        .add([3.0, 2.0], tube(&TIBIA, Upright::Width(ACROSS)))
        .keep([1.5, 0.0], [HalfSpace::behind([0.0, 0.0, -20.5], UP)])
        .cut([1.0, 0.0], hollows)
}

/// The upper ends of tibia and fibula.
pub(super) fn tibia() -> Solid {
    let spines =
        [6.5, -6.5].map(|y| Segment::cone([[-3.0, y, -27.0], [-3.0, y, -16.5]], [4.5, 1.5]));
    plateaus()
        .add([4.0, 2.0], spines)
        .add([5.0, 1.0], tube(&TUBEROSITY, Upright::Width(ACROSS)))
        .add([2.0, 1.0], tube(&FIBULA, Upright::Width(ACROSS)))
}

/// The patella about its centre, moved outwards from the bone.
pub(super) fn patella(outwards: f64) -> Solid {
    let body = Segment::ellipsoid([0.0; 3], PATELLA.map(|radius| radius + outwards));
    let apex = Segment::cone([[1.0, 0.0, -10.0], [0.5, 0.0, -22.0]], [8.0, 4.0]);
    Solid::new().one_sided().add([0.0, 0.0], [body]).add([6.0, 0.0], [apex])
}
