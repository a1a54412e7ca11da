//! The numbers of a joint, its errors and its coordinates, over a scalar: plain, or with derivatives.

use super::slope::Slope;
use super::{Jet, Pose, RelativePose, Scalar};

/// Most rows, and most coordinates, of a joint.
pub(super) const MOST: usize = 6;

/// One of the numbers that a joint makes of the relative pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointNumber {
    /// The error of a row.
    Error(u8),
    /// A coordinate.
    Coordinate(u8),
}

/// A scalar that relative poses are made over.
pub(crate) trait PoseScalar: Scalar {
    /// The pose T_CD with as many derivatives as the scalar has.
    fn pose(t_cd: &Pose) -> RelativePose<Self>;

    /// As many derivatives of a jet as the scalar has.
    fn of_jet(jet: &Jet) -> Self;
}

impl PoseScalar for f64 {
    fn pose(t_cd: &Pose) -> RelativePose<Self> {
        RelativePose::of(t_cd)
    }

    fn of_jet(jet: &Jet) -> Self {
        jet.value()
    }
}

impl PoseScalar for Slope {
    fn pose(t_cd: &Pose) -> RelativePose<Self> {
        RelativePose::with_slopes(t_cd)
    }

    fn of_jet(jet: &Jet) -> Self {
        jet.into()
    }
}

impl PoseScalar for Jet {
    fn pose(t_cd: &Pose) -> RelativePose<Self> {
        RelativePose::with_derivatives(t_cd)
    }

    fn of_jet(jet: &Jet) -> Self {
        *jet
    }
}

/// Errors and coordinates of a joint as far as they are known.
#[derive(Clone, Debug)]
pub(crate) struct JointNumbers<S> {
    /// Errors, in the first places.
    pub(crate) errors: Option<[S; MOST]>,
    /// Coordinates, in the first places.
    pub(crate) coordinates: Option<[S; MOST]>,
}

impl<S> Default for JointNumbers<S> {
    fn default() -> Self {
        Self { errors: None, coordinates: None }
    }
}

impl<S: Copy> JointNumbers<S> {
    /// One of them, if it is known.
    pub(crate) fn get(&self, number: JointNumber) -> Option<S> {
        match number {
            JointNumber::Error(k) => self.errors.as_ref().map(|all| all[usize::from(k)]),
            JointNumber::Coordinate(k) => self.coordinates.as_ref().map(|all| all[usize::from(k)]),
        }
    }
}
