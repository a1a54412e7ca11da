//! Joints in a mirror: which axis of their frames is left opposite to its image, so that a joint of the same kind
//! stands there, and which of its coordinates and parameters change their sign.

use super::{JointKind, JointParameters, Range};

/// A kind of joint in a mirror.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mirror {
    /// Axis of both frames (0 to 2) that lies opposite to its image.
    pub(crate) axis: usize,
    /// Factor of each coordinate, 1 or -1 [-].
    pub(crate) signs: Vec<f64>,
}

impl JointKind {
    /// The kind in a mirror.
    pub(crate) fn mirror(&self) -> Mirror {
        let mut kind = *self;
        // The z axis of an ellipsoid joint is a normal outwards, and stays one.
        let (axis, reversed): (usize, &[&str]) = match kind.parameters_mut() {
            JointParameters::Ellipsoid(_) => (1, &["longitude", "theta", "phi"]),
            JointParameters::None | JointParameters::Skew(_) => (2, &["z", "pitch", "yaw"]),
        };
        let sign = |name: &str| if reversed.contains(&name) { -1.0 } else { 1.0 };
        let signs = self.coordinate_specs().iter().map(|spec| sign(&spec.name)).collect();
        Mirror { axis, signs }
    }

    /// Takes its parameters along with a map by which lengths along x, y and z of frame D grow by `along` [-], and
    /// that mirrors or not.
    pub(crate) fn deform(&mut self, along: [f64; 3], mirrored: bool) {
        let sign = if mirrored { -1.0 } else { 1.0 };
        match self.parameters_mut() {
            JointParameters::None => {}
            JointParameters::Skew(skew) => skew.skew_angle *= sign,
            JointParameters::Ellipsoid(shape) => {
                shape.semi_axes.iter_mut().zip(along).for_each(|(axis, factor)| *axis *= factor);
                shape.wing_angle *= sign;
            }
        }
    }
}

impl Range {
    /// The range of a coordinate that is `factor` [-] times as large, with its ends exchanged where that is negative.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        let [lower, upper] = [self.lower, self.upper].map(|end| end.map(|end| end * factor));
        if factor < 0.0 { Self { lower: upper, upper: lower } } else { Self { lower, upper } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{EllipsoidShape, Pose, Skew};
    use crate::{Mat3, Vec3};

    #[test]
    fn every_joint_in_a_mirror_is_a_joint_of_its_kind_with_coordinates_of_known_sign() {
        let shape = EllipsoidShape {
            semi_axes: [0.1, 0.2, 0.15],
            wing_angle: 0.4,
            ..EllipsoidShape::SPHERE
        };
        let kinds = JointKind::ALL.into_iter().chain([
            JointKind::SkewedUniversal(Skew { skew_angle: 0.3 }),
            JointKind::Ellipsoid(shape),
            JointKind::Ellipsoid3d(shape),
        ]);
        for kind in kinds {
            let Mirror { axis, signs } = kind.mirror();
            let q: Vec<f64> = (0..signs.len()).map(|k| 0.3 - 0.17 * k as f64).collect();
            let pose = kind.pose(&q);
            let mut diagonal = Vec3::repeat(1.0);
            diagonal[axis] = -1.0;
            let flip = Mat3::from_diagonal(&diagonal);
            let turn = flip * pose.rotation.to_rotation_matrix().into_inner() * flip;
            let turn = nalgebra::Rotation3::from_matrix_unchecked(turn);
            let place = flip * pose.translation.vector;
            let image = Pose::from_parts(place.into(), nalgebra::UnitQuaternion::from(turn));
            let mut mirrored = kind;
            mirrored.deform([1.0; 3], true);
            let expected: Vec<f64> = q.iter().zip(&signs).map(|(q, sign)| q * sign).collect();
            let own = mirrored.pose(&expected);
            let apart = (own.to_homogeneous() - image.to_homogeneous()).norm();
            // Some roundings of numbers of size 1.
            assert!(apart < 1e-14, "{}: {apart}", kind.name());
        }
    }

    #[test]
    fn a_range_in_a_mirror_has_its_ends_exchanged() {
        assert_eq!(Range::new(-1.0, 3.0).scaled(-2.0), Range::new(-6.0, 2.0));
        assert_eq!(Range { lower: Some(1.0), upper: None }.scaled(2.0).lower, Some(2.0));
    }
}
