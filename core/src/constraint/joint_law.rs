//! Law of a joint: one of the kinds in the list, or functions of the user.

use std::sync::Arc;

use super::{CoordinateSpec, Jet, JointFunctions, JointKind, Pose, RelativePose, Scalar};

/// Most rows, and most coordinates, of a joint.
pub(super) const MOST: usize = 6;

/// The kinematics of a joint.
#[derive(Clone)]
pub enum JointLaw {
    /// One of the kinds in the list.
    Kind(JointKind),
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
            Self::Functions(own) => &own.coordinates,
        }
    }

    /// Number of coordinates.
    pub fn coordinate_count(&self) -> usize {
        self.coordinate_specs().len()
    }

    /// Number of constraint rows.
    pub fn row_count(&self) -> usize {
        match self {
            Self::Kind(kind) => kind.row_count(),
            Self::Functions(own) => own.rows.len(),
        }
    }

    /// Coordinates of T_CD [m and rad] nearest to `previous`, into `q`.
    ///
    /// # Panics
    /// When `previous` or `q` does not have one value a coordinate.
    pub fn calc_coordinates(&self, t_cd: &Pose, previous: &[f64], q: &mut [f64]) {
        match self {
            Self::Kind(kind) => kind.calc_coordinates(t_cd, previous, q),
            Self::Functions(own) => own.calc_coordinates(t_cd, previous, q),
        }
    }

    /// Errors of the rows at T_CD [m and rad], with turns nearest to `previous`, into `g`.
    ///
    /// # Panics
    /// When `g` does not have one value a row.
    pub fn calc_errors(&self, t_cd: &Pose, previous: &[f64], g: &mut [f64]) {
        match self {
            Self::Kind(kind) => kind.calc_errors(t_cd, g),
            Self::Functions(own) => own.calc_errors(t_cd, previous, g),
        }
    }

    /// T_CD of coordinates [m and rad].
    ///
    /// # Panics
    /// When `q` does not have one value a coordinate.
    pub fn pose(&self, q: &[f64]) -> Pose {
        match self {
            Self::Kind(kind) => kind.pose(q),
            Self::Functions(own) => (own.pose)(q),
        }
    }

    /// The errors with their derivatives, in the first places.
    pub(crate) fn error_jets(&self, t_cd: &Pose, previous: &[f64]) -> [Jet; MOST] {
        let mut jets = [Jet::constant(0.0); MOST];
        match self {
            Self::Kind(kind) => {
                let t = RelativePose::with_derivatives(t_cd);
                kind.error_jets(&t, &mut jets[..kind.row_count()]);
            }
            Self::Functions(own) => jets = own.error_jets(t_cd, previous),
        }
        jets
    }

    /// The coordinates nearest to `previous` with their derivatives, in the first places.
    pub(crate) fn coordinate_jets(&self, t_cd: &Pose, previous: &[f64]) -> [Jet; MOST] {
        let mut jets = [Jet::constant(0.0); MOST];
        match self {
            Self::Kind(kind) => {
                let t = RelativePose::with_derivatives(t_cd);
                kind.coordinate_jets(&t, previous, &mut jets[..kind.coordinate_count()]);
            }
            Self::Functions(own) => jets = own.coordinate_jets(t_cd, previous),
        }
        jets
    }
}
