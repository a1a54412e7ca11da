//! Derivatives of formulas by one input as formulas: tangents and curvatures of curves. Rules of the forward mode, written
//! as operations (GriewankWalther2008, section 3.1).

use std::f64::consts::{LN_2, LN_10};

use super::Formula;
use super::draft::Draft;
use super::ops::{Binary, Op, Unary};

/// A tape of values and derivatives under construction.
struct Rules {
    draft: Draft,
}

impl Formula {
    /// The formula of the derivatives of all outputs by an input, with the same inputs and names of outputs; none, where
    /// there is no such input.
    pub fn derivative(&self, input: &str) -> Option<Self> {
        let wanted = self.inputs().iter().position(|name| name == input)? as u32;
        let mut rules = Rules { draft: Draft::default() };
        for name in self.inputs() {
            rules.draft.input(name, 1);
        }
        let (ops, outputs) = self.tape();
        let (mut values, mut slopes) = (Vec::new(), Vec::new());
        for op in ops {
            let value = rules.value(op.renumbered(&values));
            let slope = rules.slope(*op, (&values, value), &slopes, wanted);
            values.push(value);
            slopes.push(slope);
        }
        let names = self.outputs().iter().zip(outputs);
        rules.draft.outputs =
            names.map(|(name, &output)| (name.clone(), slopes[output as usize])).collect();
        Some(Self::of(rules.draft, &format!("d/d{input} of {}", self.text())))
    }
}

impl Rules {
    fn value(&mut self, op: Op) -> u32 {
        match op {
            Op::Input(input) => self.draft.input_register(input),
            Op::Constant(value) => self.constant(value),
            Op::Unary(unary, a) => self.draft.unary(unary, a, 1),
            Op::Binary(binary, a, b) => self.draft.binary(binary, [a, b], 1),
            Op::WholePower(a, exponent) => self.power(a, f64::from(exponent)),
            Op::ConstantPower(a, exponent) => self.power(a, exponent),
        }
    }

    /// Slope of an operation, which has the register `value`, from registers of earlier values and slopes.
    fn slope(
        &mut self,
        op: Op,
        (values, value): (&[u32], u32),
        slopes: &[u32],
        wanted: u32,
    ) -> u32 {
        let at = |a: u32| (values[a as usize], slopes[a as usize]);
        match op {
            Op::Input(input) => self.constant(f64::from(input == wanted)),
            Op::Constant(_) => self.constant(0.0),
            Op::Unary(unary, a) => self.of_unary(unary, at(a), value),
            Op::Binary(binary, a, b) => self.of_binary(binary, [at(a), at(b)], value),
            Op::WholePower(a, exponent) => self.of_power(at(a), f64::from(exponent)),
            Op::ConstantPower(a, exponent) => self.of_power(at(a), exponent),
        }
    }

    fn constant(&mut self, value: f64) -> u32 {
        self.draft.constant(value, 1)
    }

    fn is_zero(&self, a: u32) -> bool {
        self.draft.number(a) == Some(0.0)
    }

    fn add(&mut self, a: u32, b: u32) -> u32 {
        self.draft.binary(Binary::Add, [a, b], 1)
    }

    fn subtract(&mut self, a: u32, b: u32) -> u32 {
        if self.is_zero(a) {
            return self.negative(b);
        }
        self.draft.binary(Binary::Sub, [a, b], 1)
    }

    fn negative(&mut self, a: u32) -> u32 {
        self.draft.unary(Unary::Neg, a, 1)
    }

    fn times(&mut self, a: u32, b: u32) -> u32 {
        match [a, b].into_iter().find(|&x| self.is_zero(x)) {
            Some(zero) => zero,
            None => self.draft.binary(Binary::Mul, [a, b], 1),
        }
    }

    fn over(&mut self, a: u32, b: u32) -> u32 {
        if self.is_zero(a) { a } else { self.draft.binary(Binary::Div, [a, b], 1) }
    }

    fn power(&mut self, a: u32, exponent: f64) -> u32 {
        let exponent = self.constant(exponent);
        self.draft.power(a, exponent, 1)
    }

    fn of_power(&mut self, (x, dx): (u32, u32), exponent: f64) -> u32 {
        let below = self.power(x, exponent - 1.0);
        let factor = self.constant(exponent);
        let slope = self.times(factor, below);
        self.times(slope, dx)
    }

    /// 1 + sign x².
    fn one_and_square(&mut self, x: u32, sign: f64) -> u32 {
        let (one, square) = (self.constant(1.0), self.times(x, x));
        if sign > 0.0 { self.add(one, square) } else { self.subtract(one, square) }
    }

