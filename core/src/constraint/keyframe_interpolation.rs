//! Motion between the keyframes of what forces do not move.

use serde::{Deserialize, Serialize};

use super::path_curve::{PathCurve, PathPolynomial};
use super::spatial::Spline;

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
    /// By one polynomial through all, where they are six at most; through more of them as by a spline. So go the paths
    /// of single steps that probes prescribe.
    Polynomial,
}

impl KeyframeInterpolation {
    /// True if it is that of a file that does not say.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The curve through values at rising times [s]; `None` where the motion between two is even.
    pub(crate) fn curve(self, points: impl Iterator<Item = [f64; 2]> + Clone) -> Option<PathCurve> {
        // Two points have a line.
        if self == Self::Linear || points.clone().nth(2).is_none() {
            return None;
        }
        if self == Self::Polynomial
            && let Some(polynomial) = PathPolynomial::new(points.clone())
        {
            return Some(PathCurve::Polynomial(polynomial));
        }
        let (times, values) = points.map(|[time, value]| (time, value)).unzip();
        Spline::new(times, values).ok().map(PathCurve::Spline)
    }
}
