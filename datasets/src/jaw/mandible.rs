//! The mandible as an implicit bone [mm]: body, alveolar ridge and crowns along the dental arch, ramus,
//! coronoid and condylar processes. Drawn for this project around the landmarks of `muscles.rs` and the
//! measures of docs/theory/anatomy.md; no scan of a person went into it.

use super::implicit::{Bone, Section, Segment, Upright, section, tube};

/// The vertical.
const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// Basal part of the body from the chin to the angle.
const BODY: [Section; 9] = [
    section([35.6, 0.0, 10.5], 5.9, 9.0),
    section([35.0, 9.0, 10.4], 5.8, 9.0),
    section([30.8, 18.4, 10.8], 5.5, 9.0),
    section([22.0, 24.6, 12.0], 5.4, 9.2),
    section([12.0, 29.0, 14.0], 5.3, 9.4),
    section([-1.0, 33.8, 18.0], 5.0, 10.0),
    section([-13.0, 39.6, 21.0], 4.3, 9.8),
    section([-23.0, 44.5, 22.0], 2.8, 8.0),
    section([-29.0, 46.6, 23.5], 2.6, 5.5),
];

/// Alveolar ridge from the midline to behind the last molar.
const RIDGE: [Section; 7] = [
    section([37.8, 0.0, 22.0], 4.6, 7.0),
    section([36.6, 8.5, 22.0], 4.6, 7.0),
    section([31.5, 16.2, 22.5], 4.8, 7.0),
    section([23.5, 21.4, 24.0], 5.0, 7.0),
    section([14.0, 25.2, 26.0], 5.4, 7.0),
    section([4.0, 29.2, 28.5], 5.2, 6.8),
    section([-6.0, 33.4, 31.0], 4.4, 6.5),
];

/// A crown: a segment from its neck to its chewing surface, with half its mesiodistal and half its
/// buccolingual width at both ends, and half of its last height.
pub(super) struct Crown {
    pub(super) neck: [f64; 3],
    pub(super) top: [f64; 3],
    /// Direction of the dental arch there.
    pub(super) arch: [f64; 3],
    pub(super) mesiodistal: f64,
    pub(super) buccolingual: [f64; 2],
    pub(super) cap: f64,
}

impl Crown {
    pub(super) fn segment(&self) -> Segment {
        let radii = self.buccolingual.map(|width| [self.cap, self.mesiodistal, width]);
        Segment::new([self.neck, self.top], UP, self.arch, radii)
    }
}

/// Lower crowns from the central incisor to the second molar.
const CROWNS: [Crown; 7] = [
    Crown {
        neck: [40.0, 2.7, 27.0],
        top: [43.8, 2.7, 33.9],
        arch: [-0.1, 1.0, 0.0],
        mesiodistal: 3.0,
        buccolingual: [3.2, 1.8],
        cap: 2.3,
    },
    Crown {
        neck: [39.0, 8.3, 27.0],
        top: [42.0, 8.6, 33.8],
        arch: [-0.4, 1.0, 0.0],
        mesiodistal: 3.0,
        buccolingual: [3.3, 1.9],
        cap: 2.3,
    },
    Crown {
        neck: [35.4, 13.8, 27.5],
        top: [37.4, 14.8, 33.4],
        arch: [-0.9, 1.0, 0.0],
        mesiodistal: 3.4,
        buccolingual: [3.9, 2.3],
        cap: 2.5,
    },
    Crown {
        neck: [30.0, 18.2, 28.0],
        top: [31.0, 19.0, 34.8],
        arch: [-1.3, 1.0, 0.0],
        mesiodistal: 3.6,
        buccolingual: [3.9, 3.0],
        cap: 3.0,
    },
    Crown {
        neck: [23.4, 21.6, 29.0],
        top: [24.0, 22.0, 36.4],
        arch: [-2.2, 1.0, 0.0],
        mesiodistal: 3.7,
        buccolingual: [4.2, 3.6],
        cap: 3.0,
    },
    Crown {
        neck: [14.6, 25.0, 30.0],
        top: [15.2, 25.0, 37.6],
        arch: [-2.5, 1.0, 0.0],
        mesiodistal: 5.5,
        buccolingual: [5.2, 4.6],
        cap: 3.2,
    },
    Crown {
        neck: [4.2, 29.0, 32.0],
        top: [4.8, 28.8, 37.2],
        arch: [-2.5, 1.0, 0.0],
        mesiodistal: 5.3,
        buccolingual: [5.0, 4.4],
        cap: 3.0,
    },
];

/// Direction from the front edge of the ramus to the rear one.
const REARWARD: [f64; 3] = [-0.95, 0.3, 0.0];

/// Plate of the ramus, from below; widths run rearward.
const RAMUS: [Section; 4] = [
    section([-17.0, 42.2, 25.0], 14.0, 3.2),
    section([-19.0, 43.2, 36.0], 15.6, 3.2),
    section([-20.8, 44.3, 47.0], 16.0, 3.1),
    section([-21.4, 45.3, 54.5], 15.4, 2.9),
];

/// Coronoid process.
const CORONOID: [Section; 3] = [
    section([-12.0, 42.8, 52.0], 7.0, 2.8),
    section([-7.5, 45.0, 63.0], 4.6, 2.6),
    section([-3.8, 46.9, 72.4], 3.0, 2.5),
];

/// Neck of the condylar process.
const NECK: [Section; 4] = [
    section([-29.0, 46.0, 45.0], 5.0, 2.6),
    section([-33.0, 47.6, 55.0], 5.4, 3.4),
    section([-35.8, 48.9, 62.5], 4.8, 3.9),
    section([-37.0, 50.0, 69.0], 4.2, 5.6),
];

/// Direction of the condyle's long axis: its lateral pole lies before its medial one.
const CONDYLE_AXIS: [f64; 3] = [0.17, 1.0, 0.0];

/// The mandible.
pub(super) fn mandible() -> Bone {
    let condyle =
        Segment::ellipsoid([-37.4, 50.6, 72.2], [1.0, 0.0, 0.0], CONDYLE_AXIS, [4.6, 8.4, 5.9]);
    let chin =
        Segment::ellipsoid([38.0, 0.0, 6.5], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [4.0, 9.0, 4.5]);
    let plates = [&RAMUS[..], &CORONOID[..], &NECK[..]];
    Bone::new(2.5)
        .with([tube(&BODY, Upright::Height(UP)), tube(&RIDGE, Upright::Height(UP))])
        .with(plates.map(|plate| tube(plate, Upright::Width(REARWARD))))
        .with_each([condyle, chin])
        .with_each(CROWNS.iter().map(Crown::segment))
}
