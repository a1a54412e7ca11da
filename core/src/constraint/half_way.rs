//! The mean of two rotation matrices and the turn between them: the rotation half way, and the
//! ratio of the turn of the Cayley map to its rotation vector (docs/theory/constraints.md).

use nalgebra::{Rotation3, UnitQuaternion};

use crate::Mat3;

/// The rotation half way between two rotations, and a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfWay {
    /// The rotation, half way on the shorter arc.
    pub(crate) rotation: UnitQuaternion<f64>,
    /// Rotation vector between the two over the turn that the Cayley map takes for it:
    /// half the angle over its tangent [-].
    pub(crate) shortening: f64,
}

impl HalfWay {
    /// Of the mean M of two rotations less than half a turn apart. M is R S with R the rotation half way
    /// and S the cosine c of half the angle between them across the axis, 1 along it, so that
    /// R = M ((1 + c + c²) I - MᵀM) / (c (1 + c)). A rotation is its own half way.
    pub(crate) fn of(mean: &Mat3) -> Self {
        let square = mean.tr_mul(mean);
        // c²; within a degree of half a turn the direction is lost, and the bound keeps numbers finite.
        let cos2 = (0.5 * (square.trace() - 1.0)).clamp(1e-4, 1.0);
        let cos = cos2.sqrt();
        let matrix = mean * (Mat3::identity() * (1.0 + cos + cos2) - square) / (cos * (1.0 + cos));
        let rotation =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
        let sin2 = 1.0 - cos2;
        // asin(s) / s to s⁶: below 1e-3 the rest is 1e-19.
        let ratio = if sin2 < 1e-6 {
            1.0 + sin2 * (1.0 / 6.0 + sin2 * (3.0 / 40.0))
        } else {
            sin2.sqrt().asin() / sin2.sqrt()
        };
        Self { rotation, shortening: cos * ratio }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;

    #[test]
    fn the_mean_of_two_rotations_tells_the_rotation_half_way_and_its_angle() {
        let first = UnitQuaternion::new(Vec3::new(0.3, -0.8, 0.4));
        for angle in [0.0, 1e-9, 1e-4, 1e-3, 0.01, 0.5, 2.0, 3.0] {
            let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
            let turned = |share: f64| UnitQuaternion::new(axis * (angle * share)) * first;
            let matrix = |share: f64| turned(share).to_rotation_matrix().into_inner();
            let found = HalfWay::of(&((matrix(0.0) + matrix(1.0)) * 0.5));
            assert!(found.rotation.angle_to(&turned(0.5)) < 1e-13, "{angle}");
            let half: f64 = 0.5 * angle;
            let expected = if angle == 0.0 { 1.0 } else { half / half.tan() };
            assert!((found.shortening - expected).abs() < 1e-13, "{angle}: {}", found.shortening);
        }
    }
}
