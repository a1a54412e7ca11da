//! Motion between the keyframes of what forces do not move.

use serde::{Deserialize, Serialize};

use crate::constraint::spatial::Spline;
use crate::property::choices;

/// Motion between two keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyframeInterpolation {
    /// Even: velocities jump at keyframes.
    #[default]
    Linear,
    /// By cubics with continuous velocities and accelerations, of which the four at each end lie on one
    /// ([`Spline`]); coordinates of positions and of quaternions, which are then normalized.
    Spline,
}

choices!(KeyframeInterpolation { Linear => "linear", Spline => "spline" });

impl KeyframeInterpolation {
    /// True if it is that of a file that does not say.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The spline through values at rising times [s]; `None` where the motion between two is even.
    pub(crate) fn curve(
        self,
        times: impl Iterator<Item = f64>,
        values: impl Iterator<Item = f64>,
    ) -> Option<Spline> {
        let times: Vec<f64> = match self {
            Self::Linear => return None,
            Self::Spline => times.collect(),
        };
        // Two points have a line.
        (times.len() > 2).then(|| Spline::new(times, values.collect()).ok()).flatten()
    }
}

/// Value of a spline at a time [s]; before its first point and after its last one it stays.
pub(crate) fn clamped_at(curve: &Spline, time: f64) -> f64 {
    let [first, last] = curve.domain();
    curve.at(time.clamp(first, last))[0]
}
