//! The braincase [mm]: a shell about the cavity of the brain, with temporal fossae and a base; on it the temporal bone
//! with its processes and the joint of the jaw.

use super::sdf::{HalfSpace, Point, Section, Segment, Solid, Upright, rod, section, tube};

const UP: Point = [0.0, 0.0, 1.0];
const ACROSS: Point = [0.0, 1.0, 0.0];

/// Centre and radii of the ellipsoids whose blend is the outer surface: forehead, middle, parietal and occipital part.
const OUTER: [[Point; 2]; 5] = [
    [[-12.0, 0.0, 134.0], [55.0, 55.0, 58.0]],
    [[-54.0, 0.0, 128.0], [80.0, 63.6, 73.0]],
    [[-60.0, 24.0, 134.0], [48.0, 46.8, 52.0]],
    [[-90.0, 0.0, 122.0], [49.0, 55.0, 50.0]],
    [[-58.0, 36.0, 108.0], [32.0, 32.0, 34.0]],
];
/// Blend between them.
const OUTER_BLEND: f64 = 30.0;
/// Thickness of the calvaria.
const WALL: f64 = 5.0;

/// Hollow beside the braincase in which the temporal muscle lies: centre, radii.
const FOSSA: [[Point; 2]; 3] = [
    [[0.0, 92.0, 108.0], [40.0, 46.0, 36.0]],
    [[-22.0, 102.0, 108.0], [34.0, 45.0, 34.0]],
    [[-14.0, 62.0, 82.0], [24.0, 20.0, 20.0]],
];
const FOSSA_BLEND: f64 = 16.0;

/// Zygomatic process of the temporal bone, from its root to the suture.
const PROCESS: [Section; 5] = [
    section([-58.0, 59.5, 87.0], 2.4, 3.0),
    section([-45.0, 61.6, 85.5], 2.4, 3.4),
    section([-32.0, 63.6, 83.0], 2.3, 3.4),
    section([-22.0, 63.8, 81.4], 2.2, 3.8),
    section([-14.0, 62.6, 81.0], 2.2, 4.0),
];

/// Mastoid process.
const MASTOID: [Section; 4] = [
    section([-66.0, 52.0, 94.0], 14.0, 9.0),
    section([-64.0, 53.5, 82.0], 12.0, 8.0),
    section([-60.5, 54.5, 71.0], 9.0, 6.0),
    section([-57.0, 53.4, 63.0], 5.5, 4.2),
];

/// Styloid process.
const STYLOID: [Section; 3] =
    [rod([-49.0, 42.5, 80.0], 3.6), rod([-47.6, 41.4, 70.0], 2.6), rod([-45.6, 39.8, 57.5], 1.7)];

fn ellipsoids(rows: &[[Point; 2]], grown: f64) -> Vec<Segment> {
    rows.iter()
        .map(|&[center, radii]| Segment::ellipsoid(center, radii.map(|r| r + grown)))
        .collect()
}

/// The ellipsoids of the outer surface, grown by some millimetres.
pub(super) fn outer(grown: f64) -> Vec<Segment> {
    ellipsoids(&OUTER, grown)
}

/// Planes of the base, raised by some millimetres: front part, nuchal part and its sides.
fn base(raised: f64) -> [HalfSpace; 3] {
    [
        HalfSpace::behind([0.0, 0.0, 83.0 + raised], [0.10, 0.0, -1.0]),
        HalfSpace::behind([-88.0, 0.0, 66.0 + raised], [-0.46, 0.0, -1.0]),
        HalfSpace::behind([-100.0, 50.0, 80.0 + raised], [-0.3, 0.62, -0.75]),
    ]
}

