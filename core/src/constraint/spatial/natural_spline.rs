//! Natural splines of odd degree through points, as those of generalized cross-validation are where nothing is smoothed
//! (Woltring1986): of degree 2 m - 1 between the points, of degree m - 1 beyond the ends. In the basis of B-splines
//! (deBoor2001).

use nalgebra::{DMatrix, DVector};

use super::error::FunctionError;

/// Most points: the equations are solved as a full matrix.
const MOST_POINTS: usize = 400;

/// Largest half order, and order.
const MOST_HALF: usize = 4;
const MOST_ORDER: usize = 2 * MOST_HALF;

/// A natural spline through points.
#[derive(Clone, Debug, PartialEq)]
pub struct NaturalSpline {
    half_order: usize,
    x: Vec<f64>,
    y: Vec<f64>,
    knots: Vec<f64>,
    coefficients: Vec<f64>,
}

impl NaturalSpline {
    /// The spline of degree 2 `half_order` - 1 through points with rising x.
    ///
    /// # Errors
    /// [`FunctionError`]: an order below 1 or above 4, fewer points than half the order or two, x that do not rise.
    pub fn new(half_order: usize, x: Vec<f64>, y: Vec<f64>) -> Result<Self, FunctionError> {
        if !(1..=MOST_HALF).contains(&half_order) {
            return Err(FunctionError::Order(half_order));
        }
        let n = x.len();
        if n < half_order.max(2) || n != y.len() || n > MOST_POINTS {
            return Err(FunctionError::Points(n));
        }
        if let Some(pair) = x.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(FunctionError::Falling([pair[0], pair[1]]));
        }
        let is_steep = |k: usize| !((y[k] - y[k - 1]) / (x[k] - x[k - 1])).is_finite();
        if (1..n).any(is_steep) {
            return Err(FunctionError::Close(n));
        }
        let order = 2 * half_order;
        let ends = [x[0], x[n - 1]].map(|end| vec![end; order]);
        let [first, last] = ends;
        let knots = [&first, &x[1..n - 1], &last].concat();
        let mut spline = Self { half_order, x, y, knots, coefficients: Vec::new() };
        spline.coefficients = spline.solve().ok_or(FunctionError::Close(n))?;
        Ok(spline)
    }

    /// Coefficients with which it goes through the points and its derivatives m to 2 m - 2 vanish at both ends.
    fn solve(&self) -> Option<Vec<f64>> {
        let (n, m) = (self.x.len(), self.half_order);
        let size = n + 2 * m - 2;
        let (mut matrix, mut right) = (DMatrix::zeros(size, size), DVector::zeros(size));
        let mut row = 0;
        let mut put = |x: f64, order: usize, value: f64| {
            let (first, basis) = self.basis(x, order);
            let scale =
                basis.iter().fold(0.0f64, |most, b| most.max(b.abs())).max(f64::MIN_POSITIVE);
            for (k, b) in basis.iter().enumerate().take(2 * m) {
                matrix[(row, first + k)] = b / scale;
            }
            right[row] = value / scale;
            row += 1;
        };
        for (x, y) in self.x.iter().zip(&self.y) {
            put(*x, 0, *y);
        }
        for order in m..2 * m - 1 {
            put(self.x[0], order, 0.0);
            put(self.x[n - 1], order, 0.0);
        }
        let found = matrix.lu().solve(&right)?;
        found.iter().all(|c| c.is_finite()).then(|| found.as_slice().to_vec())
    }

    /// Number of the first B-spline that is not zero at an argument between the ends, and a derivative of all of them.
    fn basis(&self, x: f64, derivative: usize) -> (usize, [f64; MOST_ORDER]) {
        let order = 2 * self.half_order;
        let last = self.knots.len() - order - 1;
        let span = self.knots.partition_point(|k| *k <= x).saturating_sub(1).clamp(order - 1, last);
        let mut values = [0.0; MOST_ORDER];
        values[0] = 1.0;
        for degree in 1..order {
            // The highest degrees are derivatives of those before.
            let derives = degree >= order - derivative;
            let mut next = [0.0; MOST_ORDER];
            for (k, value) in values.iter().enumerate().take(degree) {
                let at = span + 1 + k - degree;
                let [low, high] = [self.knots[at], self.knots[at + degree]];
                let width = high - low;
                if width <= 0.0 {
                    continue;
                }
                let (down, up) = match derives {
                    true => (-(degree as f64), degree as f64),
                    false => (high - x, x - low),
                };
                next[k] += value * down / width;
                next[k + 1] += value * up / width;
            }
            values = next;
        }
        (span + 1 - order, values)
    }

    fn derivative(&self, x: f64, order: usize) -> f64 {
        let (first, basis) = self.basis(x, order);
        let own = &self.coefficients[first..first + 2 * self.half_order];
        own.iter().zip(basis).map(|(c, b)| c * b).sum()
    }

    /// Value, slope and curvature.
    pub fn at(&self, x: f64) -> [f64; 3] {
        let [low, high] = self.domain();
        if (low..=high).contains(&x) {
            return [0, 1, 2].map(|order| match order < 2 * self.half_order {
                true => self.derivative(x, order),
                false => 0.0,
            });
        }
        // The polynomial of degree m - 1 at the end.
        let end = if x < low { low } else { high };
        let (mut value, t) = ([0.0; 3], x - end);
        for order in (0..self.half_order).rev() {
            let own = self.derivative(end, order);
            let [v, s, c] = value;
            let share = 1.0 / (order + 1) as f64;
            // Horner's scheme of a Taylor series: p <- f^(k) + t p / (k + 1), with both derivatives of it.
            value = [own + t * v * share, (v + t * s) * share, (2.0 * s + t * c) * share];
        }
        value
    }

    /// First and last x.
    pub fn domain(&self) -> [f64; 2] {
        [self.x[0], self.x[self.x.len() - 1]]
    }

    /// Half its order: its degree is twice that less one.
    pub fn half_order(&self) -> usize {
        self.half_order
    }

    /// Its points.
    pub fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        self.x.iter().zip(&self.y).map(|(x, y)| [*x, *y])
    }

    /// True if all points have one y.
    pub(super) fn is_constant(&self) -> bool {
        self.y.iter().all(|y| *y == self.y[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spline(half_order: usize) -> NaturalSpline {
        let x = vec![-1.0, -0.4, 0.1, 0.9, 1.6, 2.0, 3.1];
        let y = vec![0.3, -0.2, 0.7, 1.1, 0.4, 0.9, -0.5];
        NaturalSpline::new(half_order, x, y).unwrap()
    }

    #[test]
    fn splines_of_all_degrees_go_through_their_points_with_slopes_and_curvatures_of_differences() {
        for half_order in 1..=4 {
            let spline = spline(half_order);
            for [x, y] in spline.points() {
                assert!((spline.at(x)[0] - y).abs() < 1e-12, "{half_order} {x}");
            }
            for x in [-1.8, -0.7, 0.3, 1.2, 2.9, 3.6] {
                let [_, slope, curvature] = spline.at(x);
                let [low, high] = [-1e-5, 1e-5].map(|h| spline.at(x + h));
                assert!((slope - (high[0] - low[0]) / 2e-5).abs() < 1e-7, "{half_order} {x}");
                let by_slope = (high[1] - low[1]) / 2e-5;
                assert!((curvature - by_slope).abs() < 1e-6, "{half_order} {x} {curvature}");
            }
        }
    }

    #[test]
    fn derivatives_between_the_half_order_and_the_order_vanish_at_the_ends() {
        let spline = spline(3);
        for x in spline.domain() {
            for order in 3..5 {
                assert!(spline.derivative(x, order).abs() < 1e-8, "{x} {order}");
            }
        }
        assert!(spline.derivative(0.5, 3).abs() > 0.1);
    }

    #[test]
    fn a_polynomial_of_low_degree_is_met_exactly_inside_and_outside() {
        let square = |x: f64| 0.5 - x + 0.3 * x * x;
        let x: Vec<f64> = (0..6).map(f64::from).collect();
        let y = x.iter().map(|x| square(*x)).collect();
        let spline = NaturalSpline::new(3, x, y).unwrap();
        for x in [-2.0, 0.4, 3.7, 8.0] {
            assert!((spline.at(x)[0] - square(x)).abs() < 1e-11, "{x}");
        }
    }
}
