//! The cubic spline of SIMM and OpenSim: twice differentiable through its points, its third derivatives at
//! both ends those of the cubics through the four outermost points, straight lines beyond
//! (ForsytheMalcolmMoler1977, chapter 4).

use super::error::FunctionError;

/// A cubic spline through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Slopes at the points, and halved curvatures and sixths of third derivatives behind them.
    b: Vec<f64>,
    c: Vec<f64>,
    d: Vec<f64>,
}

impl Spline {
    /// The spline through points with rising x.
    ///
    /// # Errors
    /// Fewer than two points, or x that do not rise.
    pub fn new(x: Vec<f64>, y: Vec<f64>) -> Result<Self, FunctionError> {
        if x.len() < 2 || x.len() != y.len() {
            return Err(FunctionError::Points(x.len()));
        }
        if let Some(pair) = x.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(FunctionError::Falling([pair[0], pair[1]]));
        }
        let n = x.len();
        let (b, c, d) = coefficients(&x, &y);
        if [&b, &c, &d].iter().any(|list| list.iter().any(|value| !value.is_finite())) {
            return Err(FunctionError::Close(n));
        }
        Ok(Self { x, y, b, c, d })
    }

    /// Value, slope and curvature; a straight line beyond the ends.
    pub fn at(&self, at: f64) -> [f64; 3] {
        let last = self.x.len() - 1;
        for end in [0, last] {
            let outside = if end == 0 { at < self.x[0] } else { at > self.x[last] };
            if outside {
                return [self.y[end] + self.b[end] * (at - self.x[end]), self.b[end], 0.0];
            }
        }
        let k = self.x.partition_point(|x| *x <= at).saturating_sub(1).min(last - 1);
        let t = at - self.x[k];
        let (b, c, d) = (self.b[k], self.c[k], self.d[k]);
        let value = self.y[k] + t * (b + t * (c + t * d));
        [value, b + t * (2.0 * c + 3.0 * t * d), 2.0 * c + 6.0 * t * d]
    }

    /// First and last x.
    pub fn domain(&self) -> [f64; 2] {
        [self.x[0], self.x[self.x.len() - 1]]
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

/// Solves the tridiagonal equations for s, the sixths of the second derivatives at the points.
fn coefficients(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let steep: Vec<f64> = (0..n - 1).map(|k| (y[k + 1] - y[k]) / h[k]).collect();
    let s = if n > 2 { sixths(x, &h, &steep) } else { vec![0.0; n] };
    let mut b: Vec<f64> = (0..n - 1).map(|k| steep[k] - h[k] * (s[k + 1] + 2.0 * s[k])).collect();
    b.push(steep[n - 2] + h[n - 2] * (s[n - 2] + 2.0 * s[n - 1]));
    let c = s.iter().map(|s| 3.0 * s).collect();
    let mut d: Vec<f64> = (0..n - 1).map(|k| (s[k + 1] - s[k]) / h[k]).collect();
    d.push(0.0);
    (b, c, d)
}

fn sixths(x: &[f64], h: &[f64], steep: &[f64]) -> Vec<f64> {
    let n = x.len();
    let (first, last) = (h[0], h[n - 2]);
    let mut diagonal = vec![-first];
    let mut right = vec![0.0];
    for k in 1..n - 1 {
        diagonal.push(2.0 * (h[k - 1] + h[k]));
        right.push(steep[k] - steep[k - 1]);
    }
    diagonal.push(-last);
    right.push(0.0);
    if n > 3 {
        // Divided differences of third order: sixths of third derivatives of the outermost cubics.
        let second = |k: usize| (steep[k + 1] - steep[k]) / (x[k + 2] - x[k]);
        let third = |k: usize| (second(k + 1) - second(k)) / (x[k + 3] - x[k]);
        right[0] = first * first * third(0);
        right[n - 1] = -last * last * third(n - 4);
    }
    for k in 1..n {
        let t = h[k - 1] / diagonal[k - 1];
        diagonal[k] -= t * h[k - 1];
        right[k] -= t * right[k - 1];
    }
    let mut s = vec![0.0; n];
    s[n - 1] = right[n - 1] / diagonal[n - 1];
    for k in (0..n - 1).rev() {
        s[k] = (right[k] - h[k] * s[k + 1]) / diagonal[k];
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_goes_through_its_points_with_one_slope_and_curvature_at_each() {
        let x = vec![-2.0, -1.1, 0.3, 0.5, 1.9, 3.0];
        let y = vec![0.4, -1.0, 0.2, 0.9, -0.3, 0.6];
        let spline = Spline::new(x.clone(), y.clone()).unwrap();
        for (k, (&at, &value)) in x.iter().zip(&y).enumerate() {
            assert!((spline.at(at)[0] - value).abs() < 1e-14, "{k}");
        }
        for &at in &x[1..5] {
            let [low, high] = [-1e-9, 1e-9].map(|h| spline.at(at + h));
            // Twice the step times the next derivative, some 1e2 here.
            assert!((low[1] - high[1]).abs() < 1e-6 && (low[2] - high[2]).abs() < 1e-6, "{at}");
        }
    }

    #[test]
    fn four_points_give_their_cubic_and_three_their_parabola() {
        let cubic = |x: f64| 0.3 - 1.2 * x + 0.7 * x * x - 0.4 * x * x * x;
        let x = vec![-1.0, 0.2, 0.9, 2.1];
        let spline = Spline::new(x.clone(), x.iter().map(|x| cubic(*x)).collect()).unwrap();
        let parabola = |x: f64| 2.0 - x + 0.5 * x * x;
        let x = vec![-1.0, 0.2, 0.9];
        let short = Spline::new(x.clone(), x.iter().map(|x| parabola(*x)).collect()).unwrap();
        for k in 0..=20 {
            let at = -1.0 + 0.155 * f64::from(k);
            assert!((spline.at(at)[0] - cubic(at)).abs() < 1e-13, "{at}");
            let at = -1.0 + 0.095 * f64::from(k);
            assert!((short.at(at)[0] - parabola(at)).abs() < 1e-13, "{at}");
        }
    }

    #[test]
    fn beyond_its_ends_it_is_straight() {
        let spline = Spline::new(vec![0.0, 1.0, 2.0, 3.0], vec![0.0, 1.0, 8.0, 27.0]).unwrap();
        assert!((spline.at(5.0)[0] - (27.0 + 2.0 * 27.0)).abs() < 1e-12);
        assert_eq!(spline.at(-1.0)[1], spline.at(0.0)[1]);
        assert_eq!(spline.at(5.0)[2], 0.0);
    }

    #[test]
    fn points_that_make_no_spline_are_refused() {
        assert!(Spline::new(vec![0.0], vec![1.0]) == Err(FunctionError::Points(1)));
        assert!(
            Spline::new(vec![0.0, 0.0], vec![1.0, 2.0]) == Err(FunctionError::Falling([0.0, 0.0]))
        );
    }
}
