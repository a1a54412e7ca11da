//! Energies: the elasticity of troids, the bending of a row of points.

use super::{Energy, Potential};
use crate::interactive::Scalar;

/// Elasticity of a troid towards its rest shape, over its deformation gradient F row by row:
/// V (μ/4 |FᵀF - 1|² + κ/2 (det F - 1)²), which rotations leave as it is (Witkin1990, section 5.4; the first term is
/// that of St. Venant and Kirchhoff without the trace, BonetWood2008).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TroidElasticity<const D: usize> {
    /// Area \[m²\] or volume \[m³\] at rest.
    pub measure: f64,
    /// Stiffness μ towards the rest shape \[N/m\], \[Pa\].
    pub shape: f64,
    /// Stiffness κ of the area or volume \[N/m\], \[Pa\].
    pub dilation: f64,
}

/// Bending of a row of three points: half the stiffness times |a - 2 b + c|². Ports are the coordinates of a, b, c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bending {
    /// Coordinates of a point.
    pub dimensions: usize,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
}

impl<const D: usize> TroidElasticity<D> {
    /// The behaviour of this energy.
    pub fn behaviour(self) -> Potential<Self> {
        Potential(self)
    }
}

impl Bending {
    /// The behaviour of this energy.
    pub fn behaviour(self) -> Potential<Self> {
        Potential(self)
    }
}

fn determinant<S: Scalar>(dimensions: usize, f: &[S]) -> S {
    let minor = |a: usize, b: usize, c: usize, d: usize| f[a] * f[d] - f[b] * f[c];
    match dimensions {
        2 => minor(0, 1, 2, 3),
        _ => f[0] * minor(4, 5, 7, 8) - f[1] * minor(3, 5, 6, 8) + f[2] * minor(3, 4, 6, 7),
    }
}

impl<const D: usize> Energy for TroidElasticity<D> {
    fn port_count(&self) -> usize {
        D * D
    }
    fn energy<S: Scalar>(&self, f: &[S]) -> S {
        let c = S::constant;
        let mut strain = c(0.0);
        for i in 0..D {
            for j in 0..D {
                let unit = c(f64::from(i == j));
                let product = (0..D).fold(-unit, |sum, k| sum + f[D * k + i] * f[D * k + j]);
                strain = strain + product * product;
            }
        }
        let dilation = determinant(D, f) - c(1.0);
        let shape = c(0.25 * self.shape * self.measure) * strain;
        shape + c(0.5 * self.dilation * self.measure) * dilation * dilation
    }
}

impl Energy for Bending {
    fn port_count(&self) -> usize {
        3 * self.dimensions
    }
    fn energy<S: Scalar>(&self, x: &[S]) -> S {
        let (d, two) = (self.dimensions, S::constant(2.0));
        let bends = (0..d).map(|k| x[k] - two * x[d + k] + x[2 * d + k]);
        let squares = bends.fold(S::constant(0.0), |sum, bend| sum + bend * bend);
        S::constant(0.5 * self.stiffness) * squares
    }
}
