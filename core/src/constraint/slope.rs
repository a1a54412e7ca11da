//! A number with its gradient by the six displacements of frame C against frame D: what rows need of
//! the joints, at a quarter of the arithmetic of a [`Jet`].

use std::ops::{Add, Mul, Neg, Sub};

use super::{Jet, Scalar};
use crate::Vec3;

/// A number and its first derivatives by the displacement (δ, φ) of frame C seen from D, as those of [`Jet`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slope {
    value: f64,
    gradient: [f64; 6],
}

impl Slope {
    pub(crate) fn new(value: f64, gradient: [f64; 6]) -> Self {
        Self { value, gradient }
    }

    /// ∂/∂δ: the force of a unit multiplier on C, axes of D.
    pub(crate) fn force(&self) -> Vec3 {
        Vec3::new(self.gradient[0], self.gradient[1], self.gradient[2])
    }

    /// ∂/∂φ: the moment of a unit multiplier on C about the origin of C, axes of D.
    pub(crate) fn moment(&self) -> Vec3 {
        Vec3::new(self.gradient[3], self.gradient[4], self.gradient[5])
    }
}

impl From<&Jet> for Slope {
    fn from(jet: &Jet) -> Self {
        Self { value: jet.value(), gradient: *jet.gradient() }
    }
}

impl Scalar for Slope {
    #[inline]
    fn constant(value: f64) -> Self {
        Self { value, gradient: [0.0; 6] }
    }

    #[inline]
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn chain(self, value: f64, slope: f64, _curvature: f64) -> Self {
        Self { value, gradient: self.gradient.map(|d| slope * d) }
    }

    #[inline]
    fn offset(self, constant: f64) -> Self {
        Self { value: self.value + constant, ..self }
    }
}

impl Add for Slope {
    type Output = Self;

    #[inline]
    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        self.gradient.iter_mut().zip(other.gradient).for_each(|(a, b)| *a += b);
        self
    }
}

impl Sub for Slope {
    type Output = Self;

    #[inline]
    fn sub(mut self, other: Self) -> Self {
        self.value -= other.value;
        self.gradient.iter_mut().zip(other.gradient).for_each(|(a, b)| *a -= b);
        self
    }
}

impl Mul for Slope {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.value, other.value);
        let mut gradient = [0.0; 6];
        for i in 0..6 {
            gradient[i] = b * self.gradient[i] + a * other.gradient[i];
        }
        Self { value: a * b, gradient }
    }
}

impl Mul<f64> for Slope {
    type Output = Self;

    #[inline]
    fn mul(mut self, factor: f64) -> Self {
        self.value *= factor;
        self.gradient.iter_mut().for_each(|d| *d *= factor);
        self
    }
}

impl Neg for Slope {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        self * -1.0
    }
}
