//! The hyoid bone and the thyroid cartilage as implicit bones [mm], drawn for this project around the
//! landmarks of `muscles.rs`.

use super::implicit::{Bone, Section, Segment, Upright, section, tube};

/// The vertical.
const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// Body and greater horn of the hyoid bone.
const HYOID: [Section; 7] = [
    section([-3.6, 0.0, -3.8], 3.3, 4.9),
    section([-4.8, 9.0, -3.6], 3.1, 4.7),
    section([-8.4, 15.4, -1.0], 2.7, 3.5),
    section([-12.0, 18.6, 0.0], 2.3, 2.7),
    section([-20.0, 21.0, 3.4], 2.0, 2.3),
    section([-28.5, 22.0, 7.4], 1.8, 2.1),
    section([-35.2, 22.0, 10.6], 1.8, 2.0),
];

/// Lamina of the thyroid cartilage from the prominence rearward.
const LAMINA: [Section; 4] = [
    section([-4.4, 0.0, -21.0], 2.2, 10.0),
    section([-8.0, 7.6, -21.0], 2.0, 10.5),
    section([-18.0, 14.8, -21.5], 2.0, 10.5),
    section([-29.0, 18.2, -21.5], 2.0, 10.5),
];

/// The hyoid bone.
pub(super) fn hyoid() -> Bone {
    let lesser =
        Segment::new([[-9.0, 15.2, 1.5], [-11.0, 16.6, 4.6]], UP, [0.0, 1.0, 0.0], [[1.4; 3]; 2]);
    Bone::new(1.2).with([tube(&HYOID, Upright::Height(UP))]).with_each([lesser])
}

/// The upper end of the sternum, to which the muscles below the hyoid bone descend.
pub(super) fn manubrium() -> Bone {
    let across = [0.0, 1.0, 0.0];
    let plate = Segment::new(
        [[-14.0, 0.0, -56.0], [-5.5, 0.0, -112.0]],
        UP,
        across,
        [[8.0, 15.0, 4.0], [6.0, 12.0, 4.0]],
    );
    Bone::new(1.0).with_each([plate])
}

/// The thyroid cartilage.
pub(super) fn thyroid() -> Bone {
    let horn = Segment::new(
        [[-30.0, 18.2, -14.0], [-33.0, 19.0, 0.0]],
        UP,
        [0.0, 1.0, 0.0],
        [[2.1; 3]; 2],
    );
    Bone::new(1.5).with([tube(&LAMINA, Upright::Height(UP))]).with_each([horn])
}
