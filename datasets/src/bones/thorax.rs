//! Origins of the muscles below the hyoid bone [mm]: the manubrium of the sternum, and the fascial sling
//! that fixes the intermediate tendon of the omohyoid.

use super::sdf::{Point, Section, Segment, Solid, Upright, rod, tube};

const ACROSS: Point = [0.0, 1.0, 0.0];

/// Sling from the intermediate tendon down to the clavicular notch.
const SLING: [Section; 4] = [
    rod([-14.0, 13.2, -53.0], 1.6),
    rod([-13.0, 15.5, -66.0], 1.2),
    rod([-8.5, 18.5, -82.0], 1.2),
    rod([-2.5, 20.0, -96.0], 1.5),
];

/// The manubrium, with jugular and clavicular notches.
pub(super) fn manubrium() -> Solid {
    let plate = Segment::new(
        [[-1.6, 0.0, -101.0], [9.0, 0.0, -134.0]],
        [0.0, 0.0, 1.0],
        ACROSS,
        [[11.0, 26.0, 5.6], [5.0, 15.0, 5.0]],
    );
    let jugular = Segment::ellipsoid([-2.0, 0.0, -86.0], [14.0, 10.0, 6.5]);
    let clavicular = Segment::ellipsoid([-2.0, 27.0, -90.0], [14.0, 11.0, 7.0]);
    let rib = Segment::ellipsoid([2.0, 28.0, -109.0], [10.0, 6.0, 5.0]);
    Solid::new().add([2.0, 0.0], [plate]).cut([3.0, 2.0], [jugular, clavicular, rib])
}

/// The slings of the omohyoids.
pub(super) fn omohyoid_slings() -> Solid {
    Solid::new().add([1.0, 0.0], tube(&SLING, Upright::Width(ACROSS)))
}
