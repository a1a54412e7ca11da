//! The scalar that joints are written over: plain numbers for errors and coordinates, [`Jet`] for
//! their derivatives. Functions that have no derivative somewhere are kept finite there.
//!
//! [`Jet`]: super::Jet

use std::ops::{Add, Mul, Neg, Sub};

/// Sine of the angle to a singularity [rad] below which slopes no longer grow (1e-4, about
/// 0.006 degrees, the bound that ArtiSynth uses for the pitch of a gimbal joint).
pub const SINGULAR: f64 = 1e-4;

/// A number that is added, multiplied and passed through smooth functions.
pub trait Scalar:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Neg<Output = Self>
{
    /// A number that does not depend on the pose.
    fn constant(value: f64) -> Self;

    /// The number alone.
    fn value(self) -> f64;

    /// h(self) for a smooth h whose value, slope and second derivative at `self.value()` are given.
    fn chain(self, value: f64, slope: f64, curvature: f64) -> Self;

    /// Sum with a constant.
    fn offset(self, constant: f64) -> Self {
        self + Self::constant(constant)
    }

    /// The square.
    fn squared(self) -> Self {
        self * self
    }

    /// Sine; the argument is an angle [rad].
    fn sin(self) -> Self {
        let (s, c) = self.value().sin_cos();
        self.chain(s, c, -s)
    }

    /// Cosine; the argument is an angle [rad].
    fn cos(self) -> Self {
        let (s, c) = self.value().sin_cos();
        self.chain(c, -s, -c)
    }

    /// Square root of a number that is at least 0. Its slope is bounded: the derivatives vanish for
    /// roots below [`SINGULAR`] times `scale`.
    fn root(self, scale: f64) -> Self {
        let root = self.value().max(0.0).sqrt();
        if root < SINGULAR * scale {
            return Self::constant(root);
        }
        let slope = 0.5 / root;
        self.chain(root, slope, -0.5 * slope / self.value())
    }

    /// 1 / self for a positive number; constant, with the value 1 / ([`SINGULAR`] `scale`), below
    /// [`SINGULAR`] times `scale`.
    fn bounded_reciprocal(self, scale: f64) -> Self {
        let x = self.value();
        if x < SINGULAR * scale {
            return Self::constant(1.0 / (SINGULAR * scale));
        }
        let inverse = 1.0 / x;
        self.chain(inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse)
    }

    /// The angle of the point (x, y) [rad], in (-pi, pi]. The value is that of `f64::atan2`; slopes
    /// are bounded by 1 / [`SINGULAR`] when x and y, which are dimensionless, both vanish.
    fn angle_of(y: Self, x: Self) -> Self {
        let angle = y.value().atan2(x.value());
        let (s, c) = angle.sin_cos();
        // Turned back by its own angle, the point lies on the x axis, where atan(t) = t to third
        // order.
        let along = x * c + y * s;
        let across = y * c - x * s;
        (across * along.bounded_reciprocal(1.0)).chain(angle, 1.0, 0.0)
    }
}

impl Scalar for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn chain(self, value: f64, _slope: f64, _curvature: f64) -> Self {
        value
    }
}

/// acos(c) / sqrt(1 - c²), the half angle over its sine, for the cosine c in [0, 1] of a half angle
/// whose sine is `sine`. It is smooth over the whole range: 1 at c = 1, pi / 2 at c = 0.
pub(crate) fn half_angle_over_sine<S: Scalar>(c: S, sine: f64) -> S {
    let (x, ss) = (c.value(), sine * sine);
    // sin²(half of the half angle), which runs from 0 to 1/2.
    let y = ss / (2.0 * (1.0 + x));
    let (value, slope, curvature) = if y < 0.02 {
        series(y)
    } else {
        // (1 - c²) k' = c k - 1, differentiated once more for k''.
        let value = sine.atan2(x) / sine;
        let slope = (x * value - 1.0) / ss;
        (value, slope, (value + 3.0 * x * slope) / ss)
    };
    c.chain(value, slope, curvature)
}

/// k = sum of a_n yⁿ with a_n / a_(n-1) = 2 n / (2 n + 1), the series of asin(√y) / √(y (1 - y)),
/// and its derivatives by c = 1 - 2 y. Ten terms leave 0.02¹⁰ = 1e-17.
fn series(y: f64) -> (f64, f64, f64) {
    let (mut value, mut slope, mut curvature) = (0.0, 0.0, 0.0);
    for n in (0..10).rev() {
        // Horner: each coefficient is the one before times the ratio, so factor the ratios out.
        let ratio = 2.0 * (n + 1) as f64 / (2.0 * (n + 1) as f64 + 1.0);
        curvature = ratio * (2.0 * slope + y * curvature);
        slope = ratio * (value + y * slope);
        value = 1.0 + ratio * y * value;
    }
    (value, -0.5 * slope, 0.25 * curvature)
}

/// The angle that differs from `angle` by whole turns and lies nearest to `previous` [rad].
pub(crate) fn nearest_turn(angle: f64, previous: f64) -> f64 {
    let turns = ((previous - angle) / std::f64::consts::TAU).round();
    if turns.is_finite() { angle + turns * std::f64::consts::TAU } else { angle }
}
