//! The liver [mm], drawn for this project from the dimensions of docs/theory/anatomy.md. x is forward, y to the left, z up; the
//! origin lies in the middle of the organ.

use crate::bones::sdf::{HalfSpace, Point, Segment, Solid};

/// Center and half axes of the right lobe.
const RIGHT: [Point; 2] = [[0.0, -40.0, -8.0], [65.0, 72.0, 80.0]];
/// The left lobe, which tapers to its tip, and its radii.
const LEFT: [Point; 2] = [[12.0, 0.0, 22.0], [22.0, 90.0, 20.0]];
const LEFT_RADII: [f64; 2] = [40.0, 16.0];
/// A point of the visceral surface and the direction in which it looks: down, back and to the left.
const VISCERAL: [Point; 2] = [[0.0, 20.0, -20.0], [-0.45, 0.35, -0.82]];
/// The fossa of the gallbladder and the impression of the kidney: centers and half axes.
const HOLLOWS: [[Point; 2]; 2] =
    [[[28.0, -18.0, -62.0], [13.0, 13.0, 34.0]], [[-40.0, -47.0, -83.0], [30.0, 32.0, 48.0]]];
/// Center and radius of the bare area, where the liver has grown to the diaphragm and the vena cava runs.
pub(super) const BARE_AREA: (Point, f64) = ([-58.0, -25.0, 28.0], 42.0);

/// The liver.
pub(super) fn liver() -> Solid {
    let [point, out] = VISCERAL;
    // Space beyond the visceral surface.
    let beyond = HalfSpace::behind(point, out.map(|x| -x));
    let hollows = HOLLOWS.map(|[center, radii]| Segment::ellipsoid(center, radii));
    Solid::new()
        .one_sided()
        .add([0.0; 2], [Segment::ellipsoid(RIGHT[0], RIGHT[1])])
        .add([40.0, 0.0], [Segment::cone(LEFT, LEFT_RADII)])
        .cut([14.0, 0.0], [beyond])
        .cut([8.0, 4.0], hollows)
}
