//! Points of lines that come and go with a coordinate of a joint.

use crate::Vec3;
use crate::constraint::CoordinateReading;

/// A point of a line that is there while a coordinate is in a range.
#[derive(Clone)]
pub(crate) struct PointCondition {
    /// Its place among the points of the line.
    pub(crate) point: u32,
    pub(crate) coordinate: CoordinateReading,
    /// [m or rad].
    pub(crate) range: [f64; 2],
}

/// Ends of ranges are taken with this to spare, as OpenSim does [m or rad].
const TO_SPARE: f64 = 1e-5;

impl PointCondition {
    /// True if the line goes through the point at the positions of all rows.
    pub(super) fn holds(&self, q: &[Vec3]) -> bool {
        let ([low, high], value) = (self.range, self.coordinate.value_at(q));
        (low - TO_SPARE..=high + TO_SPARE).contains(&value)
    }
}
