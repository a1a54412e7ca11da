//! A joint as a model holds it: its kind, the compliance of its rows, ranges and locks of its
//! coordinates; and its checks.

use super::{Compliance, CoordinateKeyframe, CoordinateSettings, EllipsoidShape, JointKind, Range};

/// A joint with everything but its bodies and frames.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct JointSettings {
    /// Kind and parameters.
    pub kind: JointKind,
    /// Compliance of each constraint row, in the order of [`JointKind::row_quantities`].
    pub rows: Vec<Compliance>,
    /// Range, lock and compliance of each coordinate, in the order of [`JointKind::coordinate_specs`].
    pub coordinates: Vec<CoordinateSettings>,
}

impl JointSettings {
    /// A rigid joint with the default ranges of its kind, nothing locked.
    pub fn new(kind: JointKind) -> Self {
        let rows = vec![Compliance::default(); kind.row_count()];
        let free = |range| CoordinateSettings { range, ..CoordinateSettings::default() };
        let coordinates = kind.coordinate_specs().iter().map(|spec| free(spec.range)).collect();
        Self { kind, rows, coordinates }
    }

    /// Checks the kind's parameters, the numbers of rows and coordinates, and every value.
    ///
    /// # Errors
    /// [`JointError`] names the first thing that is wrong.
    pub fn check(&self) -> Result<(), JointError> {
        self.kind.check()?;
        let (joint, specs) = (self.kind.name(), self.kind.coordinate_specs());
        expect_count(joint, "rows", self.rows.len(), self.kind.row_count())?;
        expect_count(joint, "coordinates", self.coordinates.len(), specs.len())?;
        for (row, compliance) in self.rows.iter().enumerate() {
            compliance.check(|| format!("row {row}"))?;
        }
        for (spec, coordinate) in specs.iter().zip(&self.coordinates) {
            coordinate.check(joint, &spec.name)?;
        }
        Ok(())
    }
}

fn expect_count(
    joint: &'static str,
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), JointError> {
    if found == expected { Ok(()) } else { Err(JointError::Count { joint, what, found, expected }) }
}

impl CoordinateSettings {
    /// Checks every value of a coordinate of a kind of joint, by their names.
    pub(crate) fn check(&self, joint: &'static str, name: &str) -> Result<(), JointError> {
        self.compliance.check(|| format!("coordinate {name}"))?;
        let coordinate = name.to_owned();
        if !self.range.is_valid() {
            return Err(JointError::Range { joint, coordinate, range: self.range });
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            let restitution = self.restitution;
            return Err(JointError::Restitution { joint, coordinate, restitution });
        }
        self.check_keyframes(joint, name)
    }

    /// Checks that times rise and all numbers are finite.
    fn check_keyframes(&self, joint: &'static str, name: &str) -> Result<(), JointError> {
        let mut before = f64::NEG_INFINITY;
        for &CoordinateKeyframe { time, value } in &self.keyframes {
            if !(time.is_finite() && value.is_finite() && time > before) {
                let coordinate = name.to_owned();
                return Err(JointError::Keyframe { joint, coordinate, time, value });
            }
            before = time;
        }
        Ok(())
    }
}

impl Compliance {
    /// Checks that both numbers are finite and not negative.
    fn check(&self, place: impl Fn() -> String) -> Result<(), JointError> {
        let Self { compliance, damping } = *self;
        let valid = |x: f64| x.is_finite() && x >= 0.0;
        if valid(compliance) && valid(damping) {
            Ok(())
        } else {
            Err(JointError::Compliance { place: place(), compliance, damping })
        }
    }
}

/// Faults of a joint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointError {
    /// The two axes of a skewed universal joint are parallel.
    #[error(
        "skewed_universal joint: the skew angle is {angle} rad, it must lie between -pi/2 and \
         pi/2, both excluded, so that the axes are not parallel"
    )]
    Skew {
        /// Skew angle [rad].
        angle: f64,
    },
    /// A surface that is no ellipsoid.
    #[error(
        "ellipsoid joint: semi-axes {:?} m must be positive, wing angle {} rad must be finite",
        shape.semi_axes, shape.wing_angle
    )]
    Ellipsoid {
        /// The parameters.
        shape: EllipsoidShape,
    },
    /// Rows or coordinates are missing, or too many.
    #[error("{joint} joint: {found} {what} are given, the kind has {expected}")]
    Count {
        /// Name of the kind.
        joint: &'static str,
        /// Rows or coordinates.
        what: &'static str,
        /// Number given.
        found: usize,
        /// Number of the kind.
        expected: usize,
    },
    /// A compliance or damping that is negative or not finite.
    #[error(
        "{place}: compliance {compliance} and damping {damping} must be finite and not negative"
    )]
    Compliance {
        /// The row or coordinate.
        place: String,
        /// [m/N or rad/(N m)].
        compliance: f64,
        /// [N s/m or N m s/rad].
        damping: f64,
    },
    /// A range whose ends are not numbers, or the wrong way round.
    #[error(
        "{joint} joint: the range of {coordinate} is {range}; its ends must be finite (leave one \
         out for no limit) and in order"
    )]
    Range {
        /// Name of the kind.
        joint: &'static str,
        /// Name of the coordinate.
        coordinate: String,
        /// The range [m or rad].
        range: Range,
    },
    /// A keyframe that is no number, or comes before the one before it.
    #[error(
        "{joint} joint: {coordinate} has a keyframe of {value} at {time} s; both must be finite, \
         and times must rise"
    )]
    Keyframe {
        /// Name of the kind.
        joint: &'static str,
        /// Name of the coordinate.
        coordinate: String,
        /// [s]
        time: f64,
        /// [m or rad]
        value: f64,
    },
    /// A restitution that gains energy, or is none.
    #[error(
        "{joint} joint: the restitution of {coordinate} is {restitution}; it must lie in [0, 1]"
    )]
    Restitution {
        /// Name of the kind.
        joint: &'static str,
        /// Name of the coordinate.
        coordinate: String,
        /// The restitution [-].
        restitution: f64,
    },
}
