//! The argument of a function by its value, for lines and for functions that rise or fall throughout.

use super::function::Function;
use crate::constraint::Scalar;

/// The inverse of a function.
#[derive(Clone, Debug)]
pub(super) enum Inverse {
    /// Of c0 + c1 x.
    Line([f64; 2]),
    /// Of a function that only rises or only falls between two arguments, and goes on straight there.
    Curve { function: Function, domain: [f64; 2] },
}

/// Stretches of a domain that are looked at: steeper changes than these are not expected of curves with a
/// dozen points.
const STRETCHES: usize = 400;
/// Part of the mean slope that is steep enough: below it a reading is a hundred times as uncertain.
const STEEP_ENOUGH: f64 = 0.01;
/// Part of its length by which a range without points is extended: solvers look beyond ends.
const BEYOND: f64 = 0.25;

impl Inverse {
    /// Of c0 + c1 x, c1 not zero.
    pub(super) fn line(line: [f64; 2]) -> Self {
        Self::Line(line)
    }

    /// Of a function over its points and a range; `None` where it turns back or hardly changes.
    pub(super) fn curve(function: &Function, range: Option<[f64; 2]>) -> Option<Self> {
        let domain = match (function.domain(), range) {
            (Some([a, b]), Some([c, d])) => [a.min(c), b.max(d)],
            (Some(domain), None) => domain,
            (None, Some([a, b])) => [a - BEYOND * (b - a), b + BEYOND * (b - a)],
            (None, None) => return None,
        };
        let length = domain[1] - domain[0];
        let rise = function.at(domain[1])[0] - function.at(domain[0])[0];
        let least = STEEP_ENOUGH * rise.abs() / length;
        let at = |k: usize| domain[0] + length * k as f64 / STRETCHES as f64;
        let slopes = |k: usize| function.at(at(k))[1] * rise.signum() > least;
        let good = rise != 0.0 && length > 0.0 && (0..=STRETCHES).all(slopes);
        good.then(|| Self::Curve { function: function.clone(), domain })
    }

    /// The argument where the function has a value.
    pub(super) fn of<S: Scalar>(&self, value: S) -> S {
        match self {
            Self::Line([constant, factor]) => value.offset(-constant) * (1.0 / factor),
            Self::Curve { function, domain } => {
                let x = solve(function, *domain, value.value());
                let [_, slope, curvature] = extended(function, *domain, x);
                value.chain(x, 1.0 / slope, -curvature / (slope * slope * slope))
            }
        }
    }
}

/// The function, going on straight beyond its domain.
fn extended(function: &Function, [low, high]: [f64; 2], x: f64) -> [f64; 3] {
    if (low..=high).contains(&x) {
        return function.at(x);
    }
    let end = if x < low { low } else { high };
    let [value, slope, _] = function.at(end);
    [value + slope * (x - end), slope, 0.0]
}

/// Newton's method within an interval that is halved where it leaves it.
fn solve(function: &Function, domain: [f64; 2], value: f64) -> f64 {
    let ends = domain.map(|end| function.at(end));
    let rises = ends[1][0] > ends[0][0];
    for end in [0, 1] {
        let gap = value - ends[end][0];
        if (gap > 0.0) == (rises == (end == 1)) && gap != 0.0 {
            return domain[end] + gap / ends[end][1];
        }
    }
    let [mut low, mut high] = domain;
    let mut x = 0.5 * (low + high);
    // Halving alone takes some 60 for the last digit.
    for _ in 0..100 {
        let [found, slope, _] = function.at(x);
        let gap = value - found;
        if (gap > 0.0) == rises {
            low = x
        } else {
            high = x
        }
        let next = x + gap / slope;
        let inside = next > low && next < high;
        let next = if inside { next } else { 0.5 * (low + high) };
        let change = (next - x).abs();
        x = next;
        if change <= f64::EPSILON * x.abs() || change < 1e-300 {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_function_inside_and_beyond_its_domain() {
        let falling = Function::Polynomial(vec![1.0, -2.0, 0.0, -0.5]);
        let inverse = Inverse::curve(&falling, Some([-1.0, 1.0])).unwrap();
        for x in [-1.2, -0.5, 0.0, 0.7, 1.4] {
            let back = inverse.of(falling.at(x)[0]);
            assert!((back - x).abs() < 1e-14, "{x} {back}");
        }
        // Straight from 1.5 on.
        let [value, slope, _] = falling.at(1.5);
        assert!((inverse.of(value + slope) - 2.5).abs() < 1e-14);
    }

    #[test]
    fn a_function_that_turns_back_has_none() {
        assert!(
            Inverse::curve(&Function::Polynomial(vec![0.0, 0.0, 1.0]), Some([-1.0, 1.0])).is_none()
        );
        assert!(
            Inverse::curve(&Function::Polynomial(vec![0.0, 0.0, 1.0]), Some([1.0, 2.0])).is_some()
        );
        assert!(Inverse::curve(&Function::Constant(1.0), Some([1.0, 2.0])).is_none());
    }
}
