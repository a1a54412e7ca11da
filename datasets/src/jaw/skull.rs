//! The fixed bones of the head as implicit bones [mm]: the maxilla with palate, upper crowns, zygomatic
//! arch and pterygoid plates, and a plain cranium with articular eminence, mastoid and styloid
//! processes. Drawn for this project around the landmarks of `muscles.rs`.

use super::implicit::{Bone, Section, Segment, Upright, section, tube};
use super::mandible::Crown;
use super::muscles::{MuscleGroup, Side, muscles};

/// The vertical.
const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// Alveolar process of the maxilla from the midline to the tuberosity.
const RIDGE: [Section; 7] = [
    section([42.0, 0.0, 53.0], 4.8, 7.5),
    section([40.0, 9.5, 53.0], 4.8, 7.5),
    section([34.0, 18.2, 53.5], 5.0, 7.5),
    section([25.0, 24.2, 54.5], 5.2, 7.5),
    section([15.0, 27.6, 56.0], 5.8, 8.0),
    section([5.0, 30.2, 57.0], 5.8, 8.0),
    section([-3.0, 31.0, 58.5], 5.4, 8.0),
];

/// Upper crowns from the central incisor to the second molar.
const CROWNS: [Crown; 7] = [
    Crown {
        neck: [43.0, 3.8, 46.5],
        top: [45.6, 3.8, 39.0],
        arch: [-0.2, 1.0, 0.0],
        mesiodistal: 4.3,
        buccolingual: [3.4, 2.0],
        cap: 2.5,
    },
    Crown {
        neck: [40.6, 11.4, 46.5],
        top: [42.4, 11.8, 39.8],
        arch: [-0.6, 1.0, 0.0],
        mesiodistal: 3.5,
        buccolingual: [3.4, 2.0],
        cap: 2.4,
    },
    Crown {
        neck: [36.4, 17.0, 47.0],
        top: [38.2, 18.0, 40.0],
        arch: [-1.0, 1.0, 0.0],
        mesiodistal: 3.8,
        buccolingual: [4.2, 2.5],
        cap: 2.6,
    },
    Crown {
        neck: [30.4, 21.2, 47.5],
        top: [31.2, 22.0, 42.6],
        arch: [-1.4, 1.0, 0.0],
        mesiodistal: 3.6,
        buccolingual: [4.5, 3.8],
        cap: 3.0,
    },
    Crown {
        neck: [23.6, 24.6, 48.5],
        top: [24.2, 25.2, 44.2],
        arch: [-2.4, 1.0, 0.0],
        mesiodistal: 3.6,
        buccolingual: [4.6, 4.0],
        cap: 3.0,
    },
    Crown {
        neck: [15.0, 27.6, 49.5],
        top: [15.2, 27.8, 45.4],
        arch: [-3.0, 1.0, 0.0],
        mesiodistal: 5.4,
        buccolingual: [5.6, 5.0],
        cap: 3.2,
    },
    Crown {
        neck: [4.6, 30.2, 50.0],
        top: [4.8, 30.4, 45.2],
        arch: [-3.0, 1.0, 0.0],
        mesiodistal: 5.1,
        buccolingual: [5.5, 4.9],
        cap: 3.2,
    },
];

/// Hard palate: widths run to the left, heights are its thickness.
const PALATE: [Section; 3] = [
    section([36.0, 0.0, 57.0], 16.0, 3.0),
    section([18.0, 0.0, 62.0], 24.0, 2.6),
    section([-4.0, 0.0, 62.0], 26.0, 2.6),
];

/// Zygomatic bone and arch, from the body of the maxilla rearward.
const ZYGOMA: [Section; 5] = [
    section([19.0, 33.0, 70.0], 5.0, 8.0),
    section([10.0, 47.0, 71.5], 4.0, 6.0),
    section([1.0, 56.2, 71.5], 3.0, 4.8),
    section([-13.0, 60.6, 78.0], 2.8, 4.2),
    section([-27.0, 62.0, 82.0], 2.8, 4.2),
];

