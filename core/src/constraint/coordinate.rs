//! Coordinates of joints as data: name, unit, range, lock; the compliance of rows.

use std::borrow::Cow;
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt;

use super::KeyframeInterpolation;

/// Quantity that a coordinate or the error of a row measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A length [m]; its multiplier is a force [N].
    Length,
    /// An angle [rad], with whole turns counted where it is a coordinate; its multiplier is a
    /// moment [N m].
    Angle,
}

/// Interval of a coordinate [m or rad]; a missing end is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Range {
    /// Least value [m or rad].
    pub lower: Option<f64>,
    /// Greatest value [m or rad].
    pub upper: Option<f64>,
}

/// "from -1 to 1", "from -1", "to 1", or "without limits".
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower, self.upper) {
            (Some(lower), Some(upper)) => write!(f, "from {lower} to {upper}"),
            (Some(lower), None) => write!(f, "from {lower}"),
            (None, Some(upper)) => write!(f, "to {upper}"),
            (None, None) => f.write_str("without limits"),
        }
    }
}

impl Range {
    /// No limits.
    pub const FREE: Self = Self { lower: None, upper: None };
    /// Half a turn to either side [rad].
    pub const HALF_TURN: Self = Self { lower: Some(-PI), upper: Some(PI) };
    /// A quarter turn to either side [rad].
    pub const QUARTER_TURN: Self = Self { lower: Some(-FRAC_PI_2), upper: Some(FRAC_PI_2) };

    /// From `lower` to `upper` [m or rad].
    pub const fn new(lower: f64, upper: f64) -> Self {
        Self { lower: Some(lower), upper: Some(upper) }
    }

    /// Room left to the lower and to the upper end [m or rad], negative beyond it, infinite where
    /// there is no limit: the gaps of the two unilateral rows of a limit.
    pub fn gaps(&self, value: f64) -> [f64; 2] {
        let lower = self.lower.map_or(f64::INFINITY, |end| value - end);
        [lower, self.upper.map_or(f64::INFINITY, |end| end - value)]
    }

    /// Distance of its ends [m or rad]; `None` where one is missing.
    pub fn width(&self) -> Option<f64> {
        Some(self.upper? - self.lower?)
    }

    /// The value of the range nearest to `value` [m or rad].
    pub fn clamp(&self, value: f64) -> f64 {
        let value = self.lower.map_or(value, |end| value.max(end));
        self.upper.map_or(value, |end| value.min(end))
    }

    /// True if the ends are finite and in order.
    pub(crate) fn is_valid(&self) -> bool {
        let finite = |end: Option<f64>| end.is_none_or(f64::is_finite);
        let ordered = !matches!((self.lower, self.upper), (Some(a), Some(b)) if a > b);
        finite(self.lower) && finite(self.upper) && ordered
    }
}

/// A coordinate as its kind of joint defines it.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateSpec {
    /// Name, unique in its joint.
    pub name: Cow<'static, str>,
    /// Length or angle.
    pub quantity: Quantity,
    /// Range of a new joint [m or rad].
    pub range: Range,
}

impl CoordinateSpec {
    /// A length [m] without limits.
    pub const fn length(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), quantity: Quantity::Length, range: Range::FREE }
    }

    /// An angle [rad] with the range that a new joint has.
    pub const fn angle(name: &'static str, range: Range) -> Self {
        Self { name: Cow::Borrowed(name), quantity: Quantity::Angle, range }
    }
}

/// Compliance of a row: it then yields compliance times multiplier. Both zero is rigid.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Compliance {
    /// Compliance [m/N or rad/(N m)].
    pub compliance: f64,
    /// Damping [N s/m or N m s/rad], of effect where the compliance is not zero.
    pub damping: f64,
}

/// A value of a coordinate at a time.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CoordinateKeyframe {
    /// [s]
    pub time: f64,
    /// [m or rad]
    pub value: f64,
}

/// A coordinate as a joint of a model holds it.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct CoordinateSettings {
    /// Interval that the coordinate is kept in [m or rad].
    pub range: Range,
    /// True if the coordinate is fixed at its present value by a bilateral row.
    pub locked: bool,
    /// Compliance of the limits and of the lock.
    pub compliance: Compliance,
    /// Rate at which the coordinate leaves a limit after an impact over that before [-].
    pub restitution: f64,
    /// Path of the place at which it is locked, with rising times; empty where it stays at its present value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<CoordinateKeyframe>,
    /// Motion between two keyframes.
    #[serde(skip_serializing_if = "KeyframeInterpolation::is_usual")]
    pub keyframe_interpolation: KeyframeInterpolation,
}

impl CoordinateSettings {
    /// Puts its range and its path where a transformation by a factor has them, negative where it counts the other way.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.range = self.range.scaled(factor);
        self.keyframes.iter_mut().for_each(|it| it.value *= factor);
    }
}
