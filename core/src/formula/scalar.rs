//! Numbers that formulas and coded functions are written over: plain ones, and dual numbers, which carry a
//! derivative along; dual numbers of dual numbers carry the second one (GriewankWalther2008, chapter 3).

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number with the functions that formulas have. Comparisons look at the value alone.
pub trait Scalar:
    Copy
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A number that does not depend on anything.
    fn constant(value: f64) -> Self;
    /// The value without its derivatives.
    fn value(self) -> f64;
    /// True if the value and all derivatives are numbers.
    fn is_finite(self) -> bool;
    /// True if the value and all derivatives are 0.
    fn is_zero(self) -> bool;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Sine of an angle \[rad\].
    fn sin(self) -> Self;
    /// Cosine of an angle \[rad\].
    fn cos(self) -> Self;
    /// Angle of a sine \[rad\].
    fn asin(self) -> Self;
    /// Angle of a cosine \[rad\].
    fn acos(self) -> Self;
    /// Angle of the point (x, y), `self` being y \[rad\].
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Whole power.
    fn powi(self, exponent: i32) -> Self;

    /// Power of a constant exponent, of a number that is not negative.
    fn powc(self, exponent: f64) -> Self;

    /// Power of a positive number.
    fn powf(self, exponent: Self) -> Self {
        (exponent * self.ln()).exp()
    }

    /// Tangent of an angle \[rad\].
    fn tan(self) -> Self {
        self.sin() / self.cos()
    }

    /// Angle of a tangent \[rad\].
    fn atan(self) -> Self {
        self.atan2(Self::constant(1.0))
    }

    /// Hyperbolic tangent.
    fn tanh(self) -> Self {
        // The quotient of sinh and cosh would be that of infinities from 710 on.
        let decay = (-self.abs() * Self::constant(2.0)).exp();
        let tanh = (Self::constant(1.0) - decay) / (Self::constant(1.0) + decay);
        if self.value() < 0.0 { -tanh } else { tanh }
    }

    /// Area of a hyperbolic sine.
    fn asinh(self) -> Self {
        let size = self.abs();
        let area = (size + (size * size + Self::constant(1.0)).sqrt()).ln();
        if self.value() < 0.0 { -area } else { area }
    }

    /// Area of a hyperbolic cosine.
    fn acosh(self) -> Self {
        (self + (self * self - Self::constant(1.0)).sqrt()).ln()
    }

    /// Area of a hyperbolic tangent.
    fn atanh(self) -> Self {
        let one = Self::constant(1.0);
        ((one + self) / (one - self)).ln() * Self::constant(0.5)
    }

    /// Cubic root.
    fn cbrt(self) -> Self {
        let root = self.abs().powc(1.0 / 3.0);
        if self.value() < 0.0 { -root } else { root }
    }

    /// Logarithm to the base 2.
    fn log2(self) -> Self {
        self.ln() * Self::constant(std::f64::consts::LOG2_E)
    }

    /// Logarithm to the base 10.
    fn log10(self) -> Self {
        self.ln() * Self::constant(std::f64::consts::LOG10_E)
    }

    /// Magnitude; at 0 the derivative is that of the right side.
    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }

    /// The smaller one of two numbers.
    fn min(self, other: Self) -> Self {
        if other.value() < self.value() { other } else { self }
    }

    /// The larger one of two numbers.
    fn max(self, other: Self) -> Self {
        if other.value() > self.value() { other } else { self }
    }
}

impl Scalar for f64 {
    #[inline]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline]
    fn value(self) -> f64 {
        self
    }
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
    fn is_zero(self) -> bool {
        self == 0.0
    }
    fn powc(self, exponent: f64) -> Self {
        f64::powf(self, exponent)
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn exp(self) -> Self {
        f64::exp(self)
    }
    fn ln(self) -> Self {
        f64::ln(self)
    }
    fn sin(self) -> Self {
        f64::sin(self)
    }
    fn cos(self) -> Self {
        f64::cos(self)
    }
    fn asin(self) -> Self {
        f64::asin(self)
    }
    fn acos(self) -> Self {
        f64::acos(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    fn sinh(self) -> Self {
        f64::sinh(self)
    }
    fn cosh(self) -> Self {
        f64::cosh(self)
    }
    fn asinh(self) -> Self {
        f64::asinh(self)
    }
    fn acosh(self) -> Self {
        f64::acosh(self)
    }
    fn atanh(self) -> Self {
        f64::atanh(self)
    }
    fn cbrt(self) -> Self {
        f64::cbrt(self)
    }
    fn log2(self) -> Self {
        f64::log2(self)
    }
    fn log10(self) -> Self {
        f64::log10(self)
    }
    fn powi(self, exponent: i32) -> Self {
        f64::powi(self, exponent)
    }
    fn powf(self, exponent: Self) -> Self {
        f64::powf(self, exponent)
    }
}

/// A number and its derivative in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual<S> {
    /// The number.
    pub re: S,
    /// Its derivative.
    pub du: S,
}

/// A number of a motion, by which first and second derivatives by the time are found in one pass.
pub type Taylor = Dual<Dual<f64>>;

impl Taylor {
    /// From a value, its rate and the rate of that.
    pub fn of_motion([value, rate, second]: [f64; 3]) -> Self {
        Self { re: Dual { re: value, du: rate }, du: Dual { re: rate, du: second } }
    }

    /// The value, its rate and the rate of that.
    pub fn motion(self) -> [f64; 3] {
        [self.re.re, self.re.du, self.du.du]
    }
}

impl<S: Scalar> Dual<S> {
    /// A function with this value and slope at the number.
    #[inline]
    fn chain(self, value: S, slope: S) -> Self {
        Self { re: value, du: slope * self.du }
    }
}

impl<S: Scalar> Add for Dual<S> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, du: self.du + other.du }
    }
}

