//! Time courses of prescribed scalars.

use crate::constraint::spatial::Spline;
use crate::kinds::{KeyframeInterpolation, clamped_at};
use crate::model::{PointKeyframe, Schedule};

/// The time course of a prescribed scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeCourse {
    /// That of a schedule.
    Schedule(Schedule),
    /// A curve, constant before its first point and after its last one.
    Curve(Spline),
}

impl TimeCourse {
    /// The factor at a time [s].
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Self::Schedule(schedule) => schedule.at(time),
            Self::Curve(curve) => clamped_at(curve, time),
        }
    }

    /// Keyframes along an axis, from an origin on [m].
    pub(super) fn of_path(
        keyframes: &[PointKeyframe],
        interpolation: KeyframeInterpolation,
        (axis, origin): (usize, f64),
    ) -> Self {
        let place = |frame: &PointKeyframe| frame.position[axis] - origin;
        let times = keyframes.iter().map(|frame| frame.time);
        match interpolation.curve(times, keyframes.iter().map(place)) {
            Some(curve) => Self::Curve(curve),
            None => {
                let rows = keyframes.iter().map(|frame| [frame.time, place(frame)]);
                Self::Schedule(Schedule::Table(rows.collect()))
            }
        }
    }

    /// True if it changes over time.
    pub(super) fn varies(&self) -> bool {
        matches!(self, Self::Schedule(Schedule::Table(_)) | Self::Curve(_))
    }
}

impl Default for TimeCourse {
    fn default() -> Self {
        Self::Schedule(Schedule::default())
    }
}
