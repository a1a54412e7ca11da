//! Motion paths by keyframes: cubic splines of the time, whose second derivatives are continuous
//! (natural ends; deBoor2001, chapter IV).

use super::{Code, Scalar};

/// A path through keyframes: input the time \[s\], outputs the coordinates. Before the first keyframe and after the last
/// one it stays.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionPath {
    times: Vec<f64>,
    /// Coordinates of each keyframe.
    values: Vec<Vec<f64>>,
    /// Second derivatives at each keyframe.
    bends: Vec<Vec<f64>>,
}

/// Keyframes that make no path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PathError {
    /// No keyframe.
    #[error("a motion path needs one keyframe or more")]
    Empty,
    /// Times that do not grow, or numbers that are not finite.
    #[error("keyframe {keyframe} at {time} s: times must grow and all numbers be finite")]
    Keyframe {
        /// The keyframe, from 0 on.
        keyframe: usize,
        /// Its time \[s\].
        time: f64,
    },
    /// Keyframes of different numbers of coordinates.
    #[error("keyframe {keyframe} has {found} coordinate(s), the first one {expected}")]
    Coordinates {
        /// The keyframe, from 0 on.
        keyframe: usize,
        /// Number of its coordinates.
        found: usize,
        /// Number of those of the first one.
        expected: usize,
    },
}

impl MotionPath {
    /// A path through these places at these times \[s\].
    ///
    /// # Errors
    /// [`PathError`].
    pub fn new(keyframes: &[(f64, Vec<f64>)]) -> Result<Self, PathError> {
        let first = keyframes.first().ok_or(PathError::Empty)?;
        let expected = first.1.len();
        for (keyframe, (time, place)) in keyframes.iter().enumerate() {
            let grows = keyframe == 0 || keyframes[keyframe - 1].0 < *time;
            if !grows || !time.is_finite() || place.iter().any(|x| !x.is_finite()) {
                return Err(PathError::Keyframe { keyframe, time: *time });
            }
            if place.len() != expected {
                let found = place.len();
                return Err(PathError::Coordinates { keyframe, found, expected });
            }
        }
        let times: Vec<f64> = keyframes.iter().map(|(time, _)| *time).collect();
        let values: Vec<Vec<f64>> = keyframes.iter().map(|(_, place)| place.clone()).collect();
        let bends = second_derivatives(&times, &values);
        Ok(Self { times, values, bends })
    }
}

/// The second derivatives of the natural spline, by the tridiagonal system of its continuity.
fn second_derivatives(times: &[f64], values: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (count, coordinates) = (times.len(), values[0].len());
    let mut bends = vec![vec![0.0; coordinates]; count];
    if count < 3 {
        return bends;
    }
    let step = |k: usize| times[k + 1] - times[k];
    // Forward elimination of rows h_(k-1) b_(k-1) + 2 (h_(k-1) + h_k) b_k + h_k b_(k+1) = 6 (slopes), k = 1 .. n - 2.
    let mut above = vec![0.0; count];
    for k in 1..count - 1 {
        let pivot = 2.0 * (step(k - 1) + step(k)) - step(k - 1) * above[k - 1];
        above[k] = step(k) / pivot;
        for c in 0..coordinates {
            let slope = |k: usize| (values[k + 1][c] - values[k][c]) / step(k);
            let right = 6.0 * (slope(k) - slope(k - 1)) - step(k - 1) * bends[k - 1][c];
            bends[k][c] = right / pivot;
        }
    }
    for k in (1..count - 2).rev() {
        for c in 0..coordinates {
            bends[k][c] -= above[k] * bends[k + 1][c];
        }
    }
    bends
}

impl Code for MotionPath {
    fn input_count(&self) -> usize {
        1
    }
    fn output_count(&self) -> usize {
        self.values[0].len()
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let c = S::constant;
        let after = self.times.partition_point(|time| *time <= x[0].value());
        if after == 0 || after == self.times.len() {
            let place = &self.values[after.saturating_sub(1)];
            y.iter_mut().zip(place).for_each(|(y, place)| *y = c(*place));
            return;
        }
        let (from, to) = (after - 1, after);
        let h = self.times[to] - self.times[from];
        let b = (x[0] - c(self.times[from])) / c(h);
        let a = c(1.0) - b;
        let [cubic_a, cubic_b] = [a, b].map(|a| (a * a * a - a) * c(h * h / 6.0));
        for (k, y) in y.iter_mut().enumerate() {
            let linear = a * c(self.values[from][k]) + b * c(self.values[to][k]);
            *y = linear + cubic_a * c(self.bends[from][k]) + cubic_b * c(self.bends[to][k]);
        }
    }
}
