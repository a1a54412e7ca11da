//! Joints of the built-in kinds as three turns and three ways, which a document has.

use sinew::Vec3;
use sinew::constraint::spatial::{Function, SpatialAxis, SpatialTransform};
use sinew::constraint::{EllipsoidNormal, JointKind};

/// The turns and ways of a kind; `None` for those on ellipsoids that a document does not have.
pub(super) fn of_kind(kind: &JointKind) -> Option<SpatialTransform> {
    let mut it = SpatialTransform::rest();
    let plain = SpatialAxis::plain;
    let [x, y, z] = [Vec3::x(), Vec3::y(), Vec3::z()];
    match kind {
        JointKind::Solid => {}
        JointKind::Hinge => it.turns[2] = plain(z, 0),
        JointKind::Slider => it.ways[2] = plain(z, 0),
        JointKind::Cylindrical => (it.ways[2], it.turns[2]) = (plain(z, 0), plain(z, 1)),
        JointKind::SlottedHinge => (it.ways[0], it.turns[2]) = (plain(x, 0), plain(z, 1)),
        JointKind::Universal => it.turns = turns([plain(z, 0), plain(y, 1)]),
        JointKind::SkewedUniversal(skew) => {
            let axis = Vec3::new(0.0, skew.skew_angle.cos(), skew.skew_angle.sin());
            it.turns = turns([plain(z, 0), plain(axis, 1)]);
        }
        JointKind::RollPitch => it.turns = turns([back(y, 1), back(z, 0)]),
        JointKind::Gimbal => it.turns = [plain(z, 0), plain(y, 1), plain(x, 2)],
        // Three turns that have no names here.
        JointKind::Spherical => it.turns = [plain(x, 0), plain(y, 1), plain(z, 2)],
        JointKind::SphericalRpy => it.turns = [back(x, 2), back(y, 1), back(z, 0)],
        JointKind::Planar => {
            (it.ways[0], it.ways[1], it.turns[2]) = (plain(x, 0), plain(y, 1), plain(z, 2));
        }
        JointKind::PlanarTranslation => (it.ways[0], it.ways[1]) = (plain(x, 0), plain(y, 1)),
        JointKind::Free => {
            it.ways = [plain(x, 0), plain(y, 1), plain(z, 2)];
            it.turns = [plain(z, 3), plain(y, 4), plain(x, 5)];
        }
        JointKind::FixedAxis => {
            it.ways = [plain(x, 0), plain(y, 1), plain(z, 2)];
            it.turns = turns([plain(z, 3), plain(y, 4)]);
        }
        JointKind::Ellipsoid3d(shape) if shape.normal == EllipsoidNormal::Scaled => {
            it.turns = [plain(x, 0), plain(y, 1), plain(z, 2)];
        }
        JointKind::Ellipsoid(_) | JointKind::Ellipsoid3d(_) => return None,
    }
    Some(it)
}

/// A turn about an axis the other way.
fn back(axis: Vec3, coordinate: usize) -> SpatialAxis {
    let function = Function::Linear(vec![-1.0], 0.0);
    SpatialAxis { function, ..SpatialAxis::plain(axis, coordinate) }
}

/// Two turns, and a third about an axis of its own that stays.
fn turns([first, second]: [SpatialAxis; 2]) -> [SpatialAxis; 3] {
    [first, second, SpatialAxis::constant(Vec3::x(), 0.0)]
}

/// The turns about x, y and z and the ways along them of a body that nothing holds.
pub(super) fn free() -> SpatialTransform {
    let mut it = SpatialTransform::rest();
    for (k, axis) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
        it.turns[k] = SpatialAxis::plain(axis, k);
        it.ways[k] = SpatialAxis::plain(axis, k + 3);
    }
    it
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::constraint::Skew;

    #[test]
    fn turns_and_ways_take_the_poses_of_their_kinds() {
        let kinds = [
            JointKind::Solid,
            JointKind::Hinge,
            JointKind::Slider,
            JointKind::Cylindrical,
            JointKind::SlottedHinge,
            JointKind::Universal,
            JointKind::SkewedUniversal(Skew { skew_angle: 0.3 }),
            JointKind::RollPitch,
            JointKind::Gimbal,
            JointKind::SphericalRpy,
            JointKind::Planar,
            JointKind::PlanarTranslation,
            JointKind::Free,
            JointKind::FixedAxis,
        ];
        for kind in kinds {
            let count = kind.coordinate_specs().len();
            let q: Vec<f64> = (0..count).map(|k| 0.7 - 0.45 * k as f64).collect();
            let made = of_kind(&kind).expect("a kind of turns and ways").pose(&q);
            let own = kind.pose(&q);
            let distance = (made.translation.vector - own.translation.vector).norm();
            let angle = made.rotation.angle_to(&own.rotation);
            assert!(distance < 1e-15 && angle < 1e-14, "{kind:?}: {distance} m, {angle} rad");
        }
    }
}
