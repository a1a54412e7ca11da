//! Constant rotations before and after those of poses that carry derivatives.

use nalgebra::UnitQuaternion;

use super::transform::turn;
use crate::Vec3;
use crate::constraint::{RelativePose, Scalar};

/// The rotation that takes an axis to z.
pub(super) fn onto_z(axis: &Vec3) -> UnitQuaternion<f64> {
    UnitQuaternion::rotation_between(axis, &Vec3::z())
        .unwrap_or_else(|| turn(&Vec3::x(), std::f64::consts::PI))
}

/// R Q for a constant Q; the position is kept.
pub(super) fn after<S: Scalar>(pose: &RelativePose<S>, q: &UnitQuaternion<f64>) -> RelativePose<S> {
    let ([w, x, y, z], q) = (pose.rotation, q.quaternion());
    positive(
        pose.position,
        [
            w * q.w - x * q.i - y * q.j - z * q.k,
            w * q.i + x * q.w + y * q.k - z * q.j,
            w * q.j - x * q.k + y * q.w + z * q.i,
            w * q.k + x * q.j - y * q.i + z * q.w,
        ],
    )
}

/// Q R for a constant Q.
pub(super) fn before<S: Scalar>(
    q: &UnitQuaternion<f64>,
    pose: &RelativePose<S>,
) -> RelativePose<S> {
    let ([w, x, y, z], q) = (pose.rotation, q.quaternion());
    positive(
        pose.position,
        [
            w * q.w - x * q.i - y * q.j - z * q.k,
            x * q.w + w * q.i + z * q.j - y * q.k,
            y * q.w + w * q.j + x * q.k - z * q.i,
            z * q.w + w * q.k + y * q.i - x * q.j,
        ],
    )
}

/// A pose whose quaternion has w >= 0, as its measures expect.
fn positive<S: Scalar>(position: [S; 3], rotation: [S; 4]) -> RelativePose<S> {
    let rotation = if rotation[0].value() < 0.0 { rotation.map(|it| -it) } else { rotation };
    RelativePose { position, rotation }
}