impl<S: Scalar> Sub for Dual<S> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, du: self.du - other.du }
    }
}

impl<S: Scalar> Mul for Dual<S> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re, du: self.re * other.du + self.du * other.re }
    }
}

impl<S: Scalar> Div for Dual<S> {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let quotient = self.re / other.re;
        Self { re: quotient, du: (self.du - quotient * other.du) / other.re }
    }
}

impl<S: Scalar> Neg for Dual<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { re: -self.re, du: -self.du }
    }
}

impl<S: Scalar> Scalar for Dual<S> {
    #[inline]
    fn constant(value: f64) -> Self {
        Self { re: S::constant(value), du: S::constant(0.0) }
    }
    #[inline]
    fn value(self) -> f64 {
        self.re.value()
    }
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.du.is_finite()
    }
    fn is_zero(self) -> bool {
        self.re.is_zero() && self.du.is_zero()
    }
    fn powc(self, exponent: f64) -> Self {
        let slope = S::constant(exponent) * self.re.powc(exponent - 1.0);
        self.chain(self.re.powc(exponent), slope)
    }
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain(root, S::constant(0.5) / root)
    }
    fn exp(self) -> Self {
        let exp = self.re.exp();
        self.chain(exp, exp)
    }
    fn ln(self) -> Self {
        self.chain(self.re.ln(), S::constant(1.0) / self.re)
    }
    fn sin(self) -> Self {
        self.chain(self.re.sin(), self.re.cos())
    }
    fn cos(self) -> Self {
        self.chain(self.re.cos(), -self.re.sin())
    }
    fn asin(self) -> Self {
        let slope = S::constant(1.0) / (S::constant(1.0) - self.re * self.re).sqrt();
        self.chain(self.re.asin(), slope)
    }
    fn acos(self) -> Self {
        let slope = S::constant(-1.0) / (S::constant(1.0) - self.re * self.re).sqrt();
        self.chain(self.re.acos(), slope)
    }
    fn atan2(self, x: Self) -> Self {
        let square = self.re * self.re + x.re * x.re;
        Self { re: self.re.atan2(x.re), du: (self.du * x.re - self.re * x.du) / square }
    }
    fn sinh(self) -> Self {
        self.chain(self.re.sinh(), self.re.cosh())
    }
    fn cosh(self) -> Self {
        self.chain(self.re.cosh(), self.re.sinh())
    }
    fn powi(self, exponent: i32) -> Self {
        // The slope of the zeroth power is 0 even at 0, where the general one would be 0 times infinity.
        let slope = match exponent {
            0 => S::constant(0.0),
            _ => S::constant(f64::from(exponent)) * self.re.powi(exponent.saturating_sub(1)),
        };
        self.chain(self.re.powi(exponent), slope)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dual, Scalar, Taylor};

    fn all<S: Scalar>(x: S) -> Vec<S> {
        let c = S::constant;
        let roots = [x.sqrt(), x.exp(), x.ln(), x.sin(), x.cos(), x.tan(), x.sinh(), x.cosh()];
        let angles = [(x * c(0.3)).asin(), (x * c(0.3)).acos(), x.atan(), x.atan2(c(0.4) - x)];
        let powers = [x.powi(3), x.powi(-2), x.powi(0), x.powc(1.3), c(2.0).powf(x)];
        let rest = [x.tanh(), (-x).tanh(), (-x).abs(), x.min(c(9.0)), x.max(x * x), c(1.0) / x];
        [&roots[..], &angles, &powers, &rest].concat()
    }

    #[test]
    fn first_and_second_derivatives_are_central_differences() {
        let (x, step) = (0.83, 1e-4);
        let [before, at, after] = [x - step, x, x + step].map(all::<f64>);
        let taylor = all(Taylor::of_motion([x, 1.0, 0.0]));
        let dual = all(Dual { re: x, du: 1.0 });
        for (k, t) in taylor.iter().enumerate() {
            let [value, rate, second] = t.motion();
            let slope = (after[k] - before[k]) / (2.0 * step);
            let curvature = (after[k] - 2.0 * at[k] + before[k]) / (step * step);
            assert!((value - at[k]).abs() < 1e-14, "value {k}: {value}, {}", at[k]);
            assert_eq!([value, rate], [dual[k].re, dual[k].du], "{k}");
            // Truncation is some 1e-8 of third and fourth derivatives of size 10, rounding 1e-8 of the second.
            assert!((rate - slope).abs() < 1e-6, "slope {k}: {rate}, {slope}");
            assert!((second - curvature).abs() < 2e-5, "curvature {k}: {second}, {curvature}");
        }
    }
}
