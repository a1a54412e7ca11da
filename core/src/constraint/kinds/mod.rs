//! What each kind of joint is: coordinates, pose, errors. One file a family; the list that
//! dispatches to them is [`JointKind`](super::JointKind).

use super::{CoordinateSpec, Pose, Quantity, RelativePose, Scalar};

pub(crate) mod ellipsoid;
pub(crate) mod gimbal;
pub(crate) mod hinge;
pub(crate) mod slider;
pub(crate) mod universal;

/// A kind of joint: a set of poses T_CD, as the zeros of errors and as the image of coordinates.
pub(crate) trait Kinematics {
    /// The coordinates, in order; angles are in radians.
    const COORDINATES: &'static [CoordinateSpec];
    /// What the errors are measured in, in order; with the degrees of freedom they are 6.
    const ROWS: &'static [Quantity];

    /// T_CD of coordinates.
    fn pose(&self, q: &[f64]) -> Pose;

    /// Errors [m or rad], zero exactly when the joint is assembled.
    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]);

    /// Coordinates [m or rad] of a pose, near `previous` where several describe it; whole turns are
    /// added by the caller. Defined, and smooth, off the assembled poses too.
    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, previous: &[f64], q: &mut [S]);
}

/// Rows that hold the three coordinates of the origin.
pub(crate) const POINT: [Quantity; 3] = [Quantity::Length; 3];