    /// The slope of a function at x, where its value is y.
    fn of_unary(&mut self, unary: Unary, (x, dx): (u32, u32), y: u32) -> u32 {
        if self.is_zero(dx) {
            return dx;
        }
        match unary {
            Unary::Neg => self.negative(dx),
            Unary::Exp => self.times(y, dx),
            Unary::Ln => self.over(dx, x),
            Unary::Log2 => self.of_logarithm((x, dx), LN_2),
            Unary::Log10 => self.of_logarithm((x, dx), LN_10),
            Unary::Sqrt => self.of_square_root(dx, y),
            Unary::Cbrt => self.of_cube_root(dx, y),
            Unary::Sin => self.times_value((x, dx), Unary::Cos),
            Unary::Cos => {
                let slope = self.times_value((x, dx), Unary::Sin);
                self.negative(slope)
            }
            Unary::Sinh => self.times_value((x, dx), Unary::Cosh),
            Unary::Cosh => self.times_value((x, dx), Unary::Sinh),
            Unary::Tan => self.of_tangent(dx, y, 1.0),
            Unary::Tanh => self.of_tangent(dx, y, -1.0),
            Unary::Asin => self.of_arcsine((x, dx)),
            Unary::Acos => {
                let slope = self.of_arcsine((x, dx));
                self.negative(slope)
            }
            Unary::Atan => self.of_arctangent((x, dx), 1.0),
            Unary::Atanh => self.of_arctangent((x, dx), -1.0),
            Unary::Asinh => self.of_area_function((x, dx), 1.0),
            Unary::Acosh => self.of_area_function((x, dx), -1.0),
            Unary::Signum | Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc => {
                self.constant(0.0)
            }
            Unary::Abs => self.of_size((x, dx), y),
        }
    }

    /// dx / (x ln b), with ln b the logarithm of the base.
    fn of_logarithm(&mut self, (x, dx): (u32, u32), base: f64) -> u32 {
        let base = self.constant(base);
        let slope = self.times(base, x);
        self.over(dx, slope)
    }

    /// dx / (2 y).
    fn of_square_root(&mut self, dx: u32, y: u32) -> u32 {
        let double = self.add(y, y);
        self.over(dx, double)
    }

    /// dx / (3 y²).
    fn of_cube_root(&mut self, dx: u32, y: u32) -> u32 {
        let (three, square) = (self.constant(3.0), self.times(y, y));
        let slope = self.times(three, square);
        self.over(dx, slope)
    }

    /// dx times a function of x.
    fn times_value(&mut self, (x, dx): (u32, u32), function: Unary) -> u32 {
        let slope = self.draft.unary(function, x, 1);
        self.times(slope, dx)
    }

    /// (1 + sign y²) dx.
    fn of_tangent(&mut self, dx: u32, y: u32, sign: f64) -> u32 {
        let slope = self.one_and_square(y, sign);
        self.times(slope, dx)
    }

    /// dx / sqrt(1 - x²).
    fn of_arcsine(&mut self, (x, dx): (u32, u32)) -> u32 {
        let square = self.one_and_square(x, -1.0);
        let root = self.draft.unary(Unary::Sqrt, square, 1);
        self.over(dx, root)
    }

    /// dx / (1 + sign x²).
    fn of_arctangent(&mut self, (x, dx): (u32, u32), sign: f64) -> u32 {
        let square = self.one_and_square(x, sign);
        self.over(dx, square)
    }

    /// dx / sqrt(x² + shift).
    fn of_area_function(&mut self, (x, dx): (u32, u32), shift: f64) -> u32 {
        let square = self.times(x, x);
        let shift = self.constant(shift);
        let sum = self.add(square, shift);
        let root = self.draft.unary(Unary::Sqrt, sum, 1);
        self.over(dx, root)
    }

    /// (x / y) dx, with y the size of x.
    fn of_size(&mut self, (x, dx): (u32, u32), y: u32) -> u32 {
        let sign = self.over(x, y);
        self.times(sign, dx)
    }

    /// The slope of a function of x and y, where its value is z.
    fn of_binary(&mut self, binary: Binary, [(x, dx), (y, dy)]: [(u32, u32); 2], z: u32) -> u32 {
        if self.is_zero(dx) && self.is_zero(dy) {
            return dx;
        }
        match binary {
            Binary::Add => self.add(dx, dy),
            Binary::Sub => self.subtract(dx, dy),
            Binary::Mul => {
                let (first, second) = (self.times(dx, y), self.times(x, dy));
                self.add(first, second)
            }
            Binary::Div => {
                let change = self.times(z, dy);
                let change = self.subtract(dx, change);
                self.over(change, y)
            }
            Binary::Power => {
                // z (dy ln x + y dx / x).
                let logarithm = self.draft.unary(Unary::Ln, x, 1);
                let (first, share) = (self.times(dy, logarithm), self.over(dx, x));
                let second = self.times(y, share);
                let sum = self.add(first, second);
                self.times(z, sum)
            }
            Binary::Atan2 => {
                let (first, second) = (self.times(dx, y), self.times(x, dy));
                let across = self.subtract(first, second);
                let (a, b) = (self.times(x, x), self.times(y, y));
                let square = self.add(a, b);
                self.over(across, square)
            }
            Binary::Less | Binary::LessOrEqual | Binary::And | Binary::Or => self.constant(0.0),
            Binary::Min | Binary::Max => self.of_choice([(x, dx), (y, dy)], binary == Binary::Max),
        }
    }

    /// Slope of the smaller or larger one, by the sign of the difference; it has none where both are equal.
    fn of_choice(&mut self, [(x, dx), (y, dy)]: [(u32, u32); 2], is_larger: bool) -> u32 {
        let (half, difference) = (self.constant(0.5), self.subtract(x, y));
        let size = self.draft.unary(Unary::Abs, difference, 1);
        let sign = self.over(difference, size);
        let (sum, change) = (self.add(dx, dy), self.subtract(dx, dy));
        let change = self.times(sign, change);
        let twice = if is_larger { self.add(sum, change) } else { self.subtract(sum, change) };
        self.times(half, twice)
    }
}
