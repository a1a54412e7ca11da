//! A number with its first and second derivatives by six variables, found in one pass (GriewankWalther2008, chapter 5).

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Scalar;

/// Number of variables.
const COUNT: usize = 6;

/// A number, its derivatives by six variables, and its second derivatives by them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondOrder {
    /// The number.
    pub value: f64,
    /// Its derivatives.
    pub slope: [f64; COUNT],
    /// Its second derivatives, a symmetric matrix.
    pub curvature: [[f64; COUNT]; COUNT],
}

impl SecondOrder {
    /// Variable `k` of the six, at a value; `scale` is its derivative by itself.
    pub fn variable(k: usize, value: f64, scale: f64) -> Self {
        let mut variable = Self::constant(value);
        variable.slope[k] = scale;
        variable
    }

    /// A function of this number, from its value and its first and second derivative there.
    fn chain(&self, [value, first, second]: [f64; 3]) -> Self {
        let mut result = Self::constant(value);
        for i in 0..COUNT {
            result.slope[i] = first * self.slope[i];
            let bent = second * self.slope[i];
            for j in 0..COUNT {
                result.curvature[i][j] = first * self.curvature[i][j] + bent * self.slope[j];
            }
        }
        result
    }

    /// Sum of this and a multiple of another.
    fn plus(&self, other: &Self, factor: f64) -> Self {
        let mut sum = *self;
        sum.value += factor * other.value;
        for i in 0..COUNT {
            sum.slope[i] += factor * other.slope[i];
            for j in 0..COUNT {
                sum.curvature[i][j] += factor * other.curvature[i][j];
            }
        }
        sum
    }
}

impl Add for SecondOrder {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.plus(&other, 1.0)
    }
}

impl Sub for SecondOrder {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.plus(&other, -1.0)
    }
}

impl Neg for SecondOrder {
    type Output = Self;
    fn neg(self) -> Self {
        self.chain([-self.value, -1.0, 0.0])
    }
}

impl Mul for SecondOrder {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (a, b) = (&self, &other);
        let mut product = Self::constant(a.value * b.value);
        for i in 0..COUNT {
            product.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
            for j in 0..COUNT {
                product.curvature[i][j] = a.curvature[i][j] * b.value
                    + a.value * b.curvature[i][j]
                    + (a.slope[i] * b.slope[j] + a.slope[j] * b.slope[i]);
            }
        }
        product
    }
}

impl Div for SecondOrder {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let inverse = 1.0 / other.value;
        let square = inverse * inverse;
        self * other.chain([inverse, -square, 2.0 * square * inverse])
    }
}

/// x^exponent and its two derivatives; those that have a factor 0 are 0 where x is, too.
fn power(x: f64, exponent: f64, raise: impl Fn(f64, f64) -> f64) -> [f64; 3] {
    let term = |factor: f64, exponent: f64| match factor {
        0.0 => 0.0,
        _ => factor * raise(x, exponent),
    };
    [
        raise(x, exponent),
        term(exponent, exponent - 1.0),
        term(exponent * (exponent - 1.0), exponent - 2.0),
    ]
}

impl Scalar for SecondOrder {
    fn constant(value: f64) -> Self {
        Self { value, slope: [0.0; COUNT], curvature: [[0.0; COUNT]; COUNT] }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn is_finite(self) -> bool {
        let all = self.slope.iter().chain(self.curvature.as_flattened());
        self.value.is_finite() && all.copied().all(f64::is_finite)
    }

    fn is_zero(self) -> bool {
        let all = self.slope.iter().chain(self.curvature.as_flattened());
        self.value == 0.0 && all.copied().all(|x| x == 0.0)
    }

    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain([root, 0.5 / root, -0.25 / (root * self.value)])
    }

    fn exp(self) -> Self {
        self.chain([self.value.exp(); 3])
    }

    fn ln(self) -> Self {
        let inverse = 1.0 / self.value;
        self.chain([self.value.ln(), inverse, -inverse * inverse])
    }

