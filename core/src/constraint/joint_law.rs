//! Law of a joint: one of the kinds in the list, a motion as data, or functions of the user.

use std::sync::Arc;

use super::joint_numbers::{JointNumber, JointNumbers, MOST, PoseScalar};
use super::spatial::MotionLaw;
use super::{CoordinateSpec, JointFunctions, JointKind, Pose, Quantity};

/// The kinematics of a joint.
#[derive(Clone)]
pub enum JointLaw {
    /// One of the kinds in the list.
    Kind(JointKind),
    /// A motion that is data.
    Motion(Arc<MotionLaw>),
    /// Functions of the user.
    Functions(Arc<JointFunctions>),
}

impl From<JointKind> for JointLaw {
    fn from(kind: JointKind) -> Self {
        Self::Kind(kind)
    }
}

impl JointLaw {
    /// The coordinates, in order.
    pub fn coordinate_specs(&self) -> &[CoordinateSpec] {
        match self {
            Self::Kind(kind) => kind.coordinate_specs(),
            Self::Motion(law) => law.coordinates(),
            Self::Functions(own) => &own.coordinates,
        }
    }

    /// Number of coordinates.
    pub fn coordinate_count(&self) -> usize {
        self.coordinate_specs().len()
    }

    /// Quantities that the errors measure, in order.
    fn row_quantities(&self) -> &[Quantity] {
        match self {
            Self::Kind(kind) => kind.row_quantities(),
            Self::Motion(law) => law.rows(),
            Self::Functions(own) => &own.rows,
        }
    }

    /// Number of constraint rows.
    pub fn row_count(&self) -> usize {
        self.row_quantities().len()
    }

    /// Coordinates of T_CD [m and rad] nearest to `previous`, into `q`.
    ///
    /// # Panics
    /// When `previous` or `q` does not have one value a coordinate.
    pub fn calc_coordinates(&self, t_cd: &Pose, previous: &[f64], q: &mut [f64]) {
        match self {
            Self::Kind(kind) => kind.calc_coordinates(t_cd, previous, q),
            Self::Motion(law) => law.calc_coordinates(&PoseScalar::pose(t_cd), previous, q),
            Self::Functions(own) => own.calc_coordinates(t_cd, previous, q),
        }
    }

    /// T_CD of coordinates [m and rad].
    ///
    /// # Panics
    /// When `q` does not have one value a coordinate.
    pub fn pose(&self, q: &[f64]) -> Pose {
        match self {
            Self::Kind(kind) => kind.pose(q),
            Self::Motion(law) => law.pose(q),
            Self::Functions(own) => (own.pose)(q),
        }
    }

    /// All errors, or all coordinates, or both: as `number` is one, with as many derivatives as the scalar has, of
    /// coordinates those nearest to `previous`.
    pub(crate) fn evaluate<S: PoseScalar>(
        &self,
        number: JointNumber,
        t_cd: &Pose,
        previous: &[f64],
        into: &mut JointNumbers<S>,
    ) {
        let mut found = [S::constant(0.0); MOST];
        let count = match number {
            JointNumber::Error(_) => self.row_count(),
            JointNumber::Coordinate(_) => self.coordinate_count(),
        };
        match (self, number) {
            (Self::Kind(kind), JointNumber::Error(_)) => {
                kind.errors(&S::pose(t_cd), &mut found[..count]);
            }
            (Self::Kind(kind), JointNumber::Coordinate(_)) => {
                kind.coordinates(&S::pose(t_cd), previous, &mut found[..count]);
            }
            (Self::Motion(law), _) => return law.evaluate(&S::pose(t_cd), previous, into),
            (Self::Functions(own), JointNumber::Error(_)) => {
                found = own.error_jets(t_cd, previous).map(|jet| S::of_jet(&jet));
            }
            (Self::Functions(own), JointNumber::Coordinate(_)) => {
                found = own.coordinate_jets(t_cd, previous).map(|jet| S::of_jet(&jet));
            }
        }
        match number {
            JointNumber::Error(_) => into.errors = Some(found),
            JointNumber::Coordinate(_) => into.coordinates = Some(found),
        }
    }
}