/// Frontal process beside the nasal opening.
const FRONTAL: [Section; 3] = [
    section([35.0, 14.5, 60.0], 5.0, 4.0),
    section([32.0, 13.5, 74.0], 4.0, 4.0),
    section([30.0, 10.5, 90.0], 3.6, 4.0),
];

/// The maxilla with what is fused to it.
pub(super) fn maxilla() -> Bone {
    let across = [0.0, 1.0, 0.0];
    let body = Segment::new(
        [[20.0, 22.0, 60.0], [16.0, 27.0, 78.0]],
        UP,
        across,
        [[8.0, 10.0, 17.0], [5.0, 14.0, 15.0]],
    );
    let tuberosity =
        Segment::new([[0.0, 26.0, 62.0], [-13.0, 24.0, 64.0]], UP, across, [[4.0, 4.0, 5.0]; 2]);
    let pterygoid =
        Segment::new([[-13.5, 23.5, 62.0], [-14.0, 24.6, 82.0]], UP, across, [[3.0, 2.2, 6.5]; 2]);
    Bone::new(2.5)
        .with([tube(&RIDGE, Upright::Height(UP)), tube(&PALATE, Upright::Width(across))])
        .with([tube(&ZYGOMA, Upright::Height(UP)), tube(&FRONTAL, Upright::Width(across))])
        .with_each([body, tuberosity, pterygoid])
        .with_each(CROWNS.iter().map(Crown::segment))
}

/// Begin of the temporal fossa, in parts of each line of the muscle from its origin.
const FOSSA_BEGIN: f64 = 0.22;
/// Radius of the hollow about each line, and how far it is shifted outward, so that it is open there [mm].
const FOSSA_RADIUS: f64 = 9.5;
const FOSSA_SHIFT: f64 = 4.5;

/// A plain braincase with a flat base and temporal fossae; mastoid and styloid processes hang from it. The styloid process
/// is thicker than a real one, so that a coarse grid keeps it.
pub(super) fn cranium() -> Bone {
    let [ahead, across] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let vault = Segment::ellipsoid([-55.0, 0.0, 124.0], ahead, across, [94.0, 77.0, 75.0]);
    let eminence = Segment::ellipsoid([-21.0, 52.0, 87.0], ahead, across, [6.5, 10.0, 6.5]);
    let mastoid = Segment::new(
        [[-59.0, 52.0, 88.0], [-56.0, 51.5, 72.5]],
        UP,
        across,
        [[9.0, 8.0, 11.0], [6.5, 6.5, 7.5]],
    );
    let styloid =
        Segment::new([[-49.0, 42.0, 88.0], [-46.2, 40.2, 62.4]], UP, across, [[4.0; 3]; 2]);
    Bone::new(5.0)
        .with_each([vault])
        .cut_below(85.0)
        .hollowed(temporal_fossa())
        .with_each([eminence, mastoid, styloid])
}

/// The hollow beside the braincase in which the temporal muscle lies: about the lines of its three parts, from
/// below their origins.
fn temporal_fossa() -> impl Iterator<Item = Segment> {
    let parts = muscles()
        .into_iter()
        .filter(|muscle| muscle.side == Side::Left && muscle.group == MuscleGroup::Temporalis);
    parts.map(|muscle| {
        let [origin, insertion] =
            [muscle.origin, muscle.insertion].map(|end| end.point.map(|x| x * 1e3));
        let at = |part: f64| -> [f64; 3] {
            let shift = [0.0, FOSSA_SHIFT, 0.0];
            std::array::from_fn(|k| origin[k] + part * (insertion[k] - origin[k]) + shift[k])
        };
        let radii = [[FOSSA_RADIUS; 3]; 2];
        Segment::new([at(FOSSA_BEGIN), at(1.0)], UP, [1.0, 0.0, 0.0], radii)
    })
}