    fn sin(self) -> Self {
        let (sin, cos) = self.value.sin_cos();
        self.chain([sin, cos, -sin])
    }

    fn cos(self) -> Self {
        let (sin, cos) = self.value.sin_cos();
        self.chain([cos, -sin, -cos])
    }

    fn asin(self) -> Self {
        let (x, slope) = (self.value, 1.0 / (1.0 - self.value * self.value).sqrt());
        self.chain([x.asin(), slope, x * slope.powi(3)])
    }

    fn acos(self) -> Self {
        let (x, slope) = (self.value, 1.0 / (1.0 - self.value * self.value).sqrt());
        self.chain([x.acos(), -slope, -x * slope.powi(3)])
    }

    fn atan2(self, x: Self) -> Self {
        // The angle turns as (x dy - y dx) / r² does; its value is put in place of that of the quotient.
        let (y, r) = (self, self.value.hypot(x.value));
        let quotient = if x.value.abs() > y.value.abs() { y / x } else { -(x / y) };
        let q = quotient.value;
        let slope = 1.0 / (1.0 + q * q);
        let angle = if r == 0.0 { 0.0 } else { y.value.atan2(x.value) };
        quotient.chain([angle, slope, -2.0 * q * slope * slope])
    }

    fn sinh(self) -> Self {
        let (sinh, cosh) = (self.value.sinh(), self.value.cosh());
        self.chain([sinh, cosh, sinh])
    }

    fn cosh(self) -> Self {
        let (sinh, cosh) = (self.value.sinh(), self.value.cosh());
        self.chain([cosh, sinh, cosh])
    }

    fn powi(self, exponent: i32) -> Self {
        self.chain(power(self.value, f64::from(exponent), |x, n| x.powi(n as i32)))
    }

    fn powc(self, exponent: f64) -> Self {
        self.chain(power(self.value, exponent, f64::powf))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of all that numbers can do, of six variables.
    fn tangle<S: Scalar>(x: [S; 6]) -> S {
        let c = S::constant;
        let [a, b, d, e, f, g] = x;
        (a * b).sqrt() + (d / e).exp() * f.ln() - g.sin() * a.cos() + (b * c(0.2)).asin()
            - (d * c(0.3)).acos()
            + a.atan2(e) * f.atan2(-g)
            + (a - b).sinh()
            + d.cosh()
            + e.powi(3) * f.powc(-0.7)
            + g.powf(a)
            + b.tanh().abs().min(c(5.0)).max(-d)
    }

    #[test]
    fn derivatives_are_those_of_nested_dual_numbers() {
        use crate::formula::Dual;
        let at = [0.7, 1.3, 0.4, 0.9, 1.1, 0.6];
        let ours = tangle(std::array::from_fn(|k| SecondOrder::variable(k, at[k], 1.0)));
        for i in 0..6 {
            for j in 0..6 {
                let x: [Dual<Dual<f64>>; 6] = std::array::from_fn(|k| {
                    let unit = |wanted: usize| f64::from(u8::from(k == wanted));
                    Dual { re: Dual { re: at[k], du: unit(i) }, du: Dual { re: unit(j), du: 0.0 } }
                });
                let theirs = tangle(x);
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * (1.0 + b.abs());
                assert!(close(ours.value, theirs.re.re), "{} {}", ours.value, theirs.re.re);
                assert!(
                    close(ours.slope[i], theirs.re.du),
                    "{i}: {} {}",
                    ours.slope[i],
                    theirs.re.du
                );
                let (a, b) = (ours.curvature[i][j], theirs.du.du);
                assert!(close(a, b), "{i} {j}: {a} {b}");
            }
        }
    }

    #[test]
    fn whole_powers_of_zero_have_derivatives() {
        let x = SecondOrder::variable(2, 0.0, 1.0);
        assert_eq!((x.powi(2).slope[2], x.powi(2).curvature[2][2]), (0.0, 2.0));
        assert_eq!((x.powi(1).slope[2], x.powi(1).curvature[2][2]), (1.0, 0.0));
        assert!(x.powi(0).is_finite() && !x.powi(-1).is_finite());
    }
}
