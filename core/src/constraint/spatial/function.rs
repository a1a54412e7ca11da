//! Functions of coordinates as data: constants, lines, polynomials, splines, tables, steps, sines and multiples of
//! those, with slope and curvature. Those of OpenSim (Seth2018).

use super::natural_spline::NaturalSpline;
use super::spline::Spline;
use crate::constraint::Scalar;

/// A function of coordinates [m or rad].
#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    /// The same everywhere.
    Constant(f64),
    /// A factor for each argument, and a constant.
    Linear(Vec<f64>, f64),
    /// Coefficients of 1, x, x², ...
    Polynomial(Vec<f64>),
    /// A cubic spline.
    Spline(Spline),
    /// Straight lines between points, and on beyond the last ones.
    Lines(Vec<[f64; 2]>),
    /// amplitude sin(omega x + phase) + offset.
    Sine {
        /// Half the height of the wave.
        amplitude: f64,
        /// Angle for a unit of the argument.
        omega: f64,
        /// Angle where the argument is zero [rad].
        phase: f64,
        /// Mean value.
        offset: f64,
    },
    /// From one value to another between two arguments, with slopes and curvatures of zero at both.
    Step {
        /// Arguments, rising.
        from: [f64; 2],
        /// Values up to the first, and from the second on.
        values: [f64; 2],
    },
    /// A spline of any odd degree with natural ends.
    Natural(NaturalSpline),
    /// Another between two arguments, and its value at the nearer one elsewhere.
    Within([f64; 2], Box<Function>),
    /// A multiple of another.
    Multiple(Box<Function>, f64),
}

impl Function {
    /// Value, slope and curvature of one of one argument.
    pub fn at(&self, x: f64) -> [f64; 3] {
        match self {
            Self::Constant(value) => [*value, 0.0, 0.0],
            Self::Linear(factors, constant) => {
                let factor = factors.first().copied().unwrap_or(0.0);
                [factor * x + constant, factor, 0.0]
            }
            Self::Polynomial(coefficients) => polynomial(coefficients, x),
            Self::Spline(spline) => spline.at(x),
            Self::Lines(points) => lines(points, x),
            Self::Sine { amplitude, omega, phase, offset } => {
                let (s, c) = (omega * x + phase).sin_cos();
                let slope = amplitude * omega;
                [amplitude * s + offset, slope * c, -slope * omega * s]
            }
            Self::Step { from, values } => step(*from, *values, x),
            Self::Natural(spline) => spline.at(x),
            Self::Within([low, high], function) => match x {
                _ if x < *low => [function.at(*low)[0], 0.0, 0.0],
                _ if x > *high => [function.at(*high)[0], 0.0, 0.0],
                _ => function.at(x),
            },
            Self::Multiple(function, factor) => function.at(x).map(|value| value * factor),
        }
    }

    /// Its value over any scalar; `None` where it has another number of arguments.
    pub fn of<S: Scalar>(&self, arguments: &[S]) -> Option<S> {
        match (self, arguments) {
            (Self::Constant(value), _) => Some(S::constant(*value)),
            (Self::Multiple(function, factor), _) => Some(function.of(arguments)? * *factor),
            (Self::Linear(factors, constant), _) if factors.len() == arguments.len() => {
                let terms = factors.iter().zip(arguments).map(|(factor, x)| *x * *factor);
                Some(terms.fold(S::constant(*constant), |sum, term| sum + term))
            }
            (Self::Linear(..), _) => None,
            (_, [x]) => {
                let [value, slope, curvature] = self.at(x.value());
                Some(x.chain(value, slope, curvature))
            }
            _ => None,
        }
    }

    /// A multiple of it, of one factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        match self {
            _ if factor == 1.0 => self,
            Self::Multiple(function, own) => Self::Multiple(function, own * factor),
            other => Self::Multiple(Box::new(other), factor),
        }
    }

    /// True if it does not change.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Linear(factors, _) => factors.iter().all(|factor| *factor == 0.0),
            Self::Polynomial(coefficients) => coefficients.iter().skip(1).all(|c| *c == 0.0),
            Self::Spline(spline) => spline.is_constant(),
            Self::Lines(points) => points.iter().all(|[_, y]| *y == points[0][1]),
            Self::Sine { amplitude, omega, .. } => *amplitude == 0.0 || *omega == 0.0,
            Self::Step { values, .. } => values[0] == values[1],
            Self::Natural(spline) => spline.is_constant(),
            Self::Within([low, high], function) => low == high || function.is_constant(),
            Self::Multiple(function, factor) => *factor == 0.0 || function.is_constant(),
        }
    }

    /// Coefficients of 1, x, x², ... of one that is a polynomial of one argument.
    pub fn coefficients(&self) -> Option<Vec<f64>> {
        match self {
            Self::Constant(value) => Some(vec![*value]),
            Self::Linear(factors, constant) => match factors[..] {
                [factor] => Some(vec![*constant, factor]),
                _ => None,
            },
            Self::Polynomial(coefficients) => Some(coefficients.clone()),
            Self::Multiple(function, factor) => {
                Some(function.coefficients()?.into_iter().map(|c| c * factor).collect())
            }
            Self::Spline(_)
            | Self::Lines(_)
            | Self::Sine { .. }
            | Self::Step { .. }
            | Self::Within(..)
            | Self::Natural(_) => None,
        }
    }

    /// Arguments where it has something to say: those of its points.
    pub fn domain(&self) -> Option<[f64; 2]> {
        match self {
            Self::Spline(spline) => Some(spline.domain()),
            Self::Lines(points) => Some([points.first()?[0], points.last()?[0]]),
            Self::Step { from, .. } => Some(*from),
            Self::Natural(spline) => Some(spline.domain()),
            Self::Within(range, _) => Some(*range),
            Self::Multiple(function, _) => function.domain(),
            Self::Constant(_) | Self::Linear(..) | Self::Polynomial(_) | Self::Sine { .. } => None,
        }
    }
}

