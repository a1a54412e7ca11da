//! Cartilages of the larynx [mm]: thyroid, cricoid and arytenoid cartilages, drawn for this project around the
//! landmarks of `jaw/muscles.rs`.

use super::sdf::{Point, Section, Segment, Solid, Upright, rod, section, tube};

/// The vertical.
const UP: Point = [0.0, 0.0, 1.0];

/// Lamina of the thyroid cartilage from the prominence rearward.
const LAMINA: [Section; 4] = [
    section([-4.4, 0.0, -21.0], 2.2, 10.0),
    section([-8.0, 7.6, -21.0], 2.0, 10.5),
    section([-18.0, 14.8, -21.5], 2.0, 10.5),
    section([-29.0, 18.2, -21.5], 2.0, 10.5),
];

/// Upper and lower horn of the thyroid cartilage.
const UPPER_HORN: [Section; 3] =
    [rod([-30.0, 18.2, -18.0], 2.4), rod([-31.6, 18.5, -8.0], 2.1), rod([-33.0, 19.0, 0.0], 1.9)];
const LOWER_HORN: [Section; 3] = [
    rod([-29.6, 18.0, -26.0], 2.4),
    rod([-29.4, 17.2, -33.0], 2.1),
    rod([-28.0, 15.4, -39.0], 1.9),
];

/// Oblique line of the lamina.
const OBLIQUE: [Section; 3] = [
    rod([-27.0, 18.6, -14.0], 1.6),
    rod([-20.5, 16.6, -18.5], 1.6),
    rod([-13.0, 13.0, -27.0], 1.6),
];

/// Ring of the cricoid cartilage, from its arch in front to the lamina behind.
const RING: [Section; 6] = [
    section([-6.4, 0.0, -45.5], 2.0, 3.2),
    section([-8.8, 6.4, -45.2], 2.0, 3.4),
    section([-15.5, 10.6, -44.0], 2.1, 4.4),
    section([-23.0, 10.4, -41.5], 2.2, 7.0),
    section([-28.0, 6.0, -39.0], 2.3, 9.6),
    section([-29.4, 0.0, -38.4], 2.4, 10.4),
];

/// Radius of the borders of plates [mm]: those of an ellipse alone are sharper than the cells that they are drawn in.
const BORDER: f64 = 1.7;

/// The rounded upper and lower border of a plate.
fn borders(plate: &[Section]) -> impl Iterator<Item = Segment> {
    [1.0, -1.0].into_iter().flat_map(|side| {
        let border: Vec<Section> = plate.iter().map(|it| it.border(side, BORDER)).collect();
        tube(&border, Upright::Height(UP))
    })
}

/// The thyroid cartilage.
pub(super) fn thyroid() -> Solid {
    let notch = Segment::new(
        [[-16.0, 0.0, -9.0], [8.0, 0.0, -9.0]],
        UP,
        [0.0, 1.0, 0.0],
        [[3.0, 4.2, 6.0]; 2],
    );
    let bars = [&UPPER_HORN[..], &LOWER_HORN[..], &OBLIQUE[..]];
    let bars = bars.into_iter().flat_map(|bar| tube(bar, Upright::Width([0.0, 1.0, 0.0])));
    Solid::new()
        .add([1.5, 0.0], tube(&LAMINA, Upright::Height(UP)))
        .add([1.0, 0.0], borders(&LAMINA))
        .cut([1.5, 0.0], [notch])
        .add([1.5, 1.0], bars)
}

/// The cricoid cartilage.
pub(super) fn cricoid() -> Solid {
    Solid::new().add([1.5, 0.5], tube(&RING, Upright::Height(UP))).add([1.0, 0.0], borders(&RING))
}

/// The arytenoid cartilages, with their vocal processes.
pub(super) fn arytenoids() -> Solid {
    let body = Segment::cone([[-27.0, 5.6, -24.6], [-27.5, 4.0, -14.0]], [3.4, 1.5]);
    let vocal = Segment::cone([[-26.0, 5.0, -25.4], [-19.0, 2.6, -25.0]], [2.2, 1.3]);
    let muscular = Segment::cone([[-27.5, 6.0, -25.4], [-30.0, 9.6, -26.0]], [2.4, 1.8]);
    Solid::new().add([1.5, 1.5], [body, vocal, muscular])
}
