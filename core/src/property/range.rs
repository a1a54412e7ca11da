//! The numbers that a property may hold.

use crate::property::PropertyType;

/// An interval; NaN lies in none, and infinity only where an end is it, as in [`Range::ANY`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
    /// True if the ends belong to it.
    closed: [bool; 2],
}

impl Range {
    /// Every number, infinite ones excluded.
    pub const FINITE: Self = Self::open(f64::NEG_INFINITY, f64::INFINITY);
    /// Every number, and infinity, which stands for no limit.
    pub const ANY: Self = Self::closed(f64::NEG_INFINITY, f64::INFINITY);
    /// Above zero.
    pub const POSITIVE: Self = Self::open(0.0, f64::INFINITY);
    /// Zero or above.
    pub const NOT_NEGATIVE: Self = Self { closed: [true, false], ..Self::POSITIVE };
    /// Above zero, and infinity, which stands for no limit.
    pub const LIMIT: Self = Self { closed: [false, true], ..Self::POSITIVE };
    /// Values of a Poisson's ratio: 0.5 for an incompressible material.
    pub const POISSON: Self = Self { low: -1.0, high: 0.5, closed: [false, true] };
    /// Values of the Poisson's ratio of a layer that cannot move sideways.
    pub const COMPRESSIBLE: Self = Self::open(-1.0, 0.5);
    /// Values of the exponent of a force by an overlap.
    pub const EXPONENT: Self = Self::closed(1.0, 5.0);
    /// From 0 to 1.
    pub const UNIT: Self = Self::closed(0.0, 1.0);
    /// Part of a whole: 0, and less than 1.
    pub const PART: Self = Self::below(0.0, 1.0);
    /// From -1 to 1.
    pub const SIGNED_UNIT: Self = Self::closed(-1.0, 1.0);

    /// Values of coefficients of contact that have no natural end: what means something is far below a million of its unit.
    pub const COEFFICIENT: Self = Self::closed(0.0, 1e6);
    /// The same above zero.
    pub const SCALE: Self = Self { closed: [false, true], ..Self::COEFFICIENT };
    /// Values of forces and dampings of contact [N], [N s/m].
    pub const STRENGTH: Self = Self::closed(0.0, 1e12);
    /// Values of the moduli of contact [Pa]: that of diamond is 1.2e12.
    pub const MODULUS: Self = Self { high: 1e15, ..Self::SCALE };
    /// Values of the thickness of an elastic layer [m]: from that of a molecule on.
    pub const LAYER: Self = Self::closed(1e-9, 1e6);

    /// Values of the dispersion of fibres: 0 of parallel ones, 1/3 of those in all directions.
    pub const DISPERSION: Self = Self::closed(0.0, 1.0 / 3.0);

    /// Between two numbers, both excluded.
    pub const fn open(low: f64, high: f64) -> Self {
        Self { low, high, closed: [false; 2] }
    }

    /// From one number to another, both included.
    pub const fn closed(low: f64, high: f64) -> Self {
        Self { low, high, closed: [true; 2] }
    }

    /// From one number, included, to another, excluded.
    pub const fn below(low: f64, high: f64) -> Self {
        Self { low, high, closed: [true, false] }
    }

    /// Lower end, and whether it belongs to the range; infinite where there is none.
    pub fn low(&self) -> (f64, bool) {
        (self.low, self.closed[0])
    }

    /// Upper end, and whether it belongs to the range; infinite where there is none.
    pub fn high(&self) -> (f64, bool) {
        (self.high, self.closed[1])
    }

    /// True if `x` lies in it.
    pub fn contains(&self, x: f64) -> bool {
        (x > self.low || self.closed[0] && x == self.low)
            && (x < self.high || self.closed[1] && x == self.high)
    }

    /// In words, for values of a type: `>= 0`, `whole, in [1, 6]`; empty where the type says all.
    pub fn describe(&self, ty: PropertyType) -> String {
        match ty {
            PropertyType::Int if *self == Self::FINITE => "whole".to_owned(),
            PropertyType::Int => format!("whole, {self}"),
            _ if ty.is_numeric() && ty != PropertyType::Bool => self.to_string(),
            _ => String::new(),
        }
    }
}

/// A number in a message: without the hundreds of digits that a very large or small one has.
pub(crate) fn number(x: &f64) -> String {
    let is_short = *x == 0.0 || !x.is_finite() || (1e-5..1e6).contains(&x.abs());
    if is_short { x.to_string() } else { format!("{x:e}") }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = |closed: bool| if closed { "=" } else { "" };
        let [low, high] = [number(&self.low), number(&self.high)];
        match (self.low.is_finite(), self.high.is_finite()) {
            (false, false) if *self == Self::ANY => f.write_str("any, or infinite for none"),
            (false, false) => f.write_str("finite"),
            (true, false) if self.closed[1] => {
                write!(f, ">{} {low}, or infinite for none", sign(self.closed[0]))
            }
            (true, false) => write!(f, ">{} {low}", sign(self.closed[0])),
            (false, true) => write!(f, "<{} {high}", sign(self.closed[1])),
            (true, true) => {
                let left = if self.closed[0] { '[' } else { '(' };
                let right = if self.closed[1] { ']' } else { ')' };
                write!(f, "in {left}{low}, {high}{right}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_belong_to_a_range_as_it_says_and_infinity_to_one() {
        for (range, inside, outside, text) in [
            (Range::FINITE, 0.0, f64::INFINITY, "finite"),
            (Range::POSITIVE, 1e-300, 0.0, "> 0"),
            (Range::NOT_NEGATIVE, 0.0, -1e-300, ">= 0"),
            (Range::LIMIT, f64::INFINITY, 0.0, "> 0, or infinite for none"),
            (Range::POISSON, 0.5, 0.51, "in (-1, 0.5]"),
            (Range::ANY, f64::NEG_INFINITY, f64::NAN, "any, or infinite for none"),
            (Range::UNIT, 1.0, 1.1, "in [0, 1]"),
            (Range::MODULUS, 1e15, 0.0, "in (0, 1e15]"),
            (Range::LAYER, 1e-9, 0.0, "in [1e-9, 1e6]"),
            (Range::closed(f64::NEG_INFINITY, 2.0), 2.0, 2.1, "<= 2"),
        ] {
            assert!(range.contains(inside) && !range.contains(outside), "{range:?}");
            assert!(!range.contains(f64::NAN));
            assert_eq!(range.to_string(), text);
        }
        assert_eq!(Range::closed(1.0, 6.0).describe(PropertyType::Int), "whole, in [1, 6]");
        assert_eq!(Range::FINITE.describe(PropertyType::Text), "");
    }
}
