//! Operations of tapes: values, slopes, and the dependence of results on variables.

use std::f64::consts::{LOG2_E, LOG10_E};

use super::Scalar;

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Neg,
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Cbrt,
    Log2,
    Log10,
    Abs,
    Signum,
    Floor,
    Ceil,
    Round,
    Trunc,
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Power,
    Atan2,
    Min,
    Max,
    Less,
    LessOrEqual,
    And,
    Or,
}

/// An operation on earlier results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Input(u32),
    Constant(f64),
    Unary(Unary, u32),
    Binary(Binary, u32, u32),
    WholePower(u32, i32),
    ConstantPower(u32, f64),
}

/// Dependence of a number on the variables of a graph, each kind including those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Dependence {
    /// On nothing.
    #[default]
    Fixed,
    /// On the time and on parameters alone.
    Time,
    /// Affine in the variables, with constant derivatives.
    Affine,
    /// Any other.
    Nonlinear,
}

impl Dependence {
    /// That of a nonlinear function of a number.
    pub fn bent(self) -> Self {
        if self == Self::Affine { Self::Nonlinear } else { self }
    }

    /// That of a product.
    pub fn times(self, other: Self) -> Self {
        match self.min(other) {
            Self::Fixed => self.max(other),
            _ => self.max(other).bent(),
        }
    }
}

impl Unary {
    pub(super) fn named(name: &str) -> Option<Self> {
        const NAMES: [(&str, Unary); 25] = [
            ("sqrt", Unary::Sqrt),
            ("exp", Unary::Exp),
            ("ln", Unary::Ln),
            ("log", Unary::Ln),
            ("sin", Unary::Sin),
            ("cos", Unary::Cos),
            ("tan", Unary::Tan),
            ("asin", Unary::Asin),
            ("acos", Unary::Acos),
            ("atan", Unary::Atan),
            ("sinh", Unary::Sinh),
            ("cosh", Unary::Cosh),
            ("tanh", Unary::Tanh),
            ("asinh", Unary::Asinh),
            ("acosh", Unary::Acosh),
            ("atanh", Unary::Atanh),
            ("cbrt", Unary::Cbrt),
            ("log2", Unary::Log2),
            ("log10", Unary::Log10),
            ("abs", Unary::Abs),
            ("signum", Unary::Signum),
            ("floor", Unary::Floor),
            ("ceil", Unary::Ceil),
            ("round", Unary::Round),
            ("trunc", Unary::Trunc),
        ];
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, unary)| *unary)
    }

    pub(super) fn apply<S: Scalar>(self, x: S) -> S {
        match self {
            Self::Neg => -x,
            Self::Sqrt => x.sqrt(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sinh => x.sinh(),
            Self::Cosh => x.cosh(),
            Self::Tanh => x.tanh(),
            Self::Asinh => x.asinh(),
            Self::Acosh => x.acosh(),
            Self::Atanh => x.atanh(),
            Self::Cbrt => x.cbrt(),
            Self::Log2 => x.log2(),
            Self::Log10 => x.log10(),
            Self::Abs => x.abs(),
            Self::Signum => S::constant(x.value().signum()),
            Self::Floor => S::constant(x.value().floor()),
            Self::Ceil => S::constant(x.value().ceil()),
            Self::Round => S::constant(x.value().round()),
            Self::Trunc => S::constant(x.value().trunc()),
        }
    }

    /// Slope at x, where the value is y.
    pub(super) fn slope<S: Scalar>(self, x: S, y: S) -> S {
        let c = S::constant;
        match self {
            Self::Neg => c(-1.0),
            Self::Sqrt => c(0.5) / y,
            Self::Exp => y,
            Self::Ln => c(1.0) / x,
            Self::Sin => x.cos(),
            Self::Cos => -x.sin(),
            Self::Tan => c(1.0) + y * y,
            Self::Asin => c(1.0) / (c(1.0) - x * x).sqrt(),
            Self::Acos => c(-1.0) / (c(1.0) - x * x).sqrt(),
            Self::Atan => c(1.0) / (c(1.0) + x * x),
            Self::Sinh => x.cosh(),
            Self::Cosh => x.sinh(),
            Self::Tanh => c(1.0) - y * y,
            Self::Asinh => c(1.0) / (x * x + c(1.0)).sqrt(),
            Self::Acosh => c(1.0) / (x * x - c(1.0)).sqrt(),
            Self::Atanh => c(1.0) / (c(1.0) - x * x),
            Self::Cbrt => c(1.0) / (c(3.0) * y * y),
            Self::Log2 => c(LOG2_E) / x,
            Self::Log10 => c(LOG10_E) / x,
            Self::Abs => c(if x.value() < 0.0 { -1.0 } else { 1.0 }),
            Self::Signum | Self::Floor | Self::Ceil | Self::Round | Self::Trunc => c(0.0),
        }
    }
}

