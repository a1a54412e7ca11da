//! The hyoid bone [mm], drawn for this project around the landmarks of `jaw/muscles.rs`.

use super::sdf::{Point, Section, Segment, Solid, Upright, section, tube};

/// The vertical.
const UP: Point = [0.0, 0.0, 1.0];

/// Body and greater horn.
const HYOID: [Section; 7] = [
    section([-3.6, 0.0, -3.8], 3.3, 4.9),
    section([-4.8, 9.0, -3.6], 3.1, 4.7),
    section([-8.4, 15.4, -1.0], 2.7, 3.5),
    section([-12.0, 18.6, 0.0], 2.3, 2.7),
    section([-20.0, 21.0, 3.4], 2.0, 2.3),
    section([-28.5, 22.0, 7.4], 1.8, 2.1),
    section([-35.2, 22.0, 10.6], 1.8, 2.0),
];

/// The hyoid bone.
pub(super) fn hyoid() -> Solid {
    let lesser = Segment::cone([[-9.0, 15.2, 1.5], [-11.0, 16.6, 4.6]], [1.4; 2]);
    Solid::new().add([1.2, 0.0], tube(&HYOID, Upright::Height(UP))).add([1.2, 0.0], [lesser])
}
