//! A number with its gradient and Hessian by the six displacements of frame C against frame D:
//! forward automatic differentiation of second order (GriewankWalther2008).

use std::ops::{Add, Mul, Neg, Sub};

use nalgebra::Matrix6;

use super::Scalar;
use crate::Vec3;

/// Second derivatives: the upper triangle of a 6 x 6 matrix, row after row.
const PAIRS: usize = 21;

/// A number and its first and second derivatives by the displacement (δ, φ) of frame C seen from
/// D: the origin moves by δ [m] and the frame turns by the rotation vector φ [rad], in axes of D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    value: f64,
    gradient: [f64; 6],
    hessian: [f64; PAIRS],
}

impl Jet {
    /// A number with its derivatives, the Hessian by its upper triangle.
    pub(crate) fn new(value: f64, gradient: [f64; 6], hessian: [f64; PAIRS]) -> Self {
        Self { value, gradient, hessian }
    }

    /// ∂/∂δ: the force of a unit multiplier on C, axes of D.
    pub fn force(&self) -> Vec3 {
        Vec3::new(self.gradient[0], self.gradient[1], self.gradient[2])
    }

    /// ∂/∂φ: the moment of a unit multiplier on C about the origin of C, axes of D.
    pub fn moment(&self) -> Vec3 {
        Vec3::new(self.gradient[3], self.gradient[4], self.gradient[5])
    }

    /// The first derivatives (∂/∂δ, ∂/∂φ).
    pub fn gradient(&self) -> &[f64; 6] {
        &self.gradient
    }

    /// The second derivatives, symmetric.
    pub fn hessian(&self) -> Matrix6<f64> {
        Matrix6::from_fn(|i, j| self.hessian[packed(i.min(j), i.max(j))])
    }

    /// ξᵀ H ξ for a displacement ξ = (δ, φ).
    pub fn second_derivative_along(&self, xi: &[f64; 6]) -> f64 {
        let mut sum = 0.0;
        let mut k = 0;
        for i in 0..6 {
            sum += self.hessian[k] * xi[i] * xi[i];
            k += 1;
            for j in i + 1..6 {
                sum += 2.0 * self.hessian[k] * xi[i] * xi[j];
                k += 1;
            }
        }
        sum
    }
}

/// Place of entry (i, j), i <= j, in the packed triangle.
pub(crate) const fn packed(i: usize, j: usize) -> usize {
    i * (11 - i) / 2 + j
}

impl Scalar for Jet {
    fn constant(value: f64) -> Self {
        Self { value, gradient: [0.0; 6], hessian: [0.0; PAIRS] }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn chain(self, value: f64, slope: f64, curvature: f64) -> Self {
        let g = &self.gradient;
        let mut hessian = [0.0; PAIRS];
        let mut k = 0;
        for i in 0..6 {
            let bend = curvature * g[i];
            for j in i..6 {
                hessian[k] = slope * self.hessian[k] + bend * g[j];
                k += 1;
            }
        }
        Self { value, gradient: g.map(|d| slope * d), hessian }
    }

    fn offset(mut self, constant: f64) -> Self {
        self.value += constant;
        self
    }
}

impl Add for Jet {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        self.gradient.iter_mut().zip(other.gradient).for_each(|(a, b)| *a += b);
        self.hessian.iter_mut().zip(other.hessian).for_each(|(a, b)| *a += b);
        self
    }
}

impl Sub for Jet {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self.value -= other.value;
        self.gradient.iter_mut().zip(other.gradient).for_each(|(a, b)| *a -= b);
        self.hessian.iter_mut().zip(other.hessian).for_each(|(a, b)| *a -= b);
        self
    }
}

impl Mul for Jet {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.value, other.value);
        let (f, g) = (&self.gradient, &other.gradient);
        let mut hessian = [0.0; PAIRS];
        let mut k = 0;
        for i in 0..6 {
            for j in i..6 {
                let first = f[i] * g[j] + f[j] * g[i];
                hessian[k] = b * self.hessian[k] + a * other.hessian[k] + first;
                k += 1;
            }
        }
        let mut gradient = [0.0; 6];
        for i in 0..6 {
            gradient[i] = b * f[i] + a * g[i];
        }
        Self { value: a * b, gradient, hessian }
    }
}

impl Mul<f64> for Jet {
    type Output = Self;

    fn mul(mut self, factor: f64) -> Self {
        self.value *= factor;
        self.gradient.iter_mut().for_each(|d| *d *= factor);
        self.hessian.iter_mut().for_each(|d| *d *= factor);
        self
    }
}

impl Neg for Jet {
    type Output = Self;

    fn neg(self) -> Self {
        self * -1.0
    }
}