/// The number that truth is kept as: 1, or 0.
fn truth<S: Scalar>(is_true: bool) -> S {
    S::constant(f64::from(is_true))
}

impl Binary {
    /// True if its result is a truth.
    pub(super) fn is_truth(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual | Self::And | Self::Or)
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "atan2" => Some(Self::Atan2),
            "min" => Some(Self::Min),
            "max" => Some(Self::Max),
            _ => None,
        }
    }

    pub(super) fn apply<S: Scalar>(self, x: S, y: S) -> S {
        match self {
            Self::Add => x + y,
            Self::Sub => x - y,
            Self::Mul => x * y,
            Self::Div => x / y,
            Self::Power => x.powf(y),
            Self::Atan2 => x.atan2(y),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
            Self::Less => truth(x.value() < y.value()),
            Self::LessOrEqual => truth(x.value() <= y.value()),
            Self::And => truth(x.value() == 1.0 && y.value() == 1.0),
            Self::Or => truth(x.value() == 1.0 || y.value() == 1.0),
        }
    }

    /// Slopes at (x, y), where the value is z.
    pub(super) fn slopes<S: Scalar>(self, x: S, y: S, z: S) -> [S; 2] {
        let c = S::constant;
        let chosen = |first: bool| if first { [c(1.0), c(0.0)] } else { [c(0.0), c(1.0)] };
        match self {
            Self::Add => [c(1.0); 2],
            Self::Sub => [c(1.0), c(-1.0)],
            Self::Mul => [y, x],
            Self::Div => [c(1.0) / y, -z / y],
            Self::Power => [y * z / x, z * x.ln()],
            Self::Atan2 => {
                let square = x * x + y * y;
                [y / square, -x / square]
            }
            Self::Min => chosen(y.value() >= x.value()),
            Self::Max => chosen(y.value() <= x.value()),
            Self::Less | Self::LessOrEqual | Self::And | Self::Or => [c(0.0); 2],
        }
    }

    pub(super) fn dependence(self, x: Dependence, y: Dependence) -> Dependence {
        match self {
            Self::Add | Self::Sub => x.max(y),
            Self::Mul => x.times(y),
            Self::Div => x.times(y.bent()),
            Self::Power | Self::Atan2 | Self::Min | Self::Max => x.max(y).bent(),
            Self::Less | Self::LessOrEqual | Self::And | Self::Or => x.max(y).bent(),
        }
    }
}

impl Op {
    /// True if its result is a truth.
    pub(super) fn is_truth(self) -> bool {
        matches!(self, Self::Binary(binary, ..) if binary.is_truth())
    }

    pub(super) fn operands(self) -> impl Iterator<Item = u32> {
        let pair = match self {
            Self::Input(_) | Self::Constant(_) => [None, None],
            Self::Unary(_, a) | Self::WholePower(a, _) | Self::ConstantPower(a, _) => {
                [Some(a), None]
            }
            Self::Binary(_, a, b) => [Some(a), Some(b)],
        };
        pair.into_iter().flatten()
    }

    pub(super) fn renumbered(self, moved: &[u32]) -> Self {
        let at = |a: u32| moved[a as usize];
        match self {
            Self::Input(_) | Self::Constant(_) => self,
            Self::Unary(unary, a) => Self::Unary(unary, at(a)),
            Self::Binary(binary, a, b) => Self::Binary(binary, at(a), at(b)),
            Self::WholePower(a, exponent) => Self::WholePower(at(a), exponent),
            Self::ConstantPower(a, exponent) => Self::ConstantPower(at(a), exponent),
        }
    }
}
