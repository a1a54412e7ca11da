//! Time courses of prescribed scalars.

use crate::constraint::{CoordinateSettings, KeyframeInterpolation, PathCurve};
use crate::model::{PointKeyframe, Schedule};

/// The time course of a prescribed scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeCourse {
    /// That of a schedule.
    Schedule(Schedule),
    /// A curve, constant before its first point and after its last one.
    Curve(PathCurve),
}

impl TimeCourse {
    /// The factor at a time [s].
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Self::Schedule(schedule) => schedule.at(time),
            Self::Curve(curve) => curve.at(time),
        }
    }

    /// Rate and second derivative of the factor [1/s, 1/s²] at a time within a step of this span [s]. A schedule is straight
    /// within it: of a kink there the mean rate is told.
    pub fn rates(&self, time: f64, span: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Schedule(schedule) => {
                let [start, end] = span;
                [(schedule.at(end) - schedule.at(start)) / (end - start), 0.0]
            }
            Self::Curve(curve) => curve.rates(time, span),
        }
    }

    /// Keyframes along an axis, from an origin on [m].
    pub(super) fn of_path(
        keyframes: &[PointKeyframe],
        interpolation: KeyframeInterpolation,
        (axis, origin): (usize, f64),
    ) -> Self {
        let place = |frame: &PointKeyframe| [frame.time, frame.position[axis] - origin];
        Self::of_points(keyframes.iter().map(place), interpolation)
    }

    /// The path of a coordinate of a joint [m or rad].
    pub(super) fn of_coordinate(settings: &CoordinateSettings) -> Self {
        let rows = settings.keyframes.iter().map(|it| [it.time, it.value]);
        Self::of_points(rows, settings.keyframe_interpolation)
    }

    fn of_points(
        rows: impl Iterator<Item = [f64; 2]> + Clone,
        interpolation: KeyframeInterpolation,
    ) -> Self {
        match interpolation.curve(rows.clone()) {
            Some(curve) => Self::Curve(curve),
            None => Self::Schedule(Schedule::Table(rows.collect())),
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
