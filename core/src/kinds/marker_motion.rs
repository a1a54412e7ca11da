//! Motion of a marker in its body, and the range in which paths go through it: functions and ranges of coordinates of
//! joints, as data.

use serde::{Deserialize, Serialize};

use crate::component::Handle;
use crate::constraint::spatial::Function;
use crate::kinds::{Joint, JointCoordinate};

/// A coordinate of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointAxis {
    /// Along x of the body.
    X,
    /// Along y.
    Y,
    /// Along z.
    Z,
}

impl PointAxis {
    /// Names, in the order of coordinates.
    const NAMES: [(&'static str, Self); 3] = [("x", Self::X), ("y", Self::Y), ("z", Self::Z)];

    /// Number of the coordinate, from 0.
    pub fn index(self) -> usize {
        match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }
}

/// A coordinate of the location of a marker as a function of a coordinate of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointMove {
    /// Coordinate of the location.
    pub axis: PointAxis,
    /// Coordinate of a joint.
    pub of: JointCoordinate,
    /// The location [m] as a function of it.
    pub function: Function,
}

/// Joint of what has none yet.
fn no_coordinate() -> JointCoordinate {
    JointCoordinate::new(Handle::<Joint>::new(u32::MAX, u32::MAX), "")
}

impl Default for PointMove {
    fn default() -> Self {
        Self { axis: PointAxis::X, of: no_coordinate(), function: Function::Constant(0.0) }
    }
}

impl PointMove {
    /// The value that angles are read nearest to: the middle of what the function is given by.
    pub(crate) fn near(&self) -> Option<f64> {
        self.function.domain().map(|[low, high]| 0.5 * (low + high))
    }
}

/// Values of a coordinate between which paths go through a marker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkerRange {
    /// The coordinate.
    pub of: JointCoordinate,
    /// Its least and largest value [m or rad].
    pub range: [f64; 2],
}

impl Default for MarkerRange {
    fn default() -> Self {
        Self { of: no_coordinate(), range: [0.0, 0.0] }
    }
}

/// Moves as text: `x of knee by spline 0.0 0.1 1.0 0.2; y of knee by constant 0.0`.
pub(super) fn moves_text(moves: &[PointMove]) -> String {
    let one = |it: &PointMove| {
        let axis = PointAxis::NAMES[it.axis.index()].0;
        format!("{axis} of {} by {}", it.of.coordinate, it.function)
    };
    moves.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Axes, names of coordinates and functions of a text.
pub(super) fn moves_from_text(text: &str) -> Result<Vec<(PointAxis, String, Function)>, ()> {
    let one = |part: &str| {
        let (axis, rest) = part.split_once(" of ")?;
        let (name, function) = rest.rsplit_once(" by ")?;
        let axis = PointAxis::NAMES.iter().find(|known| known.0 == axis.trim())?.1;
        Some((axis, name.trim().to_owned(), function.parse().ok()?))
    };
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts.map(one).collect::<Option<_>>().ok_or(())
}
