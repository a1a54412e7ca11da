//! Curves through keyframes: cubic splines, and the polynomial through a few of them.

use super::spatial::Spline;

/// Most points of a polynomial.
const MOST_POINTS: usize = 6;

/// A curve through values at rising times [s].
#[derive(Clone, Debug, PartialEq)]
pub enum PathCurve {
    /// Cubics with continuous slopes and curvatures.
    Spline(Spline),
    /// One polynomial.
    Polynomial(PathPolynomial),
}

/// The polynomial through two to six points, in Newton's form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPolynomial {
    times: [f64; MOST_POINTS],
    /// Divided differences.
    factors: [f64; MOST_POINTS],
    count: usize,
}

impl PathPolynomial {
    /// The polynomial through points with rising times [s]; `None` for fewer than two or more than six.
    pub(crate) fn new(points: impl Iterator<Item = [f64; 2]>) -> Option<Self> {
        let (mut times, mut factors, mut count) = ([0.0; MOST_POINTS], [0.0; MOST_POINTS], 0);
        for [time, value] in points {
            *times.get_mut(count)? = time;
            factors[count] = value;
            count += 1;
        }
        for order in 1..count {
            for k in (order..count).rev() {
                factors[k] = (factors[k] - factors[k - 1]) / (times[k] - times[k - order]);
            }
        }
        (count > 1).then_some(Self { times, factors, count })
    }

    /// Value, slope and curvature at a time [s].
    pub(crate) fn at(&self, time: f64) -> [f64; 3] {
        let (mut p, mut slope, mut half) = (0.0, 0.0, 0.0);
        for k in (0..self.count).rev() {
            let x = time - self.times[k];
            half = half * x + slope;
            slope = slope * x + p;
            p = p * x + self.factors[k];
        }
        [p, slope, 2.0 * half]
    }
}

impl PathCurve {
    /// First and last time [s].
    pub fn domain(&self) -> [f64; 2] {
        match self {
            Self::Spline(spline) => spline.domain(),
            Self::Polynomial(it) => [it.times[0], it.times[it.count - 1]],
        }
    }

    /// Value at a time [s]; before its first point and after its last one it stays.
    pub fn at(&self, time: f64) -> f64 {
        self.clamped(time)[0]
    }

    /// Rate and second derivative [1/s, 1/s²] at a time of a span [s], where the curve moves in the middle of the span;
    /// zero where it does not, as it stays before its first point and after its last one.
    pub fn rates(&self, time: f64, [start, end]: [f64; 2]) -> [f64; 2] {
        let ([first, last], middle) = (self.domain(), 0.5 * (start + end));
        if middle < first || middle > last {
            return [0.0; 2];
        }
        let [_, slope, curvature] = self.clamped(time);
        [slope, curvature]
    }

    fn clamped(&self, time: f64) -> [f64; 3] {
        let [first, last] = self.domain();
        let time = time.clamp(first, last);
        match self {
            Self::Spline(spline) => spline.at(time),
            Self::Polynomial(polynomial) => polynomial.at(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_goes_through_its_points_and_has_their_derivatives() {
        let quintic =
            |t: f64| 0.3 - t + 0.5 * t * t - 0.2 * t.powi(3) + t.powi(4) - 0.7 * t.powi(5);
        let times = [-0.2, 0.0, 0.3, 0.5, 0.9, 1.0];
        let points = times.iter().map(|&t| [t, quintic(t)]);
        let curve = PathCurve::Polynomial(PathPolynomial::new(points).unwrap());
        for k in 0..=12 {
            let t = -0.2 + 0.1 * f64::from(k);
            let slope = -1.0 + t - 0.6 * t * t + 4.0 * t.powi(3) - 3.5 * t.powi(4);
            let curvature = 1.0 - 1.2 * t + 12.0 * t * t - 14.0 * t.powi(3);
            let [found, bent] = curve.rates(t, [-0.2, 1.0]);
            assert!((curve.at(t) - quintic(t)).abs() < 1e-13, "{t}");
            assert!((found - slope).abs() < 1e-11 && (bent - curvature).abs() < 1e-10, "{t}");
        }
        assert_eq!(curve.rates(1.0, [1.0, 1.2]), [0.0; 2], "after its end it stays");
        assert_eq!(curve.at(7.0), curve.at(1.0));
    }

    #[test]
    fn a_polynomial_has_two_to_six_points() {
        let points = |count: usize| (0..count).map(|k| [k as f64, 1.0]);
        assert!(
            PathPolynomial::new(points(1)).is_none() && PathPolynomial::new(points(7)).is_none()
        );
        assert!(
            PathPolynomial::new(points(2)).is_some() && PathPolynomial::new(points(6)).is_some()
        );
    }
}