/// The closed braincase with its cavity, the foramen magnum and the temporal fossae.
pub(super) fn shell() -> Solid {
    let [front, nuchal, side] = base(0.0);
    let outer = Solid::new()
        .add([OUTER_BLEND; 2], ellipsoids(&OUTER, 0.0))
        .keep([10.0, 0.0], [front])
        .keep([18.0, 0.0], [nuchal])
        .keep([18.0, 0.0], [side])
        .cut([12.0, FOSSA_BLEND], ellipsoids(&FOSSA, 0.0));
    let foramen =
        Segment::new([[-69.0, 0.0, 50.0], [-69.0, 0.0, 92.0]], UP, ACROSS, [[15.0, 14.5, 17.5]; 2]);
    outer.add([12.0, 2.0], underside()).cut([3.0, 0.0], [cavity()]).cut([4.0, 0.0], [foramen])
}

/// The cavity of the brain.
pub(super) fn cavity() -> Solid {
    let [front, nuchal, side] = base(WALL + 1.0);
    let anterior = HalfSpace::behind([0.0, 0.0, 126.0], [0.55, 0.0, -1.0]);
    Solid::new()
        .add([OUTER_BLEND; 2], ellipsoids(&OUTER, -WALL))
        .keep([10.0, 0.0], [front])
        .keep([18.0, 0.0], [nuchal])
        .keep([18.0, 0.0], [side])
        .keep([20.0, 0.0], [anterior])
        .cut([12.0, FOSSA_BLEND], ellipsoids(&FOSSA, WALL + 3.0))
}

/// Thickenings of the base: body of the sphenoid and clivus, occipital condyles.
fn underside() -> Vec<Segment> {
    let clivus = Segment::new(
        [[-18.0, 0.0, 84.0], [-54.0, 0.0, 70.5]],
        UP,
        ACROSS,
        [[8.0, 11.0, 8.0], [4.0, 13.0, 4.5]],
    );
    let condyle = Segment::tilted([-63.0, 17.5, 68.5], [0.9, -0.4, 0.0], ACROSS, [11.0, 5.5, 5.0]);
    let squama = Segment::new(
        [[-28.0, 45.0, 91.0], [-64.0, 49.0, 92.0]],
        UP,
        ACROSS,
        [[8.0, 11.0, 7.0], [8.0, 11.0, 9.0]],
    );
    vec![clivus, condyle, squama]
}

/// Crest of the eminence and the end of its rear slope, 4 mm within the surface: the middle of the condyle, which begins at (-37.4, 73.5),
/// passes 7.5 mm below that on its way (`fossa_path`), and turns upwards by 1.5 mm in a wide opening.
const EMINENCE: [Point; 2] = [[-27.8, 55.5, 80.0], [-33.0, 55.5, 84.4]];

/// Processes of the temporal bone, and the eminence before the joint.
pub(super) fn temporal() -> Vec<Segment> {
    let eminence = Segment::new(EMINENCE, UP, ACROSS, [[4.0, 8.0, 4.0]; 2]);
    let root = Segment::new(
        [[-27.0, 59.0, 80.5], [-27.0, 63.2, 82.0]],
        UP,
        ACROSS,
        [[3.4, 4.0, 3.4], [3.0, 3.0, 3.4]],
    );
    let tympanic = Segment::new(
        [[-51.0, 46.0, 78.0], [-53.0, 57.0, 78.0]],
        UP,
        UP,
        [[3.0, 8.5, 4.0], [3.0, 7.5, 5.0]],
    );
    let mut all = vec![eminence, root, tympanic];
    all.extend(tube(&PROCESS, Upright::Height(UP)));
    all.extend(tube(&MASTOID, Upright::Width([1.0, 0.0, 0.0])));
    all.extend(tube(&STYLOID, Upright::Width(ACROSS)));
    all
}

/// Hollows of the temporal bone: fossa of the jaw, behind the slope of the eminence; ear canal.
pub(super) fn hollows() -> Vec<Segment> {
    let fossa = Segment::ellipsoid([-38.4, 51.0, 72.0], [7.0, 12.0, 10.2]);
    let meatus = Segment::cone([[-56.0, 70.0, 80.5], [-55.5, 54.0, 82.0]], [4.2, 3.4]);
    vec![fossa, meatus]
}