/// Horner's scheme with both derivatives.
fn polynomial(coefficients: &[f64], x: f64) -> [f64; 3] {
    coefficients.iter().rev().fold([0.0; 3], |[value, slope, curvature], c| {
        [value * x + c, slope * x + value, curvature * x + 2.0 * slope]
    })
}

/// The quintic that leaves and arrives level.
fn step([start, end]: [f64; 2], [low, high]: [f64; 2], x: f64) -> [f64; 3] {
    if x <= start {
        return [low, 0.0, 0.0];
    }
    if x >= end {
        return [high, 0.0, 0.0];
    }
    let (length, rise) = (end - start, high - low);
    let t = (x - start) / length;
    let value = t * t * t * (10.0 + t * (6.0 * t - 15.0));
    let slope = 30.0 * t * t * (1.0 - t) * (1.0 - t);
    let curvature = 60.0 * t * (1.0 - t) * (1.0 - 2.0 * t);
    [low + rise * value, rise * slope / length, rise * curvature / (length * length)]
}

fn lines(points: &[[f64; 2]], x: f64) -> [f64; 3] {
    let last = points.len().saturating_sub(2);
    let k = points.partition_point(|p| p[0] <= x).saturating_sub(1).min(last);
    match points.get(k..k + 2) {
        Some([a, b]) => {
            let slope = (b[1] - a[1]) / (b[0] - a[0]);
            [a[1] + slope * (x - a[0]), slope, 0.0]
        }
        _ => [points.first().map_or(0.0, |p| p[1]), 0.0, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_curvatures_are_those_of_differences() {
        let spline = Spline::new(vec![-1.0, 0.2, 0.9, 2.0, 2.5], vec![0.3, -0.4, 1.0, 0.1, 0.0]);
        let functions = [
            Function::Linear(vec![2.5], -1.0),
            Function::Polynomial(vec![0.5, -1.0, 2.0, 0.3]),
            Function::Spline(spline.unwrap()),
            Function::Lines(vec![[-1.0, 2.0], [1.0, 3.0], [2.0, -1.0]]),
            Function::Sine { amplitude: 2.0, omega: 1.5, phase: 0.3, offset: 1.0 },
            Function::Step { from: [-1.0, 2.0], values: [0.5, -0.7] },
            Function::Within([-0.8, 1.7], Box::new(Function::Polynomial(vec![0.1, 2.0, 0.3]))),
        ];
        let scaled = functions.clone().map(|it| Function::Multiple(Box::new(it), -0.7));
        for function in functions.iter().chain(&scaled) {
            for x in [-1.7, -0.35, 0.5, 1.3, 2.2, 3.1] {
                let [_, slope, curvature] = function.at(x);
                let [low, high] = [-1e-5, 1e-5].map(|h| function.at(x + h));
                let scale = 1.0 + slope.abs() + curvature.abs();
                assert!(
                    (slope - (high[0] - low[0]) / 2e-5).abs() < 1e-8 * scale,
                    "{function:?} {x}"
                );
                assert!(
                    (curvature - (high[1] - low[1]) / 2e-5).abs() < 1e-6 * scale,
                    "{function:?} {x}"
                );
            }
        }
        // OpenSim's polynomials begin with the highest power; this one is kept the other way round.
        assert_eq!(functions[1].at(2.0)[0], 0.5 - 2.0 + 8.0 + 2.4);
    }

    #[test]
    fn a_line_of_two_arguments_takes_both() {
        let function = Function::Linear(vec![2.0, -3.0], 0.5);
        assert_eq!(function.of(&[1.0, 4.0]), Some(2.0 - 12.0 + 0.5));
        assert_eq!(function.of(&[1.0]), None);
    }
}
